#if Server
    import TapeFormat

    /// A place in the state. An event touched it if its patch names it, or a place above or below it; a full state touches
    /// every place.
    struct TouchedPath: Sendable {
        /// The places that an event touched, as far as they are known.
        enum Touched {
            case everything
            /// These, and maybe others.
            case places([String], isAll: Bool)

            init(_ head: Head) {
                if head.state != nil {
                    self = .everything
                } else if head.patch != nil {
                    let rest = head.members
                    let paths = rest["paths"]?.array?.compactMap(\.string) ?? []
                    self = .places(paths, isAll: head.operations == paths.count && rest["moves"] == nil)
                } else {
                    self = .places([], isAll: true)
                }
            }

            init(_ line: EventLine) {
                if line.raw("state") != nil {
                    self = .everything
                } else {
                    let operations = line["patch"]?.array ?? []
                    self = .places(
                        operations.flatMap { [$0["path"]?.string, $0["from"]?.string].compactMap { $0 } }, isAll: true)
                }
            }
        }

        private let path: String

        /// - Throws: `FormatError` if it is no JSON pointer.
        init(_ text: String) throws {
            path = try Pointer(parsing: text).description
        }

        /// Nil if that isn't known.
        func isMet(by touched: Touched?) -> Bool? {
            switch touched {
            case .everything: true
            case .places(let paths, let isAll): paths.contains(where: isOnTheWay) ? true : isAll ? false : nil
            case nil: nil
            }
        }

        /// Whether one place is the other, or inside it.
        private func isOnTheWay(_ other: String) -> Bool {
            let (short, long) = path.utf8.count < other.utf8.count ? (path, other) : (other, path)
            guard long.utf8.starts(with: short.utf8) else { return false }
            return long.utf8.count == short.utf8.count
                || long.utf8[long.utf8.index(long.utf8.startIndex, offsetBy: short.utf8.count)] == UInt8(ascii: "/")
        }
    }
#endif
