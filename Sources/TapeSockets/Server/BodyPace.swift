/// Checks whether a request body arrives fast enough. Pure.
struct BodyPace {
    private var count = 0
    private var wasPaused = false

    mutating func take(_ bytes: Int) { count += bytes }

    /// Checks the bytes since the last call.
    ///
    /// - Parameters:
    ///   - least: The fewest bytes that must have arrived.
    ///   - isPaused: Reading is paused now. Then this period and the next one don't count against the peer.
    mutating func isFast(atLeast least: Double, isPaused: Bool) -> Bool {
        defer {
            count = 0
            wasPaused = isPaused
        }
        return isPaused || wasPaused || Double(count) >= least
    }
}
