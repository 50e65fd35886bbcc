package import TapeFormat

/// A cache of parsed headers. A recording session is read after each commit, and its header seldom changes.
package final class ParsedHeaders: Sendable {
    private struct State {
        var kept: [Int64: (text: [UInt8], header: Header)] = [:]
        var bytes = 0
    }

    /// The limit in bytes of text.
    private static let most = 8 << 20

    private let state = Locked(State())

    package init() {}

    /// Parses a header; nil if the text isn't one, or isn't valid UTF-8.
    ///
    /// - Parameter row: The session's row number in the archive.
    package func header(of row: Int64, _ text: [UInt8]) -> Header? {
        if let kept = state.withLock({ $0.kept[row] }), kept.text == text { return kept.header }
        guard let header = (try? Header(stored: text)) else { return nil }
        state.withLock { state in
            state.bytes += text.count - (state.kept[row]?.text.count ?? 0)
            state.kept[row] = (text, header)
            if state.bytes > Self.most { state = State() }
        }
        return header
    }
}

extension Header {
    /// A header as an archive stores it.
    ///
    /// - Throws: `FormatError` if it is damaged.
    package init(stored bytes: [UInt8]) throws(FormatError) {
        // The database's own conversion would replace invalid bytes.
        guard let text = String(validating: bytes, as: UTF8.self) else {
            throw FormatError("the header is not text")
        }
        try self.init(JSON(parsing: text))
    }
}
