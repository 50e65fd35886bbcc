/// What the threads that come to a store share, whatever its types.
struct StoreState {
    var isBegun = false
    var schedule: CaptureSchedule
    /// How many states were encoded where they were dispatched.
    var encoded = 0
    /// About how many bytes a waiting state takes that the one before it doesn't; a guess until one is written.
    var cost = 64 << 10
    /// The store's `StoreHandlers`.
    var handlers: AnyObject?
    /// Nothing of the app's own is recorded.
    var isPaused = false
    /// How many pushed actions are on their way into the store: they are recorded all the same.
    var arriving = 0
    /// The app's own actions are held.
    var isLocked = false
    /// It is for a replay, at whose end what is held is dropped.
    var isReplaying = false
    var held = HeldActions()
    /// So much waits that an action is encoded where it is dispatched, for what waits to be counted in bytes.
    var isCrowded = false
    /// That an action was not recorded has been told.
    var isUnrecordedTold = false

    /// What whoever comes in finds. Not the store's own type: to look up one that is generic takes long.
    struct Entry {
        var isBegun = false
        /// The state afterwards is to be captured.
        var isWanted = false
        var isLocked = false
        var isPaused = false
        /// Much waits for the recorder's thread.
        var isCrowded = false
    }

    /// Begins a recording, if the store has begun.
    mutating func enter(at now: Duration, always: Bool) -> Entry {
        guard isBegun else { return Entry() }
        let isWanted = schedule.begin(at: now, always: always)
        return Entry(
            isBegun: true, isWanted: isWanted, isLocked: isLocked, isPaused: isPaused, isCrowded: isCrowded)
    }

    /// Ends a recording, whose event takes its place now: what is recorded after it comes after it.
    ///
    /// - Parameter isOwn: Nobody pushed it, so that a pause leaves it out.
    mutating func leave(_ sample: StoreEvent, for session: RecordingSession, isOwn: Bool = false) {
        if isPaused, isOwn {
            guard arriving > 0 else {
                sample.place.map(session.pending.free)
                return schedule.end(hasState: false, isFull: false)
            }
            sample.isPaused = true
        }
        let hasState = sample.hasState
        if hasState { sample.cost = max(cost, sample.cost) }
        isCrowded = session.submit(sample)
        schedule.end(hasState: hasState, isFull: isCrowded)
    }
}
