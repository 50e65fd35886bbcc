import Foundation
import TapeFormat

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
        case lifted(String, same: [() -> Void])
    }

    private var waiting: [(number: Int, dispatch: () -> Void)] = []
    private var next = 0
    private var echoes = Echoes()
    /// Actions of the running replay, which are not queued.
    private var passing: [JSON] = []
    private var dropped = 0
    /// The end of the lock was requested.
    private var isEnding = false

    /// How many actions wait.
    var count: Int { waiting.count }

    /// Whether an action is a replayed one. Each replayed action passes once.
    mutating func passes(_ record: JSON?) -> Bool {
        guard let record, let index = passing.firstIndex(of: record) else { return false }
        passing.remove(at: index)
        return true
    }

    mutating func letPass(_ record: JSON) {
        passing.append(record)
    }

    /// Queues an action.
    ///
    /// - Parameters:
    ///   - record: Its type and payload; nil if they can't be encoded.
    mutating func hold(_ record: JSON?, _ kind: LockKind, _ dispatch: @escaping () -> Void) -> Outcome {
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
        if waiting.count >= Self.maxCount { return .lifted(reason, same: []) }
        waiting.append((next, dispatch))
        guard isOver, !isEnding else { return .held }
        isEnding = true
        return .heldLast(reason)
    }

    /// Handles that the next lock has begun, before the last one's end had run the queue.
    mutating func lockAgain() { isEnding = false }

    /// Forgets the replayed actions of a loop.
    ///
    /// - Returns: How many actions of the app were dropped.
    mutating func endLoop() -> Int {
        defer { (passing, dropped) = ([], 0) }
        return dropped
    }

    /// Empties the queue and returns it.
    mutating func take() -> (waiting: [() -> Void], dropped: Int) {
        defer { self = HeldActions() }
        return (waiting.map(\.dispatch), dropped)
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
