import Foundation
import StateTapeStore

/// Waits until a store has a state that meets a condition, and returns the state.
@discardableResult
func state<State: Sendable, Action>(
    of store: Store<State, Action>, isolation: isolated (any Actor)? = #isolation,
    where condition: @escaping @Sendable (State) -> Bool
) async -> State? {
    let (states, continuation) = AsyncStream.makeStream(of: State.self)
    let subscription = store.subscribe { continuation.yield($0) }
    defer { subscription.cancel() }
    return await states.first(where: condition)
}

/// Waits until a condition holds that no store tells.
func until(_ condition: () -> Bool) async {
    while !condition(), !Task.isCancelled { await Task.yield() }
}

func isOnMain() -> Bool { Thread.isMainThread }
