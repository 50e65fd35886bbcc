/// The content codings that a request accepts (RFC 9110, 12.5.3).
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

    /// Gzip is accepted, and preferred at least as much as no compression.
    var wantsGzip: Bool {
        let gzip = qualities["gzip"] ?? qualities["*"] ?? 0
        return gzip > 0 && gzip >= qualities["identity"] ?? 0
    }

    /// Even a short body must be compressed. If gzip is refused too, the body is sent uncompressed: the client is
    /// more likely to read that.
    var refusesIdentity: Bool { (qualities["identity"] ?? qualities["*"]) == 0 }
}
