import DispatchContext

/// Asynchronous work that runs after an action was reduced.
///
/// This is the style of plain actions: they carry values only, and one function maps them to work. A store takes it as
/// `effects:`. Other styles: ``ExecutableAction``, ``FeedbackReducer`` and ``Driver``.
///
/// ```swift
/// func effects(action: AppAction, state: AppState) -> Effect<AppAction>? {
///     switch action {
///     case .search(let text):
///         Effect(id: "search") { dispatch in
///             await dispatch(.found(try? await remote.find(text)))
///         }
///     case .clear: .cancel("search")
///     case .found: nil
///     }
/// }
/// ```
///
/// The release of the store cancels the work that is running.
///
/// In a recorded store, no effect starts while the app is locked. The app's own actions are queued then, and their effects
/// start when the queue runs.
public struct Effect<Action>: Sendable {
    /// Dispatches to the store, on the actor on which the store was created. Does nothing if the store was released, or
    /// if the task that calls it was cancelled.
    public struct Dispatch: Sendable {
        let send: @Sendable (sending Action, CallSite?) async -> Void

        /// Dispatches an action. Call it like a function: `await dispatch(.found(items))`.
        ///
        /// - Parameters:
        ///   - action: The action.
        ///   - fileID: The file of the call site, which a recorder writes to the tape.
        ///   - line: The line of the call site.
        public func callAsFunction(
            _ action: sending Action, fileID: StaticString = #fileID, line: UInt = #line
        ) async {
            await send(action, CallSite(fileID: fileID, line: line))
        }
    }

    /// The work, which runs in its own task.
    public typealias Work = @Sendable (_ dispatch: Dispatch) async -> Void

    enum Step: Sendable {
        case run(Work, id: (any Hashable & Sendable)?)
        case cancel(any Hashable & Sendable)
    }

    let steps: [Step]

    /// Creates an effect.
    ///
    /// - Parameter work: The work; it may dispatch any number of actions.
    public init(_ work: @escaping Work) {
        steps = [.run(work, id: nil)]
    }

    /// Creates an effect that replaces the running one with the same id, which is cancelled.
    ///
    /// - Parameters:
    ///   - id: Identifies the effect among those of its store.
    ///   - work: The work; it may dispatch any number of actions.
    public init(id: some Hashable & Sendable, _ work: @escaping Work) {
        steps = [.run(work, id: id)]
    }

    private init(steps: [Step]) {
        self.steps = steps
    }

    /// Cancels the running effect with an id, if there is one.
    public static func cancel(_ id: some Hashable & Sendable) -> Effect {
        Effect(steps: [.cancel(id)])
    }

    /// Starts, and cancels, several effects in their order.
    public static func merge(_ effects: [Effect]) -> Effect {
        Effect(steps: effects.flatMap(\.steps))
    }
}
