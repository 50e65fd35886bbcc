/// Executes actions of one type after those of another type that were dispatched before.
///
/// ```swift
/// // Uploads wait for the log-in, and edits of the same document run one after the other.
/// rules: [
///     SequenceRule(LogIn.self, Upload.self),
///     SequenceRule(Edit.self, Edit.self) { $0.document == $1.document },
/// ]
/// ```
public struct SequenceRule<First: SelfExecuting, Second: SelfExecuting>: Rule where First.State == Second.State {
    private let condition: (First, Second) -> Bool

    /// Creates a rule.
    ///
    /// - Parameters:
    ///   - first: The type of the actions that are not delayed.
    ///   - second: The type of the actions that wait until earlier ones of the first type have ended.
    ///   - condition: Whether the rule applies to an earlier and a later action; by default, to any two.
    public init(
        _ first: First.Type, _ second: Second.Type,
        condition: @escaping (_ earlier: First, _ later: Second) -> Bool = { _, _ in true }
    ) {
        self.condition = condition
    }

    public func decide(
        _ action: any SelfExecuting<First.State>, executing: [Execution<First.State>]
    ) -> RuleDecision<First.State> {
        guard let later = action as? Second else { return .run }
        return .wait(for: executing.filter { ($0.action as? First).map { condition($0, later) } ?? false })
    }
}
