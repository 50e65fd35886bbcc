#if Server
    import Synchronization
    import TapeSockets

    /// Counts wrong tokens, and says how long each answer waits. A right token never waits, wherever it comes from.
    final class WrongTokens: Sendable {
        private let state = Mutex((pace: GuessPace(), count: 0))

        /// How many there were since the start.
        var count: Int { state.withLock { $0.count } }

        /// Counts one.
        ///
        /// - Returns: How long its answer is to wait.
        func add(peer: String) -> Duration {
            state.withLock { state in
                state.count += 1
                return state.pace.delay(PeerAddress(peer), at: .now)
            }
        }
    }

    /// How fast wrong tokens are answered, by address and in all. Pure.
    struct GuessPace {
        /// A few at once cost nothing: somebody mistypes, or a browser brings an old cookie. Then each takes its time.
        private struct Bucket {
            var free: ContinuousClock.Instant

            /// - Returns: How long this one waits.
            mutating func take(_ interval: Duration, allowance: Int, at now: ContinuousClock.Instant) -> Duration {
                let room = interval * allowance
                // It fills no further than what the longest delay answers for.
                free = min(max(free, now) + interval, now + room + GuessPace.longest)
                return max(.zero, free - now - room)
            }
        }

        /// The longest that an answer waits.
        static let longest = Duration.seconds(5)
        /// Addresses that are remembered; more are slowed down together.
        static let maxAddresses = 4_096

        private var addresses: [String: Bucket] = [:]
        private var all: Bucket?

        var remembered: Int { addresses.count }

        mutating func delay(_ address: PeerAddress, at now: ContinuousClock.Instant) -> Duration {
            if addresses.count >= Self.maxAddresses { addresses = addresses.filter { $0.value.free > now } }
            var delay = Duration.zero
            if addresses[address.group] != nil || addresses.count < Self.maxAddresses {
                // A proxy on this machine speaks for many.
                let (interval, allowance): (Duration, Int) =
                    address.isLoopback ? (.milliseconds(50), 200) : (.seconds(1), 10)
                delay = addresses[address.group, default: Bucket(free: now)].take(
                    interval, allowance: allowance, at: now)
            }
            var bucket = all ?? Bucket(free: now)
            defer { all = bucket }
            return max(delay, bucket.take(.milliseconds(20), allowance: 500, at: now))
        }
    }
#endif
