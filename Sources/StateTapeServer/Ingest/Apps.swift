#if Server
    import Synchronization
    import TapeFormat
    import TapeSockets

    /// The apps that are connected, by their session.
    final class Apps: Sendable {
        private struct State {
            var links: [String: AppLink] = [:]
            /// Connections of which a hello was accepted.
            var connected: Set<ObjectIdentifier> = []
            var pending: PendingLinks<ObjectIdentifier>
            var waiting: [ObjectIdentifier: AppLink] = [:]
            var claims = Claims()
            var isPaused = false
            /// Sessions that are not recorded for now, whether their app is connected or not.
            var unrecorded: Set<String> = []
        }

        private let state: Mutex<State>
        private let limit: Int

        /// - Parameters:
        ///   - limit: Apps that may be connected.
        ///   - pending: Connections that may wait with their hello.
        init(limit: Int, pending: Int) {
            self.limit = limit
            state = Mutex(State(pending: PendingLinks(limit: pending)))
        }

        /// Connections of which a hello was accepted.
        var count: Int { state.withLock { $0.connected.count } }

        var isFull: Bool { count >= limit }

        /// A connection has come, and has not said hello.
        ///
        /// - Returns: The one that gives way to it.
        func connected(_ link: AppLink, from peer: String) -> AppLink? {
            state.withLock { state in
                state.waiting[ObjectIdentifier(link)] = link
                return state.pending.enter(ObjectIdentifier(link), from: PeerAddress(peer)).flatMap {
                    state.waiting.removeValue(forKey: $0)
                }
            }
        }

        /// Its hello is good: it is an app. False if there are as many as may be.
        func accept(_ link: AppLink) -> Bool {
            state.withLock { state in
                guard state.connected.count < limit else { return false }
                let id = ObjectIdentifier(link)
                state.pending.exit(id)
                state.waiting[id] = nil
                state.connected.insert(id)
                return true
            }
        }

        func disconnected(_ link: AppLink) {
            state.withLock { state in
                let id = ObjectIdentifier(link)
                state.connected.remove(id)
                guard state.waiting.removeValue(forKey: id) != nil else { return }
                state.pending.exit(id)
            }
        }

        /// The app of a live session.
        func link(of session: String) -> AppLink? {
            state.withLock { $0.links[session] }.flatMap { $0.isLive ? $0 : nil }
        }

        /// Whether anything sends into the session: its app, or the process that found what the app left behind.
        func isConnected(_ session: String) -> Bool { state.withLock { $0.links[session] != nil } }

        /// The sessions whose app is connected. What another process left behind is sent by a link that isn't live.
        var live: Set<String> {
            Set(state.withLock { $0.links }.filter { $0.value.isLive }.keys)
        }

        /// What the app of a live session is doing.
        func status(of session: String) -> LiveApp? {
            link(of: session).map { LiveApp(recording: isRecording(session), locked: $0.isLocked, replay: $0.replay) }
        }

        func isRecording(_ session: String) -> Bool { state.withLock { !$0.unrecorded.contains(session) } }

        func setRecording(_ isRecording: Bool, _ session: String) {
            state.withLock { state in
                if isRecording { state.unrecorded.remove(session) } else { state.unrecorded.insert(session) }
            }
        }

        /// Too much waits to be committed: every app's sends back up at the app for now.
        var isPaused: Bool { state.withLock { $0.isPaused } }

        func pause(_ isPaused: Bool) {
            let links = state.withLock { state -> [AppLink] in
                guard state.isPaused != isPaused else { return [] }
                state.isPaused = isPaused
                return Array(state.links.values)
            }
            for link in links { link.updateReading() }
        }

        /// Whether a connection that said this may open its session. A recovered one may in any case: the process whose
        /// connections were counted before is dead.
        func claim(_ hello: Hello, owner: String) -> Bool {
            guard let attempt = hello.attempt, !hello.recovered else { return true }
            return state.withLock {
                $0.claims.claim(hello.header.session, key: hello.key, attempt: attempt, owner: owner)
            }
        }

        func release(_ hello: Hello, owner: String) {
            state.withLock { $0.claims.release(hello.header.session, key: hello.key, owner: owner) }
        }

        /// The session is this link's from now on; the one before is closed.
        func took(_ session: String, _ link: AppLink) {
            state.withLock { $0.links.updateValue(link, forKey: session) }?.replaced()
        }

        func lost(_ session: String, _ link: AppLink) {
            state.withLock { state in
                if state.links[session] === link { state.links[session] = nil }
            }
        }

        /// Closes the app of a session that is being deleted.
        func deleted(_ session: String) {
            setRecording(true, session)
            state.withLock { $0.links[session] }?.deleted()
        }
    }
#endif
