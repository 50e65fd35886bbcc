import TapeFormat

/// The last long texts in which nothing is redacted: after a change, only the lines that it touches are searched.
///
/// A name and the first byte of its secret are in one line, so a text can gain a secret only there.
struct CleanTexts {
    /// A shorter one is searched sooner than looked up.
    private static let shortest = 256
    private static let most = 4

    private struct Text {
        /// Keeps the bytes where they are.
        let text: String
        let place: UnsafePointer<UInt8>?
    }

    private var texts: [Text] = []

    /// Whether nothing is redacted in either of two texts.
    ///
    /// - Parameter change: What the new one has in place of a part of the old one.
    mutating func areClean(_ old: inout String, _ new: inout String, _ change: Splice, _ redactor: Redactor) -> Bool {
        let known = take(&old)
        guard known || redactor.redacted(old) == nil else { return false }
        let isClean = new.withUTF8 { !redactor.hasSecret($0, near: change.inserted) }
        if isClean { keep(&new) }
        return isClean
    }

    mutating func forget() { texts = [] }

    private mutating func take(_ text: inout String) -> Bool {
        guard text.utf8.count >= Self.shortest else { return false }
        let place = text.withUTF8 { $0.baseAddress }
        let index = texts.firstIndex { $0.place == place && $0.text.utf8.count == text.utf8.count }
        return index.map { texts.remove(at: $0) } != nil
    }

    private mutating func keep(_ text: inout String) {
        guard text.utf8.count >= Self.shortest else { return }
        if texts.count == Self.most { texts.removeFirst() }
        let place = text.withUTF8 { $0.baseAddress }
        texts.append(Text(text: text, place: place))
    }
}

extension Redactor {
    /// Whether a text in which nothing was redacted has a secret now.
    ///
    /// - Parameter change: The bytes that are new.
    fileprivate func hasSecret(_ text: UnsafeBufferPointer<UInt8>, near change: Range<Int>) -> Bool {
        // A JSON document is read as a whole.
        if startsDocument(text) { return redacted(String(decoding: text, as: UTF8.self)) != nil }
        let newline = UInt8(ascii: "\n")
        let start = text[..<change.lowerBound].lastIndex(of: newline).map { $0 + 1 } ?? 0
        let end = text[change.upperBound...].firstIndex(of: newline).map { $0 + 1 } ?? text.count
        return !secrets(in: UnsafeBufferPointer(rebasing: text[start..<end])).ranges.isEmpty
    }
}
