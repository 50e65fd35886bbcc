/// The followed tapes, within a memory limit.
struct FollowedTapes {
    /// Bytes of states and lines, over all sessions.
    private static let maxCost = 64 << 20

    private var tapes: [String: (tape: FollowedTape, cost: Int)] = [:]
    /// Stored, since summing over thousands of tapes after each line took longer than following them.
    private var cost = 0

    /// Removes and returns a tape, so that its states are changed in place.
    mutating func take(_ session: String) -> FollowedTape? {
        guard let (tape, cost) = tapes.removeValue(forKey: session) else { return nil }
        self.cost -= cost
        return tape
    }

    /// Stores a tape. Drops other tapes above the memory limit; they can be read again from the archive.
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
