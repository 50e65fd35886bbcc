#if Server
    import Synchronization
    import TapeFormat

    /// Knows which viewers watch which sessions. Everything runs on the loop's thread, after the commit in question.
    final class FanOut: Sendable {
        private struct State {
            var viewers: [ObjectIdentifier: Viewer] = [:]
            /// The viewers that watch the list of sessions.
            var ofSessions: [ObjectIdentifier: Viewer] = [:]
            var ofSession: [String: [ObjectIdentifier: Viewer]] = [:]
            /// Why the archive can't be written; nil if it can.
            var failure: String?

            mutating func remove(_ viewer: ObjectIdentifier, from session: String) {
                ofSession[session]?[viewer] = nil
                if ofSession[session]?.isEmpty == true { ofSession[session] = nil }
            }
        }

        private let state = Mutex(State())

        var count: Int { state.withLock { $0.viewers.count } }

        /// The subset of the sessions with a viewer that would get an update about them.
        func watched(_ sessions: Set<String>) -> Set<String> {
            state.withLock { state in
                guard state.ofSessions.isEmpty else { return sessions }
                return state.ofSession.isEmpty ? [] : sessions.filter { state.ofSession[$0] != nil }
            }
        }

        /// - Returns: Why the archive can't be written; nil if it can.
        func add(_ viewer: Viewer) -> String? {
            state.withLock { state in
                state.viewers[ObjectIdentifier(viewer)] = viewer
                return state.failure
            }
        }

        /// - Parameter sessions: The sessions that the viewer watches.
        func remove(_ viewer: Viewer, from sessions: [String]) {
            let id = ObjectIdentifier(viewer)
            state.withLock { state in
                state.viewers[id] = nil
                state.ofSessions[id] = nil
                for session in sessions { state.remove(id, from: session) }
            }
        }

        func watchSessions(_ viewer: Viewer) {
            state.withLock { $0.ofSessions[ObjectIdentifier(viewer)] = viewer }
        }

        func watch(_ session: String, _ viewer: Viewer) {
            state.withLock { $0.ofSession[session, default: [:]][ObjectIdentifier(viewer)] = viewer }
        }

        func unwatch(_ session: String, _ viewer: Viewer) {
            state.withLock { $0.remove(ObjectIdentifier(viewer), from: session) }
        }

        /// Sends committed lines of a session to its viewers.
        func publish(_ session: String, _ lines: [EventLine]) {
            let viewers = state.withLock { $0.ofSession[session] ?? [:] }.values
            guard !viewers.isEmpty, let next = lines.last.map({ $0.seq + 1 }) else { return }
            let messages = EventMessages.make(session, lines)
            for viewer in viewers { viewer.publish(session, messages, next: next) }
        }

        /// Sends a session's summary, or its deletion if nil. A deletion also goes to viewers that only watch the
        /// session's events.
        func publish(summary: JSON?, of session: String) {
            let message = ViewerLine.session(summary ?? ["session": .string(session), "deleted": true]).bytes
            let viewers = state.withLock { state in
                guard summary == nil else { return state.ofSessions }
                return state.ofSessions.merging(state.ofSession[session] ?? [:]) { one, _ in one }
            }
            for viewer in viewers.values { viewer.publish(summary: message, of: session) }
        }

        /// Sends all runs of `statetape run`.
        func publish(runs: [JSON]) {
            let viewers = state.withLock { $0.ofSessions.values }
            for viewer in viewers { viewer.send(.runs(runs)) }
        }

        /// Sends why the archive can't be written, or nil once it can.
        func publish(failure: String?) {
            let viewers = state.withLock { state in
                state.failure = failure
                return state.viewers.values
            }
            for viewer in viewers { viewer.send(.archive(error: failure)) }
        }
    }
#endif
