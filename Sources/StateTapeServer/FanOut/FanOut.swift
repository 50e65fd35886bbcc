#if Server
    import Synchronization
    import TapeFormat

    /// Knows which viewers watch which sessions. Everything runs on the loop's thread, after the commit in question.
    final class FanOut: Sendable {
        /// A session that viewers watch.
        private struct Watched {
            var viewers: [ObjectIdentifier: Viewer] = [:]
            /// Every event below was sent, or is one that viewers read for themselves; nil until that is known.
            var next: Int?
            /// Whether lines from `next` on are being read for the viewers, and whether there may be more of them.
            var isReading = false
            var hasMore = false

            /// - Returns: Where to read; nil if nothing is to be read now.
            mutating func read() -> Int? {
                guard hasMore, !isReading, let next else { return nil }
                (hasMore, isReading) = (false, true)
                return next
            }
        }

        private struct State {
            var viewers: [ObjectIdentifier: Viewer] = [:]
            /// The viewers that watch the list of sessions.
            var ofSessions: [ObjectIdentifier: Viewer] = [:]
            var ofSession: [String: Watched] = [:]
            /// Why the archive can't be written; nil if it can.
            var failure: String?

            mutating func remove(_ viewer: ObjectIdentifier, from session: String) {
                ofSession[session]?.viewers[viewer] = nil
                if ofSession[session]?.viewers.isEmpty == true { ofSession[session] = nil }
            }
        }

        private let state = Mutex(State())
        private let read: Read

        /// Reads lines of a session from a seq on, and calls back on the loop's thread: empty at the end, nil if they
        /// can't be read.
        typealias Read =
            @Sendable (
                _ session: String, _ seq: Int, _ then: @escaping @Sendable (ArraySlice<EventLine>?) -> Void
            ) -> Void

        init(read: @escaping Read = { _, _, then in then([]) }) {
            self.read = read
        }

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
            state.withLock { $0.ofSession[session, default: Watched()].viewers[ObjectIdentifier(viewer)] = viewer }
        }

        func unwatch(_ session: String, _ viewer: Viewer) {
            state.withLock { $0.remove(ObjectIdentifier(viewer), from: session) }
        }

        /// Viewers read the lines below `next` for themselves, as stored at some time after they began to watch.
        func began(_ session: String, at next: Int) {
            read(session) { $0.next = $0.next ?? next }
        }

        /// Sends lines of a session to its viewers, which this server has just committed.
        func publish(_ session: String, _ lines: [EventLine]) {
            guard let first = lines.first?.first, let next = lines.last.map({ $0.seq + 1 }) else { return }
            let isNext = state.withLock { state -> Bool in
                guard let watched = state.ofSession[session] else { return false }
                // Otherwise another server has committed the lines before these.
                guard !watched.isReading, watched.next ?? first == first else { return false }
                state.ofSession[session]?.next = next
                return true
            }
            if isNext { send(session, lines, next: next) } else { committed(session) }
        }

        /// Lines of the session are committed, perhaps by another server: reads those that the viewers don't have.
        func committed(_ session: String) {
            read(session) { $0.hasMore = true }
        }

        private func read(_ session: String, _ change: (inout Watched) -> Void) {
            let seq = state.withLock { state -> Int? in
                guard var watched = state.ofSession[session] else { return nil }
                change(&watched)
                defer { state.ofSession[session] = watched }
                return watched.read()
            }
            guard let seq else { return }
            read(session, seq) { [weak self] lines in self?.found(lines ?? [], of: session, from: seq) }
        }

        private func found(_ lines: ArraySlice<EventLine>, of session: String, from seq: Int) {
            let next = lines.last.map { $0.seq + 1 } ?? seq
            let isWatched = state.withLock { $0.ofSession[session]?.next == seq }
            if isWatched, next > seq { send(session, Array(lines), next: next) }
            read(session) { watched in
                watched.isReading = false
                // The session may be another one by now, or watched anew.
                if watched.next == seq { watched.next = next }
                if next > seq { watched.hasMore = true }
            }
        }

        private func send(_ session: String, _ lines: [EventLine], next: Int) {
            let viewers = state.withLock { $0.ofSession[session]?.viewers ?? [:] }.values
            guard !viewers.isEmpty else { return }
            let messages = EventMessages.make(session, lines)
            for viewer in viewers { viewer.publish(session, messages, next: next) }
        }

        /// News of other servers were missed: reads for the viewers of events, and closes those of the list, which then
        /// load it again.
        func missed() {
            let (sessions, lists) = state.withLock { (Array($0.ofSession.keys), $0.ofSessions.values) }
            for session in sessions { committed(session) }
            for viewer in lists { viewer.reload() }
        }

        /// Sends a session's summary, or its deletion if nil. A deletion also goes to viewers that only watch the
        /// session's events.
        func publish(summary: JSON?, of session: String) {
            let message = ViewerLine.session(summary ?? ["session": .string(session), "deleted": true]).bytes
            let viewers = state.withLock { state in
                guard summary == nil else { return state.ofSessions }
                // It may be uploaded again.
                state.ofSession[session]?.next = nil
                return state.ofSessions.merging(state.ofSession[session]?.viewers ?? [:]) { one, _ in one }
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
