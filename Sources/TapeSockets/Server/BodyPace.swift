#if Server
    /// Whether a body comes fast enough. Pure.
    struct BodyPace {
        private var count = 0
        private var wasPaused = false

        mutating func take(_ bytes: Int) { count += bytes }

        /// Judges the time since the last call.
        ///
        /// - Parameters:
        ///   - least: Bytes that had to come.
        ///   - isPaused: Nothing is read at the moment; neither this time nor the next is the peer's fault then.
        mutating func isFast(atLeast least: Double, isPaused: Bool) -> Bool {
            defer {
                count = 0
                wasPaused = isPaused
            }
            return isPaused || wasPaused || Double(count) >= least
        }
    }
#endif
