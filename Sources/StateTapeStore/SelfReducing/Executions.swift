import DispatchContext
import Foundation

/// The actions of a store that are executed, or wait.
// Unchecked: the lock protects the mutable properties; only the store's worker uses the rules and `plain`.
final class Executions<State>: @unchecked Sendable {
    private typealias Ending = AsyncStream<Never>

    /// What an execution waits for.
    private struct Waits: Sendable {
        var ids: [ExecutionID] = []
        var lines: [LineKey] = []
        var endings: [Ending] = []
        var isEmpty: Bool { ids.isEmpty && endings.isEmpty }
    }

    private let rules: [any Rule<State>]
    private let keyedRules: [any KeyedRule]
    /// The store's gate, set before the first dispatch.
    var gate = StoreGate()
    /// The types of actions without work, because casts that fail take a microsecond.
    private var plain: Set<ObjectIdentifier> = []
    private let lock = NSLock()
    /// In the order of their numbers.
    private var executing: [Execution<State>] = []
    /// What waits for each execution that has not ended: the end finishes these streams.
    private var waiting: [ExecutionID: [Ending.Continuation]] = [:]
    private var lines: [LineKey: Line<Ending.Continuation>] = [:]
    /// The lines of each execution that has not ended.
    private var memberships: [ExecutionID: [LineKey]] = [:]
    private var count = 0

    init(_ rules: [any Rule<State>]) {
        func keyed(_ rule: any Rule<State>) -> (any KeyedRule)? {
            (rule as? any KeyedRule).flatMap { $0.isKeyed ? $0 : nil }
        }
        self.rules = rules.filter { keyed($0) == nil }
        keyedRules = rules.compactMap(keyed)
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
        if !gate.current.isOpen { return nil }
        // The rules are the app's code, so they are asked outside of the lock.
        guard let plan = Plan(action, rules, executing: lock.withLock { executing }) else { return nil }
        let keys = keyedRules.map { $0.keys(of: action) }
        // Before the action is added, because a cancelled one isn't waited for.
        for id in plan.cancelled { remove(id) }
        // The latest first: one that waits for an earlier one must not begin when that ends.
        let cancelled: [Effect<any SelfReducing<State>>] = plan.cancelled.sorted { $0.number > $1.number }
            .map { .cancel($0) }
        let (id, waits) = add(action, after: plan.awaited, keys)
        let run = Effect<any SelfReducing<State>>(id: id) { [self] dispatch in
            await execute(action, id, after: waits, dispatch)
            end(id)
        }
        return .merge(cancelled + [run])
    }

    private func execute(
        _ action: any SelfExecuting<State>, _ id: ExecutionID, after waits: Waits,
        _ dispatch: Effect<any SelfReducing<State>>.Dispatch
    ) async {
        for ending in waits.endings { for await _ in ending {} }
        let left = waits.lines.isEmpty ? [] : lock.withLock { waits.lines.flatMap { leaving($0, id) } }
        await untilEnded(waits.ids + left)
        if Task.isCancelled { return }
        // If its turn comes during a lock, the action is queued like a new one.
        if !waits.isEmpty, !gate.current.isOpen {
            remove(id)
            return await dispatch.send(action, nil)
        }
        await dispatch.send(await action.finish(id), nil)
    }

    /// - Returns: The new execution, and what it waits for.
    private func add(
        _ action: any SelfExecuting<State>, after awaited: Set<ExecutionID>,
        _ keys: [(first: AnyHashable?, second: AnyHashable?)]
    ) -> (ExecutionID, Waits) {
        lock.withLock {
            count += 1
            let id = ExecutionID(number: count)
            var waits = Waits()
            if !awaited.isEmpty { waits.ids = executing.map(\.id).filter(awaited.contains) }
            for (rule, key) in keys.enumerated() {
                if let second = key.second.map({ LineKey(rule: rule, key: $0) }), lines[second]?.hasMembers == true {
                    let (ending, continuation) = Ending.makeStream()
                    lines[second]?.add(continuation, id.number)
                    waits.lines.append(second)
                    waits.endings.append(ending)
                }
                if let first = key.first.map({ LineKey(rule: rule, key: $0) }) {
                    lines[first, default: Line()].add(id.number)
                    memberships[id, default: []].append(first)
                }
            }
            executing.append(Execution(id: id, action: action))
            waiting[id] = []
            return (id, waits)
        }
    }

    private func leaving(_ line: LineKey, _ id: ExecutionID) -> [ExecutionID] {
        lines[line]?.leaving(before: id.number).map { ExecutionID(number: $0) } ?? []
    }

    /// Waits until executions have ended, or the caller is cancelled.
    private func untilEnded(_ ids: [ExecutionID]) async {
        // The latest first: often the others have ended when it ends.
        for id in ids.reversed() where !Task.isCancelled {
            let ending: Ending? = lock.withLock {
                guard waiting[id] != nil else { return nil }
                let (ending, continuation) = Ending.makeStream()
                waiting[id]?.append(continuation)
                return ending
            }
            if let ending { for await _ in ending {} }
        }
    }

    /// Later actions no longer see an execution, nor wait for it.
    private func remove(_ id: ExecutionID) {
        lock.withLock {
            let index = executing.firstIndex(atLeast: id.number)
            if index < executing.count, executing[index].id == id { executing.remove(at: index) }
            for line in memberships[id] ?? [] { lines[line]?.leave(id.number, upTo: count) }
        }
    }

    /// Lets those run that wait for an execution.
    private func end(_ id: ExecutionID) {
        remove(id)
        let released = lock.withLock {
            var released = waiting.removeValue(forKey: id) ?? []
            for line in memberships.removeValue(forKey: id) ?? [] {
                released += lines[line]?.end(id.number) ?? []
                if lines[line]?.isEmpty == true { lines[line] = nil }
            }
            return released
        }
        for continuation in released { continuation.finish() }
    }
}
