/// Decides which states of a store are captured, and tracks whether the tape lags behind the store.
///
/// Everything that changes the store begins and ends a recording here. So a state that was read between two recordings
/// can be told from one that may be older or newer than it seems.
struct CaptureSchedule {
    private let rate: Capture.Rate
    /// The queue was full after the last event, and no state was written since: events leave out their states.
    private(set) var isFull = false
    /// The last captured state is not written yet.
    private var isPending = false
    /// The earliest time of the next state.
    private var due = Duration.zero
    /// The earliest time of a state that nobody waits for, after one that was too long to be written.
    private var nextTry = Duration.zero
    private var running = 0
    /// The number of recordings that have ended.
    private(set) var recorded = 0
    /// The store has a state that the tape lacks.
    private(set) var isBehind = false
    /// A wait for the trailing state is scheduled.
    private var isWaiting = false

    init(_ rate: Capture.Rate) {
        self.rate = rate
    }

    /// Begins a recording.
    ///
    /// - Parameters:
    ///   - always: The event requires its state.
    ///   - insists: Somebody waits for the state, even if it may be too long.
    /// - Returns: Whether to capture its state.
    mutating func begin(at now: Duration, always: Bool = false, insists: Bool = false) -> Bool {
        running += 1
        guard insists || now >= nextTry && (always || isWanted(at: now)) else { return false }
        taken(at: now)
        return true
    }

    /// Ends a recording whose event was submitted.
    ///
    /// - Parameter isFull: The queue is full now.
    mutating func end(hasState: Bool, isFull: Bool) {
        running -= 1
        recorded &+= 1
        isBehind = !hasState
        self.isFull = isFull
    }

    /// Ends a recording whose event is left out, with its state.
    mutating func leaveOut(hasState: Bool) {
        end(hasState: false, isFull: isFull)
        // Nobody writes the state.
        if hasState { isPending = false }
    }

    /// Notes that a captured state was too long to be written: no state is captured before the given time.
    ///
    /// - Parameter isLast: It was the trailing state, which nothing has changed since.
    mutating func refuse(until time: Duration, isLast: Bool = false) {
        nextTry = time
        if !isLast { isBehind = true }
    }

    /// Makes the next state due, because the tape has no state to compare it with.
    mutating func resume() { (due, nextTry) = (.zero, .zero) }

    /// Cancels a recording that had begun.
    mutating func cancel() {
        running -= 1
        isPending = false
    }

    /// Whether no recording runs.
    var isSettled: Bool { running == 0 }

    /// Whether a state that was read after this many recordings is still current.
    func isCurrent(after recorded: Int) -> Bool { running == 0 && recorded == self.recorded }

    /// Notes that a captured state was written.
    mutating func wrote() {
        (isFull, isPending) = (false, false)
    }

    /// Notes that submitted events were dropped.
    mutating func lose() {
        wrote()
        isBehind = true
    }

    /// Handles that the app has become idle, or that the scheduled wait is over.
    ///
    /// - Returns: How long to wait until the trailing state may be captured; nil if none is needed, or if a wait is
    ///   scheduled.
    mutating func didBecomeIdle(at now: Duration, isWaitOver: Bool = false) -> Duration? {
        if isWaitOver { isWaiting = false }
        if case .never = rate { return nil }
        guard isBehind, !isWaiting else { return nil }
        let next = max(due, nextTry)
        isWaiting = now < next
        return max(next - now, .zero)
    }

    /// Whether to capture a state that was read after this many recordings as the trailing state.
    mutating func trail(after recorded: Int, at now: Duration) -> Bool {
        guard isBehind, isCurrent(after: recorded), now >= max(due, nextTry) else { return false }
        taken(at: now)
        isBehind = false
        return true
    }

    private func isWanted(at now: Duration) -> Bool {
        switch rate {
        case .every: !isFull
        case .sampled: !isPending && now >= due
        case .never: false
        }
    }

    private mutating func taken(at now: Duration) {
        guard case .sampled(let span) = rate else { return }
        isPending = true
        due = now + span
    }
}
