/// Executes actions of one type after those of another type that were dispatched before.
///
/// ```swift
/// // Uploads wait for the log-in, and edits of the same document run one after the other.
/// rules: [
///     SequenceRule(LogIn.self, Upload.self),
///     SequenceRule(Edit.self, by: \.document),
/// ]
/// ```
///
/// What a dispatch costs doesn't depend on how many actions wait. Only a rule with a condition asks it for each action
/// of the first type that is executed or waits.
public struct SequenceRule<First: SelfExecuting, Second: SelfExecuting>: Rule where First.State == Second.State {
    private enum Test {
        case keys(_ first: (First) -> AnyHashable, _ second: (Second) -> AnyHashable)
        case condition((First, Second) -> Bool)
    }

    private let test: Test

    /// Creates a rule for any two actions of the types.
    ///
    /// - Parameters:
    ///   - first: The type of the actions that are not delayed.
    ///   - second: The type of the actions that wait until earlier ones of the first type have ended.
    public init(_ first: First.Type, _ second: Second.Type) {
        test = .keys({ _ in true }, { _ in true })
    }

    /// Creates a rule for actions with equal keys.
    ///
    /// - Parameters:
    ///   - first: The type of the actions that are not delayed.
    ///   - second: The type of the actions that wait until earlier ones of the first type have ended.
    ///   - firstKey: Returns the key of an action of the first type.
    ///   - secondKey: Returns the key of an action of the second type.
    public init<Key: Hashable & Sendable>(
        _ first: First.Type, _ second: Second.Type, by firstKey: @escaping (First) -> Key,
        _ secondKey: @escaping (Second) -> Key
    ) {
        test = .keys({ AnyHashable(firstKey($0)) }, { AnyHashable(secondKey($0)) })
    }

    /// Creates a rule for actions of one type, which run one after the other if their keys are equal.
    ///
    /// - Parameters:
    ///   - action: The type of the actions.
    ///   - key: Returns the key of an action.
    public init<Key: Hashable & Sendable>(_ action: First.Type, by key: @escaping (First) -> Key)
    where First == Second {
        self.init(action, action, by: key, key)
    }

    /// Creates a rule with a condition.
    ///
    /// - Parameters:
    ///   - first: The type of the actions that are not delayed.
    ///   - second: The type of the actions that wait until earlier ones of the first type have ended.
    ///   - condition: Whether the rule applies to an earlier and a later action.
    public init(
        _ first: First.Type, _ second: Second.Type,
        condition: @escaping (_ earlier: First, _ later: Second) -> Bool
    ) {
        test = .condition(condition)
    }

    public func decide(
        _ action: any SelfExecuting<First.State>, executing: [Execution<First.State>]
    ) -> RuleDecision<First.State> {
        guard let later = action as? Second else { return .run }
        return .wait(for: executing.filter { ($0.action as? First).map { applies($0, later) } ?? false })
    }

    private func applies(_ first: First, _ second: Second) -> Bool {
        switch test {
        case .keys(let firstKey, let secondKey): firstKey(first) == secondKey(second)
        case .condition(let condition): condition(first, second)
        }
    }
}

extension SequenceRule: KeyedRule {
    var isKeyed: Bool { if case .keys = test { true } else { false } }

    func keys(of action: any SelfExecuting) -> (first: AnyHashable?, second: AnyHashable?) {
        guard case .keys(let first, let second) = test else { return (nil, nil) }
        return ((action as? First).map(first), (action as? Second).map(second))
    }
}

/// A rule that lets actions wait for the earlier ones with the same key. The store needs no list of them to decide.
protocol KeyedRule {
    /// Whether the rule has keys; otherwise the store asks it like any other rule.
    var isKeyed: Bool { get }

    /// - Returns: The key of an action that others wait for, and that of an action that waits for others.
    func keys(of action: any SelfExecuting) -> (first: AnyHashable?, second: AnyHashable?)
}
