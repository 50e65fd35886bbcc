/// A pattern for names of types or stores: `*` matches any text, and the case of ASCII letters is ignored.
package struct NamePattern: Sendable {
    /// The number of compared bytes of a name. The time grows with the length of the name times that of the pattern.
    private static let maxName = 4 << 10

    private let pattern: [UInt8]
    private let endsAtSlash: Bool

    /// - Parameter endsAtSlash: Whether a match may end before a slash: `todos` also matches `todos/add`.
    package init(_ text: String, endsAtSlash: Bool = false) {
        pattern = text.utf8.map(UInt8.init(lower:))
        self.endsAtSlash = endsAtSlash
    }

    package func matches(_ name: String) -> Bool {
        var name = name
        return name.withUTF8 { matches(UnsafeBufferPointer(rebasing: $0.prefix(Self.maxName))) }
    }

    /// Matches greedily. Backtracking to the last star is enough to find a match.
    private func matches(_ name: UnsafeBufferPointer<UInt8>) -> Bool {
        var (at, place) = (0, 0)
        var star: (after: Int, place: Int)?
        while true {
            if at == pattern.count, place == name.count || endsAtSlash && name[place] == UInt8(ascii: "/") {
                return true
            }
            if at < pattern.count, pattern[at] == UInt8(ascii: "*") {
                at += 1
                star = (at, place)
            } else if at < pattern.count, place < name.count, pattern[at] == UInt8(lower: name[place]) {
                at += 1
                place += 1
            } else if let last = star, last.place < name.count {
                star = (last.after, last.place + 1)
                (at, place) = (last.after, last.place + 1)
            } else {
                return false
            }
        }
    }
}
