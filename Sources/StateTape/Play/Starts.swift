import Foundation
import TapeFormat

/// Hands the launch state from the server to the stores.
// Unchecked: everything is guarded by the condition.
final class Starts: @unchecked Sendable {
    /// How long a launch waits for the server in total, however many stores it has.
    private let limit: TimeInterval
    private let condition = NSCondition()
    private var isSettled = false
    private var deadline: Date?
    private var start: Welcome.Start?
    private var begun: Set<String> = []

    init(limit: TimeInterval) {
        self.limit = limit
    }

    /// Waits until the server's launch state is known, at most until the limit.
    func wait() {
        condition.lock()
        defer { condition.unlock() }
        let until = deadline ?? Date(timeIntervalSinceNow: limit)
        deadline = until
        while !isSettled, condition.wait(until: until) {}
    }

    /// Whether the server's launch state has this id.
    func isStart(_ id: String) -> Bool {
        condition.lock()
        defer { condition.unlock() }
        return start?.id == id
    }

    /// What a store launches with.
    struct Begin {
        let id: String
        let state: JSON
        /// Whether recorded actions follow the state; the answer is then due after the last.
        let isReplay: Bool

        /// A push for a store that has already launched with its own state.
        func push(into store: String) -> WaitingPush {
            WaitingPush(push: Push(id: id, store: store, content: .state(state)), isAnswered: !isReplay)
        }
    }

    /// Returns the state that a store launches with, once. The store counts as launched from here on.
    func begin(_ store: String) -> Begin? {
        condition.lock()
        defer { condition.unlock() }
        guard begun.insert(store).inserted else { return nil }
        return start?.begin(store)
    }

    /// Takes the server's launch state.
    ///
    /// - Returns: Pushes for the stores that have launched already.
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
