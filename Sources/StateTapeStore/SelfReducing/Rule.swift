/// Decides whether and when an action of an ``ActionStore`` is executed.
///
/// ```swift
/// /// At most two downloads at a time.
/// struct TwoDownloads: Rule {
///     func decide(
///         _ action: any SelfExecuting<Library>, executing: [Execution<Library>]
///     ) -> RuleDecision<Library> {
///         guard action is Download else { return .run }
///         let downloads = executing.filter { $0.action is Download }
///         return downloads.count < 2 ? .run : .wait(for: downloads.dropLast())
///     }
/// }
/// ```
///
/// The rules are asked once for each action, in the order of the dispatches. So an action can only wait for earlier
/// ones, and two actions never wait for each other.
public protocol Rule<State> {
    /// The state of the stores that follow the rule.
    associatedtype State

    /// Decides about an action.
    ///
    /// If several rules decide about an action, `drop` prevails, and cancelled actions are not waited for.
    ///
    /// - Parameters:
    ///   - action: The action that was dispatched.
    ///   - executing: The actions that are executed or wait, the oldest first.
    func decide(_ action: any SelfExecuting<State>, executing: [Execution<State>]) -> RuleDecision<State>
}

/// A rule's decision about an action.
public enum RuleDecision<State> {
    /// Executes the action.
    case run
    /// Executes the action after these have ended: finished, failed or cancelled. Others are ignored.
    case wait(for: [Execution<State>])
    /// Cancels these, which then dispatch no results, and executes the action.
    case cancel([Execution<State>])
    /// Doesn't execute the action. It has been reduced already.
    case drop
}

/// An action that is executed, or that waits until others have ended.
public struct Execution<State>: Identifiable, Sendable {
    /// Identifies the execution within its store.
    public let id: ExecutionID
    /// The action.
    public let action: any SelfExecuting<State>
}

/// Identifies an execution within its store.
public struct ExecutionID: Hashable, Sendable {
    let number: Int
}

extension Array {
    /// The index of the first execution whose number is at least this one, among executions in the order of their
    /// numbers.
    func firstIndex<State>(atLeast number: Int) -> Int where Element == Execution<State> {
        var (low, high) = (0, count)
        while low < high {
            let middle = (low + high) / 2
            if self[middle].id.number < number { low = middle + 1 } else { high = middle }
        }
        return low
    }
}
