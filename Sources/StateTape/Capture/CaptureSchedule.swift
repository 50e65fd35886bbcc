/// Which states of a store are asked for, and whether the tape lags behind the store.
///
/// Everything that changes the store begins and ends here, so that a state that was read between two recordings can be
/// told from one that may be older or newer than it seems.
struct CaptureSchedule {
    private let rate: Capture.Rate
    /// The recorder's thread takes another state.
    private var isAsked = true
    /// No state is taken before.
    private var due = Duration.zero
    private var running = 0
    /// Recordings that have ended.
    private(set) var recorded = 0
    /// The store has a state that the tape doesn't.
    private var isBehind = false
    /// Somebody comes back when a trailing state may be taken.
    private var isWaiting = false

    init(_ rate: Capture.Rate) {
        self.rate = rate
    }

    /// A recording begins.
    ///
    /// - Parameter always: The event can't do without its state.
    /// - Returns: Whether its state is to be captured.
    mutating func begin(at now: Duration, always: Bool = false) -> Bool {
        running += 1
        guard always || isWanted(at: now) else { return false }
        taken(at: now)
        return true
    }

    /// A recording has ended, and its event has been left.
    ///
    /// - Parameter isFull: What waits for the recorder's thread is enough until this state is written.
    mutating func end(hasState: Bool, isFull: Bool) {
        running -= 1
        recorded &+= 1
        isBehind = !hasState
        if hasState, isFull { isAsked = false }
    }

    /// A recording that had begun does not take place.
    mutating func cancel() {
        running -= 1
        isAsked = true
    }

    /// Whether a state that was read after so many recordings is still the store's.
    func isCurrent(after recorded: Int) -> Bool { running == 0 && recorded == self.recorded }

    /// A state has been written.
    mutating func ask() {
        isAsked = true
    }

    /// Events that were left have been dropped.
    mutating func lose() {
        isAsked = true
        isBehind = true
    }

    /// Nothing has been recorded for a while, or the wait is over that was asked for.
    ///
    /// - Returns: How long it is until a trailing state may be taken; nil if there is no need, or a wait already.
    mutating func didBecomeIdle(at now: Duration, isWaitOver: Bool = false) -> Duration? {
        if isWaitOver { isWaiting = false }
        if case .never = rate { return nil }
        guard isBehind, !isWaiting else { return nil }
        isWaiting = now < due
        return max(due - now, .zero)
    }

    /// Whether a state that was read after so many recordings is the one after the last of them, and may be taken.
    mutating func trail(after recorded: Int, at now: Duration) -> Bool {
        guard isBehind, isCurrent(after: recorded), now >= due else { return false }
        taken(at: now)
        isBehind = false
        return true
    }

    private func isWanted(at now: Duration) -> Bool {
        switch rate {
        case .every: isAsked
        case .sampled: isAsked && now >= due
        case .never: false
        }
    }

    private mutating func taken(at now: Duration) {
        guard case .sampled(let span) = rate else { return }
        isAsked = false
        due = now + span
    }
}
