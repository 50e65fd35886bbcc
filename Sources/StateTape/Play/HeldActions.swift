import Foundation
import TapeFormat

/// The actions of an app that is locked, as they wait to be dispatched again.
struct HeldActions {
    /// Nobody taps that often: an app that brings more goes on, since to drop what it does would break it.
    static let limit = 1_000

    /// What becomes of an action.
    enum Outcome {
        case held
        case dropped
        /// It and all others are to be reduced, for this reason; but for those that are the same, which were let go.
        case lifted(String, same: [() -> Void])
    }

    private var waiting: [(number: Int, dispatch: () -> Void)] = []
    private var next = 0
    private var echoes = Echoes()
    /// Actions that are being replayed, which pass.
    private var passing: [JSON] = []
    private var dropped = 0

    /// Whether an action may pass; it does once.
    mutating func passes(_ record: JSON?) -> Bool {
        guard let record, let index = passing.firstIndex(of: record) else { return false }
        passing.remove(at: index)
        return true
    }

    mutating func letPass(_ record: JSON) {
        passing.append(record)
    }

    /// Keeps an action.
    ///
    /// - Parameters:
    ///   - record: Its type and payload; nil if they can't be encoded.
    ///   - isReplaying: What is held is dropped in the end.
    mutating func hold(_ record: JSON?, isReplaying: Bool, _ dispatch: @escaping () -> Void) -> Outcome {
        next += 1
        if let again = echoes.add(next, record) {
            // Each was dispatched since the one before it changed nothing, and this one is reduced.
            let same = waiting.filter { again.contains($0.number) }.map(\.dispatch)
            waiting.removeAll { again.contains($0.number) }
            let type = record?["type"]?.string ?? "?"
            return .lifted("a subscriber dispatches “\(type)” again whenever it is held", same: same)
        }
        if waiting.count < Self.limit {
            waiting.append((next, dispatch))
            return .held
        }
        guard isReplaying else { return .lifted("\(Self.limit) actions wait", same: []) }
        dropped += 1
        return .dropped
    }

    /// Empties what is held.
    mutating func take() -> (waiting: [() -> Void], dropped: Int) {
        defer { self = HeldActions() }
        return (waiting.map(\.dispatch), dropped)
    }
}

/// Finds out that an action is held inside of its own notification, again and again.
///
/// A store may tell its subscribers of an action that was held, as of any other. One that answers by the same action is
/// told again, deeper in the stack, and so on until the stack is full. Nothing but the depth of the stack shows it: whoever
/// dispatches from a loop or a timer comes from the same depth each time.
private struct Echoes {
    /// How many of one type may be inside of each other.
    private static let limit = 16
    private static let maxThreads = 8

    private struct Held {
        let number: Int
        let type: JSON?
        let record: JSON?
        /// Where the stack stood.
        let depth: UInt
    }

    private var threads: [pthread_t: [Held]] = [:]

    /// - Returns: The actions equal to this one that it is an echo of; nil if it is none.
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
