/// Changes the state in place for an action.
///
/// A reducer is pure: the action contains all inputs, such as a date, an identifier or a server's answer.
public typealias Reducer<State, Action> = (inout State, Action) -> Void
