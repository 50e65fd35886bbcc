/// The part of a store's recorder that threads share, independent of the store's types.
struct StoreState {
    var isBegun = false
    /// Nothing is written any more.
    var isClosed = false
    var schedule: CaptureSchedule
    /// How many states were encoded on the dispatching thread.
    var encoded = 0
    /// About how many bytes a pending state keeps in memory beyond the previous state; a guess until one is written.
    var cost = 64 << 10
    /// The store's `StoreHandlers`.
    var handlers: AnyObject?
    /// The app's own events are not recorded.
    var isPaused = false
    /// How many pushed actions are on their way into the store. They are recorded even during a pause.
    var arriving = 0
    /// The app's own actions don't run.
    private(set) var isLocked = false
    private(set) var lock = LockKind.queue
    /// How many locks there were. An end of a lock that comes after the next lock has begun leaves that one alone.
    private(set) var locks = 0
    var held = HeldActions()
    /// A note about an unrecorded action was written.
    var isUnrecordedTold = false

    /// The flags that a recording reads when it begins. The type is not generic, because looking up a generic type is
    /// slow.
    struct Entry {
        var isBegun = false
        /// Recording has ended, and nothing needs to be encoded.
        var isClosed = false
        /// The state after the recording is to be captured.
        var isWanted = false
        var isLocked = false
        var isPaused = false
        /// So many events wait for the recorder's thread that actions are encoded on the dispatching thread, which gives
        /// their length in bytes.
        var isFull = false
    }

    mutating func lock(_ kind: LockKind) {
        isLocked = true
        lock = kind
        locks += 1
        held.lockAgain()
    }

    /// Ends a lock, unless the next one has begun.
    ///
    /// - Returns: Whether the app is unlocked.
    mutating func unlock(_ number: Int) -> Bool {
        guard number == locks else { return false }
        isLocked = false
        return true
    }

    /// Ends the lock at once.
    mutating func lift() { isLocked = false }

    /// Ends a loop's lock: actions are queued again, unless the next lock has begun.
    ///
    /// - Returns: How many actions of the app were dropped.
    mutating func endLoop(_ number: Int) -> Int {
        if number == locks { lock = .queue }
        return held.endLoop()
    }

    /// Begins a recording, if the store has begun and recording has not ended.
    mutating func enter(at now: Duration, always: Bool) -> Entry {
        if isClosed { return Entry(isBegun: true, isClosed: true, isLocked: isLocked) }
        guard isBegun else { return Entry() }
        let isWanted = schedule.begin(at: now, always: always)
        return Entry(
            isBegun: true, isWanted: isWanted, isLocked: isLocked, isPaused: isPaused, isFull: schedule.isFull)
    }

    /// Ends a recording and submits its event, which fixes the order: later recordings come after it.
    ///
    /// - Parameter isOwn: The app caused the event, not a push, so a pause leaves it out.
    mutating func leave(_ event: StoreEvent, for session: RecordingSession, isOwn: Bool = false) {
        if isPaused, isOwn {
            guard arriving > 0 else {
                event.place.map(session.pending.free)
                return schedule.leaveOut(hasState: event.hasState)
            }
            event.isPaused = true
        }
        let hasState = event.hasState
        if hasState { event.cost = max(cost, event.cost) }
        schedule.end(hasState: hasState, isFull: session.submit(event))
    }
}
