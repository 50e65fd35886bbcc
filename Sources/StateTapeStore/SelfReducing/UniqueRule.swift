/// Permits one execution of a type of action at a time.
///
/// ```swift
/// // A new search replaces the one that runs; a second refresh of the same feed is dropped.
/// rules: [
///     UniqueRule(Search.self, cancelBehavior: .first),
///     UniqueRule(Refresh.self, cancelBehavior: .last) { $0.feed == $1.feed },
/// ]
/// ```
public struct UniqueRule<Action: SelfExecuting>: Rule {
    /// Which of two actions isn't executed.
    public enum CancelBehavior: Sendable {
        /// The earlier one: it is cancelled.
        case first
        /// The later one: it is dropped.
        case last
    }

    private let cancelBehavior: CancelBehavior
    private let condition: (Action, Action) -> Bool

    /// Creates a rule.
    ///
    /// - Parameters:
    ///   - action: The type of the actions.
    ///   - cancelBehavior: Which of two actions isn't executed.
    ///   - condition: Whether the rule applies to an earlier and a later action; by default, to any two.
    public init(
        _ action: Action.Type, cancelBehavior: CancelBehavior,
        condition: @escaping (_ earlier: Action, _ later: Action) -> Bool = { _, _ in true }
    ) {
        self.cancelBehavior = cancelBehavior
        self.condition = condition
    }

    public func decide(
        _ action: any SelfExecuting<Action.State>, executing: [Execution<Action.State>]
    ) -> RuleDecision<Action.State> {
        guard let later = action as? Action else { return .run }
        let earlier = executing.filter { ($0.action as? Action).map { condition($0, later) } ?? false }
        if earlier.isEmpty { return .run }
        return cancelBehavior == .first ? .cancel(earlier) : .drop
    }
}
