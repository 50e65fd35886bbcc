import DispatchContext

/// An action that knows how it changes the state. Its type and its reducer stand in one place.
///
/// ```swift
/// struct Add: SelfReducing, Codable {
///     var number: Int
///
///     func reduce(_ state: inout Counter) { state.count += number }
/// }
///
/// let store = ActionStore(initial: Counter())
/// Add(number: 2).dispatch(to: store)
/// ```
///
/// An action with asynchronous work is ``SelfExecuting``. A store takes actions of any number of types, each a value or
/// an immutable class. The style is that of object-oriented Flux.
public protocol SelfReducing<State>: Sendable {
    /// The state of the stores that take the action.
    associatedtype State

    /// Changes the state in place, when the action is dispatched. It is pure.
    func reduce(_ state: inout State)
}

extension SelfReducing {
    /// Dispatches the action to a store, on the actor on which the store was created.
    ///
    /// On that actor, and for a store that was created on none, the state has changed when the call returns; during
    /// another dispatch, the action is queued. From elsewhere, the action goes to the actor, in the order of the calls.
    ///
    /// - Parameters:
    ///   - store: The store.
    ///   - fileID: The file of the call site, which a recorder writes to the tape.
    ///   - line: The line of the call site.
    ///   - isolation: The caller's actor.
    public func dispatch(
        to store: ActionStore<State>, fileID: StaticString = #fileID, line: UInt = #line,
        isolation: isolated (any Actor)? = #isolation
    ) {
        let callSite = CallSite(fileID: fileID, line: line).original
        guard let home = store.isolation, home !== isolation else { return store.dispatch(self, from: callSite) }
        let target = Effects.Target(store: store, isolation: home)
        store.pending.arrivals.add { await target.dispatch(self, from: callSite) }
    }
}
