import DispatchContext
import TapeFormat
import TapeUplink

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
    /// The end of the lock was ordered. Until the queued actions are back in the store, newer ones are queued behind
    /// them.
    private(set) var isUnlocking = false
    /// The last lock whose end has started where the store's closures run.
    private var started = 0
    /// Whether queued actions are on their way back into the store now.
    var isDispatchingQueue: Bool { isUnlocking && started == locks }
    /// The store's own state was put back, and a store that can't be asked for it may do that later. An action that comes
    /// before it would be lost.
    var isSettling = false
    /// A queued action was recorded on the thread that dispatched it.
    var isInPlace = false
    /// A note says that actions may be out of their order.
    var isOrderTold = false
    /// How many locks there were. An end of a lock that comes after the next lock has begun leaves that one alone.
    private(set) var locks = 0
    var held = HeldActions()
    /// To run once no recording runs.
    private var waiting: [(isolated RecordingSession) -> Void] = []
    /// A note about an unrecorded action was written.
    var isUnrecordedTold = false
    /// The places of values that could not be encoded, of which notes were written.
    var unencodable: Set<String> = []

    init(schedule: CaptureSchedule) {
        self.schedule = schedule
    }

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
        /// The recording has recorded the initial state, too.
        var isFirst = false
        /// Whether the recorder has encoded nothing so far.
        var isShort: Bool { !isFull && !isFirst && !isLocked }
    }

    mutating func lock(_ kind: LockKind) {
        isLocked = true
        (isUnlocking, isSettling) = (false, false)
        lock = kind
        locks += 1
        held.lockAgain()
    }

    /// Whether actions that are reduced now are replayed ones, whose effects must not start.
    var isReplaying: Bool { isLocked && lock != .queue }

    /// Handles that the end of the lock was ordered.
    ///
    /// - Returns: The number of the lock.
    mutating func beginUnlocking() -> Int {
        isUnlocking = true
        held.end()
        return locks
    }

    /// Handles that the end of a lock was ordered, and that the store's closures may run.
    ///
    /// - Returns: How many actions were dropped, which came during a replay.
    mutating func startUnlocking(_ number: Int) -> Int {
        started = max(started, number)
        guard number == locks else { return 0 }
        // No action is replayed from here on.
        lock = .queue
        return held.takeDropped()
    }

    /// Ends a lock whose queue is discarded.
    ///
    /// - Returns: How many actions were dropped, and whether the app is unlocked.
    mutating func discard(_ number: Int, always: Bool) -> (dropped: [(QueuedID?) -> Void], isUnlocked: Bool) {
        let isUnlocked = number == locks
        if isUnlocked { (isLocked, isUnlocking) = (false, false) }
        return (isUnlocked || always ? held.take() : [], isUnlocked)
    }

    /// Unlocks an app whose closures don't run: one of them has not returned.
    ///
    /// - Returns: Whether the app is unlocked by this.
    mutating func giveUpWaiting(for number: Int) -> Bool {
        guard isLocked, isUnlocking, number == locks, started < number else { return false }
        isLocked = false
        return true
    }

    /// The step that ends a lock.
    enum Unlocking {
        /// The next lock has begun, and the queued actions wait for its end; or one of them is on its way.
        case nothing
        case dispatch(HeldActions.Held)
        /// The store may not have its own state yet. It has it when a queued action is back, or after a while.
        case settle
        /// The app is unlocked. The rest of the queue is dispatched in one go: nothing keeps newer actions back.
        case unlocked(rest: [(QueuedID?) -> Void])
    }

    /// The next step in the end of a lock. The app is unlocked once no queued action is left.
    mutating func unlock(_ number: Int) -> Unlocking {
        guard isUnlocking, number == locks, !(isLocked && held.isAwaiting) else { return .nothing }
        if isLocked, let next = held.takeNext() { return .dispatch(next) }
        if isLocked, isSettling { return .settle }
        (isLocked, isUnlocking) = (false, false)
        return .unlocked(rest: held.take())
    }

    /// Ends a lock whose queue can't be dispatched in order, since an action does not come back.
    ///
    /// - Parameter isAction: False if it may be a thunk, so that none has to come back.
    /// - Returns: The action's type; nil if it is back, or if the next lock has begun.
    mutating func giveUp(on action: Int, _ number: Int, isAction: Bool) -> String? {
        guard isUnlocking, number == locks, let type = held.missing(action) else { return nil }
        if isAction { isLocked = false } else { held.expectNone() }
        return type
    }

    /// Ends a recording that was begun for an action which is not reduced.
    mutating func cancel(from session: RecordingSession) {
        schedule.cancel()
        settle(session)
    }

    /// Ends the lock at once, whatever is queued.
    mutating func lift() { isLocked = false }

    /// Ends a loop's lock: actions are queued again, unless the next lock has begun.
    ///
    /// - Returns: How many actions of the app were dropped.
    mutating func endLoop(_ number: Int) -> Int {
        if number == locks { lock = .queue }
        return held.endLoop()
    }

    /// What becomes of an action while the app is locked.
    enum Admission {
        /// It is a replayed one.
        case replayed
        /// It is a queued one that was dispatched again, or comes in its place.
        case returned
        /// It was dispatched again before the app was locked again, and is back in its place in the queue.
        case heldAgain
        /// It is a new one of the app.
        case new
    }

    /// - Parameters:
    ///   - queued: The number of the queued action that its origin names.
    ///   - isInDispatch: Whether it comes on the thread that dispatches a queued action.
    mutating func admission(of record: JSON?, queued: Int?, isInDispatch: Bool) -> Admission {
        if held.passes(record) { return .replayed }
        switch held.arrived(record, queued: queued) {
        case true where isUnlocking: return .returned
        case true:
            held.holdReturning()
            return .heldAgain
        // A middleware has changed it, or dispatches other actions before it.
        case false where isUnlocking && isInDispatch && held.isAwaiting: return .returned
        case false: return .new
        }
    }

    /// Begins a recording, if the store has begun and recording has not ended.
    mutating func enter(at now: Duration, always: Bool, insists: Bool) -> Entry {
        if isClosed { return Entry(isBegun: true, isClosed: true, isLocked: isLocked) }
        guard isBegun else { return Entry() }
        let isWanted = schedule.begin(at: now, always: always, insists: insists)
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
                schedule.leaveOut(hasState: event.hasState)
                return settle(session)
            }
            event.isPaused = true
        }
        let hasState = event.hasState
        if hasState { event.cost = max(cost, event.cost) }
        schedule.end(hasState: hasState, isFull: session.submit(event))
        settle(session)
    }

    /// Runs a body on the recorder's thread once no recording runs and all events before are written.
    mutating func whenSettled(_ session: RecordingSession, _ body: @escaping (isolated RecordingSession) -> Void) {
        waiting.append(body)
        settle(session)
    }

    private mutating func settle(_ session: RecordingSession) {
        guard !waiting.isEmpty, schedule.isSettled else { return }
        for body in waiting { session.submit(Job(body)) }
        waiting = []
    }
}

// Not generic: what is called from generic code with a closure is not specialised, which takes as long as the lock.
extension Locked where Value == StoreState {
    /// Begins a recording, if the store has begun and recording has not ended.
    func enter(at now: Duration, always: Bool, insists: Bool) -> StoreState.Entry {
        withLock { $0.enter(at: now, always: always, insists: insists) }
    }

    /// Ends a recording and submits its event to the recorder's thread.
    func leave(_ event: StoreEvent, for session: RecordingSession, isOwn: Bool) {
        withLockUnchecked { $0.leave(event, for: session, isOwn: isOwn) }
    }
}
