/// What the threads that come to a store share, whatever its types.
struct StoreGate {
    var isBegun = false
    var demand: Demand
    /// How many states were encoded where they were dispatched.
    var encoded = 0
    /// About how many bytes a waiting state takes that the one before it doesn't; a guess until one is written.
    var cost = 64 << 10
    /// The store's `Seat`.
    var seat: AnyObject?

    /// Ends a recording, whose event takes its place now: what is recorded after it comes after it.
    mutating func leave(_ sample: StoreSample, for session: Session) {
        let hasState = sample.hasState
        if hasState { sample.cost = cost }
        demand.end(hasState: hasState, isFull: session.submit(sample))
    }
}
