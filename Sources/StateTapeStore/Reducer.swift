/// How an action changes the state, in place.
///
/// A reducer is pure: what it needs (a date, an identifier, an answer from a server) comes in the action.
public typealias Reducer<State, Action> = (inout State, Action) -> Void
