import DispatchContext

/// Changes the state in place for an action, and returns the effect that the action has.
///
/// The reducer only describes the effect, so it stays pure. Work and change of state stand in one place:
///
/// ```swift
/// func reduce(state: inout AppState, action: AppAction) -> Effect<AppAction>? {
///     switch action {
///     case .search(let text):
///         state.isSearching = true
///         return Effect(id: "search") { dispatch in
///             await dispatch(.found(try? await remote.find(text)))
///         }
///     case .found(let items):
///         state.isSearching = false
///         state.items = items ?? []
///         return nil
///     }
/// }
///
/// let store = Store(initial: AppState(), feedback: reduce)
/// ```
///
/// The style is known from Elm, whose update function returns a command.
public typealias FeedbackReducer<State, Action> = (inout State, Action) -> Effect<Action>?

extension Store {
    /// Creates a store whose reducer returns effects.
    ///
    /// - Parameters:
    ///   - initial: The initial state.
    ///   - feedback: Changes the state for an action, and returns its effect. The effect starts after the subscribers
    ///     were called.
    ///   - middleware: Wraps the reducer, the outermost first.
    ///   - isolation: The actor on which effects dispatch.
    public convenience init(
        initial: State,
        feedback: @escaping FeedbackReducer<State, Action>,
        middleware: [Middleware<State, Action>] = [],
        isolation: isolated (any Actor)? = #isolation
    ) {
        // The store asks for the effect right after the reducer, unless it may not start: then it isn't kept.
        var effect: Effect<Action>?
        var gate = StoreGate()
        self.init(
            initial: initial,
            reducer: {
                let returned = feedback(&$0, $1)
                effect = gate.current.startsEffects ? returned : nil
            }, middleware: middleware,
            effects: { _, _ in
                defer { effect = nil }
                return effect
            }, isolation: isolation)
        gate = pending.gate
    }
}
