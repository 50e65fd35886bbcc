package import TapeFormat

/// A pattern of places in a value: a JSON pointer in which `*` stands for one name or index, and `**` for any number.
package struct PathPattern: Sendable {
    private let parts: [String]

    /// - Throws: If the text is no pointer.
    package init(_ text: String) throws(FormatError) {
        parts = try Pointer(parsing: text).tokens
    }

    /// Whether the pattern is the place that these names lead to.
    package func matches(_ place: [String]) -> Bool {
        Self.matches(parts[...], place[...])
    }

    private static func matches(_ parts: ArraySlice<String>, _ place: ArraySlice<String>) -> Bool {
        guard let part = parts.first else { return place.isEmpty }
        if part == "**" {
            return (0...place.count).contains { matches(parts.dropFirst(), place.dropFirst($0)) }
        }
        guard let name = place.first, part == "*" || part == name else { return false }
        return matches(parts.dropFirst(), place.dropFirst())
    }
}
