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
    /// The state that the server wants the app to launch with; nil if it begins with its own.
    package let launchState: State?
    /// Records each action that passes.
    package let middleware: (@escaping (Action, inout State) -> Void) -> (Action, inout State) -> Void
    /// Records a change that has no action.
    package let set: (inout State, (inout State) -> Void) -> Void
    package let gate: EffectGate

    package init(
        launchState: State? = nil,
        middleware: @escaping (@escaping (Action, inout State) -> Void) -> (Action, inout State) -> Void = { $0 },
        set: @escaping (inout State, (inout State) -> Void) -> Void = { $1(&$0) }, gate: EffectGate
    ) {
        self.launchState = launchState
        self.middleware = middleware
        self.set = set
        self.gate = gate
    }
}

/// A dispatcher of several stores that a recorder can be added to: that of `StateTapeStore`. With `StateTape`, it has the
/// method `taped(by:)`.
public protocol RecordableDispatcher<Action>: AnyObject {
    associatedtype Action

    /// Dispatches an action to all stores, as the app does.
    func dispatch(_ action: Action, fileID: StaticString, line: UInt)
    /// Adds a recording around each dispatch. Called by `taped(by:)`.
    func add(_ recording: AddedDispatchRecording)
}

/// What a recorder adds to a dispatcher. Only a recorder can make one.
public struct AddedDispatchRecording {
    /// Runs a dispatch.
    package let dispatch: (() -> Void) -> Void

    package init(dispatch: @escaping (() -> Void) -> Void) {
        self.dispatch = dispatch
    }
}
