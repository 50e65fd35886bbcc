#if Server
    /// Which content codings a request asks for (RFC 9110, 12.5.3).
    struct AcceptEncoding {
        private var qualities: [String: Double] = [:]

        init(_ header: String?) {
            for item in (header ?? "").lowercased().split(separator: ",") {
                let parts = item.split(separator: ";").map { $0.filter { !$0.isWhitespace } }
                guard let name = parts.first, !name.isEmpty else { continue }
                let weight = parts.dropFirst().first { $0.hasPrefix("q=") }?.dropFirst(2)
                qualities[name == "x-gzip" ? "gzip" : name] = weight.map { Double($0) ?? 0 } ?? 1
            }
        }

        /// Gzip is asked for, and not less than nothing at all.
        var wantsGzip: Bool {
            let gzip = qualities["gzip"] ?? qualities["*"] ?? 0
            return gzip > 0 && gzip >= qualities["identity"] ?? 0
        }

        /// Even a short body is to be compressed. Where gzip is refused too the body goes out as it is: of two answers that
        /// a peer can't read it is the better one.
        var refusesIdentity: Bool { (qualities["identity"] ?? qualities["*"]) == 0 }
    }
#endif
