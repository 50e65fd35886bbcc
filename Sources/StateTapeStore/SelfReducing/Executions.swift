import Foundation

/// The actions of a store that are executed, or wait.
// Unchecked: the lock protects the mutable properties; only the store's worker uses the rules and `plain`.
final class Executions<State>: @unchecked Sendable {
    private typealias Ending = AsyncStream<Never>

    private let rules: [any Rule<State>]
    private let isHeld: @Sendable () -> Bool
    /// The types of actions without work, because casts that fail take a microsecond.
    private var plain: Set<ObjectIdentifier> = []
    private let lock = NSLock()
    private var executing: [Execution<State>] = []
    /// What waits for each execution that has not ended: the end finishes these streams.
    private var waiting: [ExecutionID: [Ending.Continuation]] = [:]
    private var count = 0

    init(_ rules: [any Rule<State>], _ isHeld: @escaping @Sendable () -> Bool) {
        self.rules = rules
        self.isHeld = isHeld
    }

    /// Returns the effect of an action that was reduced; on the store's worker.
    func effect(of action: any SelfReducing<State>) -> Effect<any SelfReducing<State>>? {
        let type = ObjectIdentifier(type(of: action))
        if plain.contains(type) { return nil }
        if let finished = action as? any EndOfExecution {
            // A subscriber that dispatches the same action again is not in conflict with the one that has finished.
            finished.execution.map(remove)
            return nil
        }
        guard let action = action as? any SelfExecuting<State> else {
            plain.insert(type)
            return nil
        }
        if isHeld() { return nil }
        // The rules are the app's code, so they are asked outside of the lock.
        guard let plan = Plan(action, rules, executing: lock.withLock { executing }) else { return nil }
        // Before the action is added, because a cancelled one isn't waited for.
        for id in plan.cancelled { remove(id) }
        // The latest first: one that waits for an earlier one must not begin when that ends.
        let cancelled: [Effect<any SelfReducing<State>>] = plan.cancelled.sorted { $0.number > $1.number }
            .map { .cancel($0) }
        let (id, earlier) = add(action, after: plan.awaited)
        let run = Effect<any SelfReducing<State>>(id: id) { [self] dispatch in
            await execute(action, id, after: earlier, dispatch)
            end(id)
        }
        return .merge(cancelled + [run])
    }

    private func execute(
        _ action: any SelfExecuting<State>, _ id: ExecutionID, after earlier: [ExecutionID],
        _ dispatch: Effect<any SelfReducing<State>>.Dispatch
    ) async {
        // The latest first: in a sequence the others have ended when it ends.
        for other in earlier.reversed() { await untilEnded(other) }
        if Task.isCancelled { return }
        // If its turn comes during a lock, the action is queued like a new one.
        if !earlier.isEmpty, isHeld() {
            remove(id)
            return await dispatch.send(action, nil)
        }
        await dispatch.send(await action.finish(id), nil)
    }

    /// - Returns: The new execution, and those to wait for.
    private func add(
        _ action: any SelfExecuting<State>, after awaited: Set<ExecutionID>
    ) -> (ExecutionID, [ExecutionID]) {
        lock.withLock {
            let earlier = awaited.isEmpty ? [] : executing.map(\.id).filter(awaited.contains)
            count += 1
            let id = ExecutionID(number: count)
            executing.append(Execution(id: id, action: action))
            waiting[id] = []
            return (id, earlier)
        }
    }

    /// Waits until an execution has ended, or the caller is cancelled.
    private func untilEnded(_ id: ExecutionID) async {
        let (ending, continuation) = Ending.makeStream()
        if lock.withLock({ waiting[id]?.append(continuation) }) == nil { return }
        for await _ in ending {}
    }

    private func remove(_ id: ExecutionID) {
        lock.withLock { executing.removeAll { $0.id == id } }
    }

    /// Lets those run that wait for an execution.
    private func end(_ id: ExecutionID) {
        remove(id)
        for continuation in lock.withLock({ waiting.removeValue(forKey: id) }) ?? [] { continuation.finish() }
    }
}

/// What all rules together decide about an action that is executed.
private struct Plan<State> {
    var awaited: Set<ExecutionID> = []
    var cancelled: Set<ExecutionID> = []

    /// - Returns: Nil if a rule drops the action.
    init?(_ action: any SelfExecuting<State>, _ rules: [any Rule<State>], executing: [Execution<State>]) {
        for rule in rules {
            switch rule.decide(action, executing: executing) {
            case .run: break
            case .wait(let others): awaited.formUnion(others.map(\.id))
            case .cancel(let others): cancelled.formUnion(others.map(\.id))
            case .drop: return nil
            }
        }
    }
}
