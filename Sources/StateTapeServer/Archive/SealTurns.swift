#if Server
    /// Sessions with lines that were not looked at: each comes once, in turn.
    ///
    /// What comes by itself from an app that goes on may wait for more, as a look at a line costs little more than one at
    /// none.
    struct SealTurns {
        /// So many lines wait for no more.
        static let enough = 256

        /// The next at `first`.
        private var queue: [String] = []
        private var first = 0
        private var queued: Set<String> = []
        /// How many lines those have that wait for more.
        private var gathering: [String: Int] = [:]

        var isEmpty: Bool { first == queue.count }
        var isGathering: Bool { !gathering.isEmpty }

        func contains(_ session: String) -> Bool { queued.contains(session) || gathering[session] != nil }

        mutating func add(_ session: String) {
            gathering[session] = nil
            if queued.insert(session).inserted { queue.append(session) }
        }

        /// Adds a session once it has enough lines, or with the next ``gathered()``.
        mutating func gather(_ session: String, lines: Int) {
            if queued.contains(session) { return }
            let count = gathering[session, default: 0] + lines
            if count < Self.enough { gathering[session] = count } else { add(session) }
        }

        /// Those that waited for more wait for their turn.
        mutating func gathered() {
            for session in gathering.keys { add(session) }
        }

        mutating func next() -> String? {
            guard !isEmpty else { return nil }
            let session = queue[first]
            first += 1
            queued.remove(session)
            if first > 64, first > queue.count / 2 {
                queue.removeFirst(first)
                first = 0
            }
            return session
        }
    }
#endif
