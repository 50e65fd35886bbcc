import Foundation

extension String {
    /// The text as the beginning of a file's name, readable in any script: letters, digits, emoji and underscores stay.
    ///
    /// - Parameters:
    ///   - separator: In place of other characters, which may mean something in a path, a shell or a terminal.
    ///   - merges: Whether several such characters in a row get one separator, and none at the ends; without, hyphens stay.
    package func fileName(separator: Character, merges: Bool) -> String {
        // Some file systems compare names in this form.
        let text = precomposedStringWithCanonicalMapping
        let safe =
            merges
            ? text.split { !$0.isSafeInFileName }.joined(separator: String(separator))
            : String(text.map { $0.isSafeInFileName || $0 == "-" ? $0 : separator })
        // A name has 255 bytes at most; an ending and a session's id follow.
        var (name, bytes) = ("", 0)
        for character in safe.prefix(100) {
            bytes += String(character).utf8.count
            if bytes > 180 { break }
            name.append(character)
        }
        // Windows, where a job's files may be unpacked, has devices of these names.
        let isDevice = name.wholeMatch(of: /(?i)(con|prn|aux|nul|(com|lpt)[0-9¹²³])/) != nil
        return isDevice ? name + String(separator) : name
    }
}

extension Character {
    /// Marks belong to their letter; invisible characters only to an emoji, which some of them join.
    fileprivate var isSafeInFileName: Bool {
        guard let first = unicodeScalars.first else { return false }
        if self == "_" { return true }
        let isEmoji = first.properties.isEmoji && !first.isASCII
        let hasInvisible = unicodeScalars.contains { scalar in
            scalar.properties.generalCategory == .format || scalar.properties.generalCategory == .control
        }
        return isEmoji || (isLetter || isNumber) && !hasInvisible
    }
}
