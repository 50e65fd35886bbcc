import TapeFormat

/// The searchable parts of a line, without the format's own names and numbers. Otherwise a word such as `patch` would
/// match every line.
package struct LineWords {
    private let text: CheckedText
    private let count: Int

    /// Whether any searchable part of a checked line matches.
    ///
    /// - Parameter isWanted: Called with ranges in the line, from 0 on.
    static func contain(in line: ArraySlice<UInt8>, where isWanted: (Range<Int>) -> Bool) -> Bool {
        line.withUnsafeBufferPointer { bytes in
            LineWords(text: CheckedText(bytes), count: bytes.count).contain(where: isWanted)
        }
    }

    private func contain(where isWanted: (Range<Int>) -> Bool) -> Bool {
        return text.contains(memberOf: 0..<count) { key, value in
            if Self.figures.contains(where: { text.isSame(key, as: $0) }) { return false }
            // Most events name an earlier one's call stack.
            if text.isSame(key, as: "stack") { return false }
            // Most events have this member, and the page doesn't show it.
            if text.isSame(key, as: "event"), text.isSame(value, as: "\"action\"") { return false }
            if text.isSame(key, as: "action") {
                return text.contains(memberOf: value) { isWanted($1) }
            }
            guard text.isSame(key, as: "patch") else { return isWanted(value) }
            return text.contains(elementOf: value) { operation in
                text.contains(memberOf: operation) { !text.isSame($0, as: "op") && isWanted($1) }
            }
        }
    }

    /// Members with numbers: a search for a short number would match most events.
    private static let figures: [StaticString] = ["seq", "at", "took", "dispatch", "count"]
}
