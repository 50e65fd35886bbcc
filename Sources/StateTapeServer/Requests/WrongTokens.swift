import TapeFormat
import TapeSockets

/// Counts wrong tokens and computes the delay of each answer. A valid token is never delayed.
final class WrongTokens: Sendable {
    private let state = Locked((pace: GuessPace(), count: 0))

    /// The number of wrong tokens since the start.
    var count: Int { state.withLock { $0.count } }

    /// Counts one wrong token.
    ///
    /// - Returns: The delay of the answer.
    func add(peer: String) -> Duration {
        state.withLock { state in
            state.count += 1
            return state.pace.delay(PeerAddress(peer), at: .now)
        }
    }
}

/// The delays of answers to wrong tokens, per address and in total. Pure.
struct GuessPace {
    /// A few are answered at once: a user mistypes, or a browser sends an old cookie. After that, each is delayed.
    private struct Bucket {
        var free: ContinuousClock.Instant

        /// - Returns: The delay of this answer.
        mutating func take(_ interval: Duration, allowance: Int, at now: ContinuousClock.Instant) -> Duration {
            let room = interval * allowance
            // Never fuller than the longest delay can empty.
            free = min(max(free, now) + interval, now + room + GuessPace.longest)
            return max(.zero, free - now - room)
        }
    }

    /// The longest delay of an answer. A thousand connections, as many as an address may have, try 17 tokens a second.
    static let longest = Duration.seconds(60)
    /// The number of addresses to remember. All further ones share their delays.
    static let maxAddresses = 4_096

    private var addresses: [String: Bucket] = [:]
    private var all: Bucket?

    mutating func delay(_ address: PeerAddress, at now: ContinuousClock.Instant) -> Duration {
        if addresses.count >= Self.maxAddresses { addresses = addresses.filter { $0.value.free > now } }
        var delay = Duration.zero
        if addresses[address.group] != nil || addresses.count < Self.maxAddresses {
            // A local proxy connects on behalf of many clients.
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
