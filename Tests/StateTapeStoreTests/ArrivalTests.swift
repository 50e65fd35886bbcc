#if os(Linux)
    import Dispatch
    import Foundation
    import StateTapeStore
    import Testing

    @Test("Actions that are dispatched from elsewhere reach an actor in order, even if it runs later tasks first")
    func arrivals() async {
        let home = Home()
        let store = await home.store()
        home.executor.queue.suspend()
        for number in 1...100 { Step(number).dispatch(to: store) }
        // Lets the tasks of all actions reach the actor, if they don't wait for each other.
        for _ in 1...1_000 { await Task.yield() }
        home.executor.queue.resume()
        await state(of: store) { $0.added.count == 100 }
        #expect(store.state.added == Array(1...100))
    }

    private actor Home {
        nonisolated let executor = LastFirst()
        nonisolated var unownedExecutor: UnownedSerialExecutor { executor.asUnownedSerialExecutor() }

        func store() -> ActionStore<Counter> { ActionStore(initial: Counter()) }
    }

    /// Runs the job that was enqueued last first.
    // Unchecked: the lock protects the jobs.
    private final class LastFirst: SerialExecutor, @unchecked Sendable {
        let queue = DispatchQueue(label: "last first")
        private let lock = NSLock()
        private var jobs: [UnownedJob] = []

        func enqueue(_ job: consuming ExecutorJob) {
            let job = UnownedJob(job)
            lock.withLock { jobs.append(job) }
            queue.async { [self] in
                lock.withLock { jobs.removeLast() }.runSynchronously(on: asUnownedSerialExecutor())
            }
        }
    }
#endif
