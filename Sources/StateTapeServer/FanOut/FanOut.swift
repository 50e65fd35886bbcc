#if Server
    import Synchronization
    import TapeFormat

    /// Who watches what. Everything here is called on the loop's thread, after the commit that it tells of.
    final class FanOut: Sendable {
        private struct State {
            var viewers: [ObjectIdentifier: Viewer] = [:]
            /// Who watches the list of sessions.
            var ofSessions: [ObjectIdentifier: Viewer] = [:]
            var ofSession: [String: [ObjectIdentifier: Viewer]] = [:]

            mutating func remove(_ viewer: ObjectIdentifier, from session: String) {
                ofSession[session]?[viewer] = nil
                if ofSession[session]?.isEmpty == true { ofSession[session] = nil }
            }
        }

        private let state = Mutex(State())

        var count: Int { state.withLock { $0.viewers.count } }
        var isListWatched: Bool { state.withLock { !$0.ofSessions.isEmpty } }

        func add(_ viewer: Viewer) {
            state.withLock { $0.viewers[ObjectIdentifier(viewer)] = viewer }
        }

        func remove(_ viewer: Viewer) {
            let id = ObjectIdentifier(viewer)
            state.withLock { state in
                state.viewers[id] = nil
                state.ofSessions[id] = nil
                for session in Array(state.ofSession.keys) { state.remove(id, from: session) }
            }
        }

        func watchSessions(_ viewer: Viewer) {
            state.withLock { state in
                if state.viewers[ObjectIdentifier(viewer)] != nil {
                    state.ofSessions[ObjectIdentifier(viewer)] = viewer
                }
            }
        }

        /// - Returns: False if the viewer has gone.
        func watch(_ session: String, _ viewer: Viewer) -> Bool {
            state.withLock { state in
                guard state.viewers[ObjectIdentifier(viewer)] != nil else { return false }
                state.ofSession[session, default: [:]][ObjectIdentifier(viewer)] = viewer
                return true
            }
        }

        func unwatch(_ session: String, _ viewer: Viewer) {
            state.withLock { $0.remove(ObjectIdentifier(viewer), from: session) }
        }

        /// Committed lines of a session.
        func publish(_ session: String, _ lines: [EventLine]) {
            let viewers = state.withLock { $0.ofSession[session] ?? [:] }.values
            guard !viewers.isEmpty, let next = lines.last.map({ $0.seq + 1 }) else { return }
            let messages = EventMessages.make(session, lines)
            for viewer in viewers { viewer.publish(session, messages, next: next) }
        }

        /// A session's summary.
        func publish(summary: JSON, of session: String) {
            let message = ViewerLine.session(summary).bytes
            for viewer in state.withLock({ $0.ofSessions }).values { viewer.publish(summary: message, of: session) }
        }
    }
#endif
