import Foundation

/// The tasks of a store's effects, which end with the store.
// Unchecked: the lock protects all properties.
final class RunningTasks: @unchecked Sendable {
    // Unchecked: AnyHashable isn't Sendable, but the id in it is.
    private enum Key: Hashable, @unchecked Sendable {
        case id(AnyHashable)
        case number(Int)
    }

    private let lock = NSLock()
    private var tasks: [Key: (number: Int, task: Task<Void, Never>)] = [:]
    private var count = 0
    private var hasEnded = false

    /// Runs work in a task that inherits the caller's task-local values.
    ///
    /// - Parameter id: Identifies the work; running work with the same id is cancelled.
    func run(_ id: (any Hashable & Sendable)?, _ work: @escaping @Sendable () async -> Void) {
        if let id { cancel(id) }
        lock.withLock {
            if hasEnded { return }
            count += 1
            let number = count
            let key = id.map { Key.id(AnyHashable($0)) } ?? .number(number)
            let task = Task { [weak self] in
                await work()
                self?.remove(key, number)
            }
            tasks[key] = (number, task)
        }
    }

    func cancel(_ id: any Hashable & Sendable) {
        // Cancelling runs the app's code, so it stays outside of the lock.
        lock.withLock { tasks.removeValue(forKey: .id(AnyHashable(id))) }?.task.cancel()
    }

    /// Cancels all tasks; later ones don't run.
    func end() {
        let running = lock.withLock {
            defer { tasks = [:] }
            hasEnded = true
            return tasks.values
        }
        // The latest first: a task may wait for an earlier one, and must not begin its work when that ends.
        for (_, task) in running.sorted(by: { $0.number > $1.number }) { task.cancel() }
    }

    private func remove(_ key: Key, _ number: Int) {
        lock.withLock { if tasks[key]?.number == number { tasks[key] = nil } }
    }
}
