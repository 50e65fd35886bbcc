/// When a silent peer is pinged and dropped. Counts its own ticks, not the time, so that peers aren't dropped for the
/// time that this process stood still. Pure.
struct Heartbeat: Sendable {
    enum Action {
        case none, ping, drop
    }

    /// The time between two ticks.
    let interval: Duration
    /// Ticks without a sign of life after which the peer is dropped.
    let maxSilence: Int

    init(pingAfter: Duration, dropAfter: Duration) {
        interval = pingAfter
        maxSilence = max(2, Int((dropAfter / pingAfter).rounded(.up)))
    }

    /// What to do at a tick, the `silent`th without a sign of life.
    func action(silent: Int) -> Action {
        silent == 0 ? .none : silent < maxSilence ? .ping : .drop
    }
}
