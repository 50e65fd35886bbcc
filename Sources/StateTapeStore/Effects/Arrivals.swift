import Foundation

/// Actions on their way to an actor, which they reach in their order.
// Unchecked: the lock protects the task.
final class Arrivals: @unchecked Sendable {
    private let lock = NSLock()
    private var last: Task<Void, Never>?

    /// Runs `dispatch` after those that were added before.
    func add(_ dispatch: @escaping @Sendable () async -> Void) {
        lock.withLock {
            // An actor may run tasks in another order than they were made in.
            last = Task { [last] in
                await last?.value
                await dispatch()
            }
        }
    }
}
