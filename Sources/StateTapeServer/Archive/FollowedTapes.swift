#if Server
    /// The tapes that are followed, within a bound of memory.
    struct FollowedTapes {
        /// Bytes of states and lines, over all sessions.
        private static let maxCost = 64 << 20

        private var tapes: [String: (tape: FollowedTape, cost: Int)] = [:]
        /// Kept, since adding up thousands of tapes after each of their lines took more than following them.
        private var cost = 0

        /// Takes a tape out, so that its states are changed in place.
        mutating func take(_ session: String) -> FollowedTape? {
            guard let (tape, cost) = tapes.removeValue(forKey: session) else { return nil }
            self.cost -= cost
            return tape
        }

        /// Keeps a tape. Where all would take too much, others are let go of: the archive has what they know.
        mutating func keep(_ tape: FollowedTape, of session: String) {
            _ = take(session)
            let cost = tape.cost
            self.cost += cost
            tapes[session] = (tape, cost)
            while self.cost > Self.maxCost, let other = tapes.first(where: { $0.key != session }) {
                _ = take(other.key)
            }
        }
    }
#endif
