/// Decides when a silent peer is pinged and dropped. Counts ticks instead of time, so that a pause of this process
/// doesn't drop peers. Pure.
struct Heartbeat: Sendable {
    enum Action {
        case none, ping, drop
    }

    /// The time between two ticks.
    let interval: Duration
    /// The number of silent ticks after which the peer is dropped.
    let maxSilence: Int

    init(pingAfter: Duration, dropAfter: Duration) {
        interval = pingAfter
        maxSilence = max(2, Int((dropAfter / pingAfter).rounded(.up)))
    }

    /// The action at the `silent`th tick in a row without data from the peer.
    func action(silent: Int) -> Action {
        silent == 0 ? .none : silent < maxSilence ? .ping : .drop
    }
}
