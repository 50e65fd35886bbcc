import TapeFormat
import Testing

@testable import StateTape

@Suite("Store handlers", .timeLimit(.minutes(1)))
struct SeatTests {
    /// Queues its jobs until the test runs them.
    private final class Jobs: SerialExecutor {
        private let state = Locked<(jobs: [UnownedJob], waiter: CheckedContinuation<Void, Never>?, wanted: Int)>(
            ([], nil, 0))

        func enqueue(_ job: UnownedJob) {
            let waiter = state.withLock { state in
                state.jobs.append(job)
                guard state.jobs.count == state.wanted else { return CheckedContinuation<Void, Never>?.none }
                defer { state.waiter = nil }
                return state.waiter
            }
            waiter?.resume()
        }

        func asUnownedSerialExecutor() -> UnownedSerialExecutor { UnownedSerialExecutor(ordinary: self) }

        /// Waits for this many jobs.
        func wait(for count: Int) async {
            await withCheckedContinuation { continuation in
                let isThere = state.withLock { state in
                    if state.jobs.count < count { (state.waiter, state.wanted) = (continuation, count) }
                    return state.jobs.count >= count
                }
                if isThere { continuation.resume() }
            }
        }

        func take() -> [UnownedJob] {
            state.withLock { state in
                defer { state.jobs = [] }
                return state.jobs
            }
        }
    }

    private actor Owner {
        let jobs = Jobs()
        nonisolated var unownedExecutor: UnownedSerialExecutor { jobs.asUnownedSerialExecutor() }
    }

    private func handlers(_ isolation: any Actor) -> StoreHandlers<Int, Int> {
        StoreHandlers(state: nil, dispatch: nil, play: nil, isolation: isolation)
    }

    @Test("Two stores of an actor run their jobs in order, whatever the order of the tasks")
    func order() async {
        let owner = Owner()
        let seats = [handlers(owner), handlers(owner)]
        let ran = Locked<[Int]>([])
        for number in 0..<8 {
            seats[number % 2].run { ran.withLock { $0.append(number) } }
            // Each task is enqueued before the next one is made, so that their order is known.
            await owner.jobs.wait(for: number + 1)
        }
        for job in owner.jobs.take().reversed() { job.runSynchronously(on: owner.unownedExecutor) }
        #expect(ran.withLock { $0 } == Array(0..<8))
    }
}
