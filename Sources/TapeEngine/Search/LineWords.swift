import TapeFormat

/// The stretches of a line in which words are looked for: what the event says, without the format's own names and
/// figures. A word such as `patch` would else be in every line.
package struct LineWords {
    private let text: CheckedText
    private let count: Int

    /// Whether any stretch of a line, which was checked, is wanted.
    ///
    /// - Parameter isWanted: Called with places in the line, from 0 on.
    static func contain(in line: ArraySlice<UInt8>, where isWanted: (Range<Int>) -> Bool) -> Bool {
        line.withUnsafeBufferPointer { bytes in
            LineWords(text: CheckedText(bytes), count: bytes.count).contain(where: isWanted)
        }
    }

    private func contain(where isWanted: (Range<Int>) -> Bool) -> Bool {
        return text.contains(memberOf: 0..<count) { key, value in
            if Self.figures.contains(where: { text.isSame(key, as: $0) }) { return false }
            // Of most events, and no row says it.
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

    /// The numbers that every event has: each short one would be in most of them.
    private static let figures: [StaticString] = ["seq", "at", "took", "dispatch", "count"]
}
