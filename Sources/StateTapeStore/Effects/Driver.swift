import DispatchContext
import Foundation

/// Runs the work that the state asks for.
///
/// A function of the state says which work is wanted. Whenever the answer changes, the driver cancels the work that is
/// no longer wanted, starts the new work, and lets the rest go on. So no action needs to start or stop anything, and a
/// state that is applied from elsewhere has the right work as well.
///
/// ```swift
/// enum Request: Hashable { case search(String), clock }
///
/// let driver = Driver(
///     of: store,
///     wants: { state in state.isSearching ? [.search(state.text)] : [] },
///     run: { request, dispatch in
///         switch request {
///         case .search(let text): await dispatch(.found(try? await remote.find(text)))
///         case .clock: for await time in clock.ticks { await dispatch(.tick(time)) }
///         }
///     })
/// ```
///
/// Work that has finished starts again only after the state stopped asking for it, or asks for another request.
///
/// While the app is locked, the driver starts and cancels nothing. When the lock has ended, it does what the state asks
/// for then. Work that finished meanwhile starts again if the state still asks for it, because its result was discarded.
///
/// The driver ends, and cancels its work, when it is released; so does the work when the store is released. All methods
/// may be called from any thread.
// Unchecked: the lock protects all mutable properties but the subscription, which only the initializer sets.
public final class Driver<Request: Hashable & Sendable>: @unchecked Sendable {
    private struct Run {
        let number: Int
        /// Its last action may be queued by the lock, and discarded.
        var isUncertain = false
    }

    /// Identifies a run among the tasks of the store.
    private struct Key: Hashable, Sendable {
        let driver: ObjectIdentifier
        let number: Int
    }

    private let lock = NSLock()
    private var wanted: Set<Request> = []
    /// The work that runs or has finished, for each wanted request.
    private var runs: [Request: Run] = [:]
    private var count = 0
    /// A lock was noticed, whose end was not reported yet.
    private var isWaiting = false
    private let gate: EffectGate
    private let tasks: RunningTasks
    private let start: @Sendable (Driver, Request, Int) -> Void
    private var subscription: Subscription?

    /// Creates a driver, and starts the work that the current state asks for.
    ///
    /// - Parameters:
    ///   - store: The store; the driver doesn't retain it. Record it first.
    ///   - wants: Returns the work that a state asks for. It is called for each state and should be fast.
    ///   - run: Does the work for a request, in its own task and on no actor. It should end early if it is cancelled.
    public init<State, Action>(
        of store: Store<State, Action>,
        wants: @escaping (State) -> Set<Request>,
        run: @escaping @Sendable (_ request: Request, _ dispatch: Effect<Action>.Dispatch) async -> Void
    ) {
        gate = store.gate
        let tasks = store.pending.tasks
        let target = Effects.Target(store: store, isolation: store.isolation)
        self.tasks = tasks
        start = { driver, request, number in
            tasks.run(driver.key(number)) { [weak driver] in
                let dispatch = Effect<Action>.Dispatch { [weak driver] action, callSite in
                    let wasStill = driver?.lock.withLock { driver?.isStill } ?? false
                    await target.dispatch(action, from: callSite)
                    driver?.noteDispatch(of: request, number, wasStill)
                }
                await run(request, dispatch)
                driver?.finish(request, number)
            }
        }
        subscription = store.subscribe(wants) { [weak self] in self?.receive($0) }
        gate.onOpen { [weak self] in self?.resume() }
    }

    deinit {
        for run in runs.values { tasks.cancel(key(run.number)) }
    }

    /// Does what the state asks for, after a lock has ended.
    package func resume() {
        lock.withLock { isWaiting = false }
        update()
    }

    private func receive(_ wanted: Set<Request>) {
        lock.withLock { self.wanted = wanted }
        update()
    }

    private func update() {
        let unwanted = lock.withLock {
            if isStill { return [Int]() }
            let unwanted = runs.filter { !wanted.contains($0.key) }
            for request in unwanted.keys { runs[request] = nil }
            return unwanted.values.map(\.number)
        }
        // Cancelling runs the app's code, so it stays outside of the lock.
        for number in unwanted { tasks.cancel(key(number)) }
        lock.withLock {
            if isStill { return }
            for request in wanted where runs[request] == nil {
                count += 1
                runs[request] = Run(number: count)
                start(self, request, count)
            }
        }
    }

    /// Whether the app is locked, or runs the actions that a lock has queued. Called under the lock, so that the end of
    /// a lock isn't missed.
    private var isStill: Bool {
        if !gate.isOpen { isWaiting = true }
        return isWaiting
    }

    private func noteDispatch(of request: Request, _ number: Int, _ wasStill: Bool) {
        lock.withLock {
            if runs[request]?.number == number { runs[request]?.isUncertain = isStill || wasStill }
        }
    }

    private func finish(_ request: Request, _ number: Int) {
        let mayBeginAgain = lock.withLock {
            guard let run = runs[request], run.number == number, isStill || run.isUncertain else { return false }
            runs[request] = nil
            return true
        }
        if mayBeginAgain { update() }
    }

    private func key(_ number: Int) -> Key { Key(driver: ObjectIdentifier(self), number: number) }
}
