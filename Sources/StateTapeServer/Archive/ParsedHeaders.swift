#if Server
    import Synchronization
    import TapeFormat

    /// Headers that were parsed. A recording session is asked for after each commit, and its header seldom changes.
    final class ParsedHeaders: Sendable {
        private struct State {
            var kept: [Int64: (text: String, header: Header)] = [:]
            var bytes = 0
        }

        /// Bytes of text.
        private static let most = 8 << 20

        private let state = Mutex(State())

        /// The header that a text says; nil if it says none.
        ///
        /// - Parameter row: The archive's number of the session.
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
