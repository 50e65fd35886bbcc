/// A store that a recorder can be added to: those of `StateTapeStore`. With `StateTape`, it has the method `taped(by:)`.
public protocol RecordableStore<State, Action>: AnyObject {
    associatedtype State
    associatedtype Action

    /// The current state.
    var state: State { get }
    /// Dispatches an action as the app does.
    func dispatch(_ action: Action, fileID: StaticString, line: UInt)
    /// Sets the state without an action.
    func replace(_ state: State)
    /// Adds a recording, as the outermost middleware. Called by `taped(by:)`.
    func add(_ recording: AddedRecording<State, Action>)
}

/// What a recorder adds to a store. Only a recorder can make one.
public struct AddedRecording<State, Action> {
    /// The state to begin with.
    package let start: State
    /// Records each action that passes.
    package let middleware: (@escaping (Action, inout State) -> Void) -> (Action, inout State) -> Void
    /// Whether the effects of the action that was just reduced may start.
    package let startsEffects: () -> Bool

    package init(
        start: State, middleware: @escaping (@escaping (Action, inout State) -> Void) -> (Action, inout State) -> Void,
        startsEffects: @escaping () -> Bool
    ) {
        self.start = start
        self.middleware = middleware
        self.startsEffects = startsEffects
    }
}
