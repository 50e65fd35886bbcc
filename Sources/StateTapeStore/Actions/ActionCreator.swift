import DispatchContext

/// Makes an action from the current state; nil if there is nothing to do.
///
/// Like a reducer, a creator receives the state as a parameter, and must not read the store.
public typealias ActionCreator<State, Action> = (State) -> Action?

extension Store {
    /// Dispatches the action that a creator makes from the current state.
    ///
    /// ```swift
    /// func addOnce(_ title: String) -> ActionCreator<AppState, AppAction> {
    ///     { state in state.titles.contains(title) ? nil : .add(title) }
    /// }
    /// store.dispatch(from: addOnce("Buy milk"))
    /// ```
    ///
    /// No other action changes the state between the creator and the reducer. During another dispatch, the creator is
    /// queued like an action. If it returns nil, no middleware and no subscriber is called.
    ///
    /// - Parameters:
    ///   - creator: Makes the action.
    ///   - fileID: The file of the call site, which a recorder writes to the tape.
    ///   - line: The line of the call site.
    public func dispatch(
        from creator: @escaping ActionCreator<State, Action>, fileID: StaticString = #fileID, line: UInt = #line
    ) {
        let callSite = CallSite(fileID: fileID, line: line).original
        guard work.enter(orEnqueue: { self.create(creator, from: callSite) }) else { return }
        create(creator, from: callSite)
        work.finish()
    }
}
