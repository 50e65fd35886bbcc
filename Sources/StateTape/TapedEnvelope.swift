import DispatchContext

/// An action of your own that carries a ``TapedAction`` through a store whose actions are a protocol of its library.
///
/// ```swift
/// struct Taped: ReSwift.Action, TapedEnvelope { let content: TapedAction<AppState, any ReSwift.Action> }
/// ```
///
/// The store's middleware takes actions out of their envelope; ``Track/middleware(_:holding:)`` is made for this.
public protocol TapedEnvelope<State, Action> {
    associatedtype State
    /// The protocol, as `any ReSwift.Action`, to which the envelope conforms, too.
    associatedtype Action

    var content: TapedAction<State, Action> { get }
    init(content: TapedAction<State, Action>)
}

extension TapedEnvelope {
    /// An action in its envelope, dispatched here.
    public static func send(_ action: Action, fileID: StaticString = #fileID, line: UInt = #line) -> Self {
        Self(content: .send(action, fileID: fileID, line: line))
    }

    /// The action in an envelope, or the action that is in none.
    public static func action(in received: Action) -> Action {
        if case .action(let action, _) = (received as? Self)?.content { action } else { received }
    }
}

extension Track {
    /// A middleware of Redux's shape, `{ dispatch, getState in { next in { action in … } } }`. It takes each action out of
    /// its envelope, so that the tape names its call site, and makes it the cause of what `next` starts. Put it in front
    /// of all middleware but one that runs thunks.
    ///
    /// - Parameters:
    ///   - envelope: The type of the envelopes. An action without one has no call site.
    ///   - isWork: Whether an action starts work in front of the reducer, as SwiftUIFlux's `AsyncAction` does. While the
    ///     app is locked, it stays in its envelope, in which it reaches ``reduce(_:_:_:_:)`` only.
    public func middleware<Envelope: TapedEnvelope<State, Action>, Dispatch, GetState>(
        _ envelope: Envelope.Type, holding isWork: @escaping (Action) -> Bool = { _ in false }
    ) -> (Dispatch, GetState) -> (@escaping (Action) -> Void) -> (Action) -> Void {
        { _, _ in
            { next in
                { [self] received in
                    let content = (received as? Envelope)?.content ?? .action(received, .current)
                    guard case .action(let action, let origin) = content else { return next(received) }
                    dispatch(from: origin) {
                        let isHeld = isWork(action) && !gate.isOpen
                        next(isHeld ? Envelope(content: content) as? Action ?? action : action)
                    }
                }
            }
        }
    }

    /// Reduces what a store has received, in an envelope or not, with a reducer that returns the next state.
    ///
    /// - Parameters:
    ///   - state: The store's state.
    ///   - received: What the store has received.
    ///   - envelope: The type of the envelopes.
    ///   - reduce: Returns the state after an action.
    /// - Returns: The next state: that of the reducer, or a state to apply.
    public func reduce<Envelope: TapedEnvelope<State, Action>, Failure: Error>(
        _ state: State, _ received: Action, _ envelope: Envelope.Type,
        _ reduce: (State, Action) throws(Failure) -> State
    ) throws(Failure) -> State {
        var next = state
        let content = (received as? Envelope)?.content ?? .action(received, .current)
        try self.reduce(&next, content) { state, action throws(Failure) in state = try reduce(state, action) }
        return next
    }
}
