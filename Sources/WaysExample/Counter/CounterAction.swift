import StateTapeStore

/// The counter's actions, in all ways but those whose actions are types of their own.
enum CounterAction: Codable, Equatable, Sendable {
    case add(number: Int)
    /// Asks for a number; `answered` follows.
    case ask
    case answered(number: Int)
}

/// The reducer of the whole state, made from those of its parts.
var reduceCounter: Reducer<Counter, CounterAction> {
    combine(scope(\.count, reduceCount), scope(\.isAsking, reduceAsking))
}

private func reduceCount(_ count: inout Int, _ action: CounterAction) {
    switch action {
    case .add(let number), .answered(let number): count += number
    case .ask: break
    }
}

private func reduceAsking(_ isAsking: inout Bool, _ action: CounterAction) {
    switch action {
    case .ask: isAsking = true
    case .answered: isAsking = false
    case .add: break
    }
}
