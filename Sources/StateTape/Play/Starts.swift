import Foundation
import TapeFormat

/// The start that the server gave this launch, for the stores as they begin.
// Unchecked: everything is guarded by the condition.
final class Starts: @unchecked Sendable {
    /// How long a launch waits for the server; once, whatever number of stores it has.
    private let limit: TimeInterval
    private let condition = NSCondition()
    private var isSettled = false
    private var deadline: Date?
    private var start: Welcome.Start?
    private var begun: Set<String> = []

    init(limit: TimeInterval) {
        self.limit = limit
    }

    /// Waits until it is known whether there is a start, at most until the limit.
    func wait() {
        condition.lock()
        defer { condition.unlock() }
        let until = deadline ?? Date(timeIntervalSinceNow: limit)
        deadline = until
        while !isSettled, condition.wait(until: until) {}
    }

    /// What a store is to begin with.
    struct Begin {
        let id: String
        let state: JSON
        /// The store is to come there by recorded actions, and the answer is due after the last.
        let isReplay: Bool

        /// For a store that has begun by itself.
        func push(into store: String) -> WaitingPush {
            WaitingPush(push: Push(id: id, store: store, content: .state(state)), isAnswered: !isReplay)
        }
    }

    /// The state that a store is to begin with; told once. The store counts as begun from here on.
    func begin(_ store: String) -> Begin? {
        condition.lock()
        defer { condition.unlock() }
        guard begun.insert(store).inserted else { return nil }
        return start?.begin(store)
    }

    /// Takes what the server said.
    ///
    /// - Returns: What comes too late for a store that has begun, to be played like a push.
    func settle(_ new: Welcome.Start?) -> [WaitingPush] {
        condition.lock()
        defer { condition.unlock() }
        isSettled = true
        condition.broadcast()
        guard start == nil, let new else { return [] }
        start = new
        return begun.sorted().compactMap { new.begin($0)?.push(into: $0) }
    }
}

extension Welcome.Start {
    fileprivate func begin(_ store: String) -> Starts.Begin? {
        states[store].map { Starts.Begin(id: id, state: $0, isReplay: isReplay) }
    }
}
