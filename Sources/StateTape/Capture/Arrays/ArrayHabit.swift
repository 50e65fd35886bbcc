/// Whether an array changes so often that the recorder compares it with elements of its own.
///
/// To compare costs the dispatching thread a look at each element, changed or not; to share costs it a copy of the whole
/// array at each change. Where the app itself keeps the state before, as a store whose reducer returns a new one, the array
/// is copied anyhow and sharing costs nothing.
struct ArrayHabit {
    /// What counts as often.
    struct Policy {
        /// A shorter array is copied in no time.
        var minBytes = 4_096
        /// Of late, each change counting for two and each state without one against it.
        var changes = 4
        /// States without a change, one after the other, until the array is shared again.
        var maxQuiet = 8
        /// Changes that wait for the recorder's thread.
        var maxWaiting = 16 << 20
        /// How many states pass before another try, where a try has shown that it is no use.
        var rest = 64

        /// Every array at once and for ever.
        static let always = Policy(minBytes: 0, changes: 0, maxQuiet: .max, rest: 0)
    }

    let policy: Policy
    /// Where the array was at the last state: not kept, a hint and no more.
    private var address: UInt?
    private var changes = 0
    private var quiet = 0
    private var copies = 0
    private var rest = 0
    private var nextRest: Int
    /// The app's next change copies the array, which we share.
    private var isFresh = false

    init(_ policy: Policy) {
        self.policy = policy
        nextRest = policy.rest
    }

    /// The array is shared with the app. True if it has changed.
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

    /// Whether an array that has just changed is to be compared from now on.
    mutating func begins(bytes: Int) -> Bool {
        guard rest == 0, changes >= policy.changes, bytes >= policy.minBytes else { return false }
        (quiet, copies, isFresh) = (0, 0, true)
        return true
    }

    /// The array was compared.
    ///
    /// - Returns: Whether it is the next time.
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

    /// To compare is no use.
    mutating func giveUp() {
        (changes, rest) = (0, nextRest)
        nextRest = min(2 * nextRest, 64 * policy.rest)
    }
}
