import DispatchContext
import Foundation
import TapeFormat
import TapeUplink

/// The queued actions of a locked app, until they are dispatched again.
struct HeldActions {
    /// No user taps that often. Past it the lock ends, because dropping actions would break the app.
    static let limit = 1_000
    /// Past it the lock ends at once, since the app's loop may wait for that and keep the store's isolation busy.
    static let maxCount = 100_000

    /// The outcome for an action.
    enum Outcome {
        case held
        /// It is queued, and the lock must end for this reason. Until the store is unlocked, later actions are queued
        /// too: they must not overtake the others, nor run on a state that is only looked at.
        case heldLast(String)
        case dropped
        /// The lock is lifted for this reason: this action and all queued ones are reduced, except the copies in
        /// `same`, which leave the queue.
        case lifted(String, same: [(QueuedID?) -> Void])
    }

    /// A queued action.
    struct Held {
        let number: Int
        let record: JSON?
        let dispatch: (QueuedID?) -> Void
    }

    /// A queued action that was dispatched again.
    private struct Returning {
        let held: Held
        /// The store has recorded it, or the dispatch has returned and is known to have brought no action.
        var isBack = false
        var hasReturned = false
    }

    /// A slice, of which the first one is taken in no time.
    private var waiting: ArraySlice<Held> = []
    private var next = 0
    private var returning: Returning?
    private var echoes = Echoes()
    /// Actions of the running replay, which are not queued.
    private var passing: [(record: JSON, passage: Passage)] = []
    private var dropped = 0
    /// The end of the lock was requested.
    private var isEnding = false

    /// How many actions wait.
    var count: Int { waiting.count }

    /// Whether an action is a replayed one. Each replayed action passes once.
    mutating func passes(_ record: JSON?) -> Bool {
        guard let record, let index = passing.firstIndex(where: { $0.record == record }) else { return false }
        passing.remove(at: index).passage.passed()
        return true
    }

    mutating func letPass(_ record: JSON, _ passage: Passage) {
        passing.append((record, passage))
    }

    /// Expects no replayed action any more.
    mutating func endReplay() {
        for (_, passage) in passing { passage.passed() }
        passing = []
    }

    /// Queues an action.
    ///
    /// - Parameters:
    ///   - record: Its type and payload; nil if they can't be encoded.
    mutating func hold(_ record: JSON?, _ kind: LockKind, _ dispatch: @escaping (QueuedID?) -> Void) -> Outcome {
        next += 1
        if let again = echoes.add(next, record) {
            // The subscriber dispatched each because the one before it changed nothing; only this one is reduced.
            let same = waiting.filter { again.contains($0.number) }.map(\.dispatch)
            waiting.removeAll { again.contains($0.number) }
            let type = record?["type"]?.string ?? "?"
            return .lifted("a subscriber dispatches “\(type)” again whenever it is queued", same: same)
        }
        let isOver = waiting.count >= Self.limit
        guard kind == .queue || !isOver && kind != .loop else {
            dropped += 1
            return .dropped
        }
        let reason = "\(Self.limit) actions wait"
        if waiting.count >= Self.maxCount {
            return .lifted("\(Self.maxCount) actions wait, and newer ones run before them now", same: [])
        }
        waiting.append(Held(number: next, record: record, dispatch: dispatch))
        guard isOver, !isEnding else { return .held }
        isEnding = true
        return .heldLast(reason)
    }

    /// Handles that the next lock has begun, before the last one's end had run the queue.
    mutating func lockAgain() { isEnding = false }

    // MARK: Dispatching the queue

    /// Handles that the lock ends, and that the queue is dispatched.
    mutating func end() { isEnding = true }

    /// Takes the next action to dispatch; nil if none waits.
    mutating func takeNext() -> Held? {
        guard let held = waiting.first else { return nil }
        // A slice keeps what is taken from it.
        waiting[waiting.startIndex] = Held(number: held.number, record: nil) { _ in }
        waiting.removeFirst()
        returning = Returning(held: held)
        return held
    }

    /// The action that was dispatched again last.
    var last: Held? { returning?.held }

    /// Whether an action that was dispatched again has not come back yet.
    var isAwaiting: Bool { returning.map { !$0.isBack } ?? false }

    /// Handles an action that the store is about to reduce.
    ///
    /// - Parameter queued: The queued action that its origin names. If it names none, an equal action is taken for the
    ///   one that was dispatched again: the state is the same.
    /// - Returns: Whether it is the one that was dispatched again.
    mutating func arrived(_ record: JSON?, queued: Int?) -> Bool {
        guard let held = returning?.held, isAwaiting,
            queued.map({ $0 == held.number }) ?? (held.record == record)
        else { return false }
        returning?.isBack = true
        return true
    }

    /// Whether the next action is to be dispatched: the last one is back, and its dispatch has returned.
    var isNextDue: Bool { returning.map { $0.isBack && $0.hasReturned } ?? false }

    /// Handles that the dispatch of an action has returned.
    ///
    /// - Parameter isInPlace: Whether the store reduces on the thread that dispatches.
    /// - Returns: Whether the next one is due.
    mutating func returned(_ number: Int, isInPlace: Bool) -> Bool {
        guard returning?.held.number == number else { return false }
        returning?.hasReturned = true
        if isInPlace { returning?.isBack = true }
        return isNextDue
    }

    /// Puts the action that was dispatched again back to the front, because the app was locked before it came.
    mutating func holdReturning() {
        guard let held = returning?.held else { return }
        returning = nil
        waiting.insert(held, at: waiting.firstIndex { $0.number > held.number } ?? waiting.endIndex)
    }

    /// No action has to come back: what was dispatched is none.
    mutating func expectNone() { returning = nil }

    /// The type of the action that did not come back.
    ///
    /// - Returns: Nil if it is back, or if another one was dispatched since.
    func missing(_ number: Int) -> String? {
        guard isAwaiting, let held = returning?.held, held.number == number else { return nil }
        return held.record?["type"]?.string ?? "?"
    }

    /// Forgets the replayed actions of a loop.
    ///
    /// - Returns: How many actions of the app were dropped.
    mutating func endLoop() -> Int {
        endReplay()
        return takeDropped()
    }

    /// How many actions were dropped since this was asked last.
    mutating func takeDropped() -> Int {
        defer { dropped = 0 }
        return dropped
    }

    /// Empties the queue and returns it.
    mutating func take() -> [(QueuedID?) -> Void] {
        endReplay()
        defer {
            let next = next
            self = HeldActions()
            // An action that comes back late is not taken for a later one.
            self.next = next
        }
        return waiting.map(\.dispatch)
    }
}

/// Detects that a subscriber dispatches an action again each time it is queued.
///
/// A store may notify its subscribers of a queued action, as of any other. A subscriber that answers with the same
/// action is notified again, deeper in the stack, until the stack is full. Only the stack's depth shows it: a loop or a
/// timer dispatches from the same depth each time.
private struct Echoes {
    /// How many actions of one type may be nested.
    private static let limit = 16
    private static let maxThreads = 8

    private struct Held {
        let number: Int
        let type: JSON?
        let record: JSON?
        /// A measure of the stack's depth: it grows with each nested call.
        let depth: UInt
    }

    private var threads: [pthread_t: [Held]] = [:]

    /// - Returns: The nested actions equal to this one, with this one; nil if there is no such loop.
    mutating func add(_ number: Int, _ record: JSON?) -> Set<Int>? {
        var here: UInt8 = 0
        // The stack grows downwards.
        let depth = UInt.max - withUnsafeMutablePointer(to: &here) { UInt(bitPattern: $0) }
        let thread = pthread_self()
        if threads[thread] == nil, threads.count >= Self.maxThreads { threads = [:] }
        var chain = threads[thread] ?? []
        while let last = chain.last, last.depth >= depth { chain.removeLast() }
        let type = record?["type"]
        chain.append(Held(number: number, type: type, record: record, depth: depth))
        threads[thread] = chain
        let same = chain.filter { $0.type == type }
        guard same.count >= Self.limit else { return nil }
        threads = [:]
        return Set(same.filter { $0.record == record && record != nil }.map(\.number))
    }
}
