/// Decides whether an array changes so often that the recorder compares it with its own copy.
///
/// Comparing costs the dispatching thread a look at each element, changed or not. Sharing costs it a copy of the whole
/// array at each change. If the app itself keeps the previous state, as with a reducer that returns a new one, the
/// array is copied anyway and sharing costs nothing.
package struct ArrayHabit {
    /// The thresholds.
    package struct Policy {
        /// A shorter array is cheap to copy.
        var minBytes = 4_096
        /// The score that counts as often: a change adds two, a state without a change subtracts one.
        var changes = 4
        /// How many states in a row without a change, until the array is shared again.
        var maxQuiet = 8
        /// Bytes of changes that wait for the recorder's thread.
        var maxWaiting = 16 << 20
        /// How many states pass before the next try, after comparing was no use.
        var rest = 64

        package static let standard = Policy()
        /// Compares every array immediately and permanently.
        package static let always = Policy(minBytes: 0, changes: 0, maxQuiet: .max, rest: 0)
    }

    let policy: Policy
    /// The array's address at the last state: only a hint, since the array is not kept.
    private var address: UInt?
    private var changes = 0
    private var quiet = 0
    private var copies = 0
    private var rest = 0
    private var nextRest: Int
    /// The recorder shares the array, so the app's next change copies it.
    private var isFresh = false

    init(_ policy: Policy) {
        self.policy = policy
        nextRest = policy.rest
    }

    /// Counts a state whose array is shared with the app; true if the array has changed.
    mutating func share(at address: UInt) -> Bool {
        let (isFirst, isChanged) = (self.address == nil, address != self.address)
        self.address = address
        if rest > 0 {
            rest -= 1
        } else {
            changes = min(max(changes + (isChanged && !isFirst ? 2 : -1), 0), policy.changes)
        }
        return isChanged
    }

    /// Whether to start comparing an array that has just changed.
    mutating func begins(bytes: Int) -> Bool {
        guard rest == 0, changes >= policy.changes, bytes >= policy.minBytes else { return false }
        (quiet, copies, isFresh) = (0, 0, true)
        return true
    }

    /// Counts a comparison.
    ///
    /// - Returns: Whether to compare the array the next time.
    mutating func compare(at address: UInt, isChanged: Bool) -> Bool {
        let isCopy = address != self.address && !isFresh
        self.address = address
        quiet = isChanged ? 0 : quiet + 1
        copies = max(copies + (isCopy ? 2 : isChanged ? -1 : 0), 0)
        if isChanged, !isFresh, copies == 0 { nextRest = policy.rest }
        if isChanged { isFresh = false }
        guard copies <= 4 || policy.rest == 0 else {
            giveUp()
            return false
        }
        if quiet > policy.maxQuiet { changes = 0 }
        return quiet <= policy.maxQuiet
    }

    /// Stops comparing for a while, because it was no use.
    mutating func giveUp() {
        (changes, rest) = (0, nextRest)
        nextRest = min(2 * nextRest, 64 * policy.rest)
    }
}
