/// The executions of one key of a ``SequenceRule``, and those that wait for earlier ones. It is a state machine: it
/// returns what waits no longer, and each call takes the same time for any number of executions.
struct Line<Waiter> {
    /// The numbers of those that later ones wait for, ascending; some have left.
    private var members: ArraySlice<Int> = []
    private var present: Set<Int> = []
    /// Those that have left but not ended, with the last number that waits for them.
    private var leaving: [Int: Int] = [:]
    private var waiters: ArraySlice<(number: Int, waiter: Waiter)> = []

    var isEmpty: Bool { present.isEmpty && leaving.isEmpty && waiters.isEmpty }

    /// Whether an execution that begins now waits.
    var hasMembers: Bool { !present.isEmpty }

    mutating func add(_ number: Int) {
        members.append(number)
        present.insert(number)
    }

    mutating func add(_ waiter: Waiter, _ number: Int) {
        waiters.append((number, waiter))
    }

    /// Later executions no longer wait for this one, but those up to a number do until it has ended.
    mutating func leave(_ number: Int, upTo last: Int) {
        if present.remove(number) != nil { leaving[number] = last }
    }

    /// - Returns: Those that wait for no member any more.
    mutating func end(_ number: Int) -> [Waiter] {
        present.remove(number)
        leaving[number] = nil
        while let first = members.first, !present.contains(first) { members.removeFirst() }
        var released: [Waiter] = []
        while let waiter = waiters.first, members.first.map({ waiter.number <= $0 }) ?? true {
            released.append(waiter.waiter)
            waiters.removeFirst()
        }
        return released
    }

    /// Those that have left, and for which an execution still waits.
    func leaving(before number: Int) -> [Int] {
        leaving.filter { $0.key < number && number <= $0.value }.map(\.key)
    }
}

/// Identifies a line: the rule's index, and the key.
// Unchecked: AnyHashable isn't Sendable, but the key in it is.
struct LineKey: Hashable, @unchecked Sendable {
    let rule: Int
    let key: AnyHashable
}
