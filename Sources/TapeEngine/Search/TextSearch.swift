import TapeFormat

/// Finds a text in JSON, whatever the case of its letters.
package struct TextSearch: Sendable {
    /// The text, and what JSON makes of its quotes, backslashes and line breaks.
    private let spellings: [FoldedText]

    package init(_ text: String) {
        let escaped = String(decoding: JSON.string(text).bytes.dropFirst().dropLast(), as: UTF8.self)
        spellings = (escaped.hasSameUTF8(as: text) ? [text] : [text, escaped]).map(FoldedText.init)
    }

    /// - Parameter bytes: Bytes with ASCII letters in lower case.
    package func isFound(inFolded bytes: ArraySlice<UInt8>) -> Bool {
        spellings.contains { $0.isFound(inFolded: bytes) }
    }
}
