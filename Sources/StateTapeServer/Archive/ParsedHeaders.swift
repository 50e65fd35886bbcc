#if Server
    import TapeFormat

    /// A cache of parsed headers. A recording session is read after each commit, and its header seldom changes.
    final class ParsedHeaders: Sendable {
        private struct State {
            var kept: [Int64: (text: String, header: Header)] = [:]
            var bytes = 0
        }

        /// The limit in bytes of text.
        private static let most = 8 << 20

        private let state = Locked(State())

        /// Parses a header; nil if the text isn't one.
        ///
        /// - Parameter row: The session's row number in the archive.
        func header(of row: Int64, _ text: String) -> Header? {
            if let kept = state.withLock({ $0.kept[row] }), kept.text == text { return kept.header }
            guard let header = (try? JSON(parsing: text)).flatMap({ try? Header($0) }) else { return nil }
            state.withLock { state in
                state.bytes += text.utf8.count - (state.kept[row]?.text.utf8.count ?? 0)
                state.kept[row] = (text, header)
                if state.bytes > Self.most { state = State() }
            }
            return header
        }
    }
#endif
