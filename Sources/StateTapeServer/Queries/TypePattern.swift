#if Server
    /// Which types of action are meant: a path down to a slash, where `*` stands for any text. `todos` means `todos/add`
    /// too, `*/add` any `add`.
    struct TypePattern: Sendable {
        /// Of a longer type only so many bytes count: the work is in proportion to them times the pattern.
        private static let maxType = 4 << 10

        private let pattern: [UInt8]

        init(_ text: String) {
            pattern = Array(text.utf8)
        }

        func matches(_ type: String) -> Bool {
            var type = type
            return type.withUTF8 { matches(UnsafeBufferPointer(rebasing: $0.prefix(Self.maxType))) }
        }

        /// Goes on greedily, and back to the last star only: that finds a match if there is one.
        private func matches(_ type: UnsafeBufferPointer<UInt8>) -> Bool {
            var (at, place) = (0, 0)
            var star: (after: Int, place: Int)?
            while true {
                if at == pattern.count, place == type.count || type[place] == UInt8(ascii: "/") { return true }
                if at < pattern.count, pattern[at] == UInt8(ascii: "*") {
                    at += 1
                    star = (at, place)
                } else if at < pattern.count, place < type.count, pattern[at] == type[place] {
                    at += 1
                    place += 1
                } else if let last = star, last.place < type.count {
                    star = (last.after, last.place + 1)
                    (at, place) = (last.after, last.place + 1)
                } else {
                    return false
                }
            }
        }
    }
#endif
