/// An action that does asynchronous work and reduces the result.
///
/// ```swift
/// struct Refresh: SelfExecuting, Codable {
///     func reduce(_ state: inout Feed) { state.isRefreshing = true }
///
///     func execute() async throws -> [Item] { try await remote.items() }
///
///     func reduce(_ state: inout Feed, _ items: [Item]) { (state.items, state.isRefreshing) = (items, false) }
///
///     func reduce(_ state: inout Feed, failure: String) { (state.error, state.isRefreshing) = (failure, false) }
/// }
/// ```
///
/// A dispatch reduces the action itself, with ``SelfReducing/reduce(_:)``, and then asks the store's rules. If they
/// permit it, `execute` runs in its own task. What it returns or throws is dispatched as a ``Finished`` action.
///
/// A cancelled action dispatches nothing more, not even if it still returns something. Rules cancel actions, and so does
/// the release of the store.
public protocol SelfExecuting<State>: SelfReducing {
    // Declared again, so that the compiler infers it from the methods below.
    associatedtype State
    /// The result of the work.
    associatedtype Output: Sendable

    /// Does the work, on no actor. It should end early if its task is cancelled.
    func execute() async throws -> Output

    /// Changes the state in place for the result. It is pure.
    func reduce(_ state: inout State, _ output: Output)

    /// Changes the state in place for an error that `execute` threw. By default, it changes nothing.
    ///
    /// - Parameters:
    ///   - state: The state.
    ///   - failure: The error's description, which can be recorded. For more, return the error as part of the result
    ///     instead.
    func reduce(_ state: inout State, failure: String)
}

extension SelfExecuting {
    public func reduce(_ state: inout State) {}

    public func reduce(_ state: inout State, failure: String) {}

    /// Does the work, and returns the result as an action.
    func finish(_ id: ExecutionID) async -> any SelfReducing<State> {
        let outcome: Finished<Self>.Outcome
        do {
            outcome = .output(try await execute())
        } catch {
            outcome = .failure(String(describing: error))
        }
        return Finished(action: self, outcome: outcome, execution: id)
    }
}
