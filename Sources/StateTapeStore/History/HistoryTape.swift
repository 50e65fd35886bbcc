/// The steps of a history, and the state before them. States are computed, never kept, so that a step costs no copy.
struct HistoryTape<State, Action> {
    /// The state before the first step.
    private(set) var base: State
    /// A slice, because an array moves all elements when it drops the first one.
    private(set) var steps: ArraySlice<HistoryStep<State, Action>> = []
    /// How many of the steps the current state includes.
    private(set) var position = 0
    /// How many steps were dropped at the beginning.
    private(set) var dropped = 0

    init(base: State) {
        self.base = base
    }

    var positions: ClosedRange<Int> { dropped...dropped + steps.count }

    /// Whether decoded numbers are possible, far from overflow.
    var isValid: Bool { 0...steps.count ~= position && 0...Int.max / 2 ~= dropped }

    func state(_ reducer: Reducer<State, Action>) -> State {
        var state = base
        for step in steps.prefix(position) { step.apply(to: &state, reducer) }
        return state
    }

    /// Adds a step after the position. The steps that followed the position are lost.
    mutating func add(_ cause: HistoryStep<State, Action>.Cause) {
        if position < steps.count { steps.removeLast(steps.count - position) }
        steps.append(HistoryStep(cause: cause))
        position += 1
    }

    /// Drops the oldest steps into the base, until there are at most `limit`, or until the position.
    mutating func drop(to limit: Int, _ reducer: Reducer<State, Action>) {
        let count = min(position, steps.count - limit)
        if count <= 0 { return }
        for step in steps.prefix(count) { step.apply(to: &base, reducer) }
        steps.removeFirst(count)
        position -= count
        dropped += count
    }

    /// - Returns: Whether the position has changed.
    mutating func move(to newPosition: Int) -> Bool {
        let clamped = min(max(newPosition, positions.lowerBound), positions.upperBound) - dropped
        defer { position = clamped }
        return position != clamped
    }

    /// - Returns: Whether the current state may have changed.
    mutating func skip(_ index: Int, _ isSkipped: Bool) -> Bool {
        guard positions.contains(index), index < positions.upperBound else { return false }
        let offset = index - dropped
        let slot = steps.startIndex + offset
        guard steps[slot].isSkipped != isSkipped else { return false }
        steps[slot].isSkipped = isSkipped
        return offset < position
    }
}

extension HistoryTape: Codable where State: Codable, Action: Codable {
    private enum CodingKeys: CodingKey {
        case base, steps, position, dropped
    }

    init(from decoder: any Decoder) throws {
        let members = try decoder.container(keyedBy: CodingKeys.self)
        base = try members.decode(State.self, forKey: .base)
        steps = try members.decode([HistoryStep<State, Action>].self, forKey: .steps)[...]
        position = try members.decode(Int.self, forKey: .position)
        dropped = try members.decode(Int.self, forKey: .dropped)
    }

    func encode(to encoder: any Encoder) throws {
        var members = encoder.container(keyedBy: CodingKeys.self)
        try members.encode(base, forKey: .base)
        try members.encode(Array(steps), forKey: .steps)
        try members.encode(position, forKey: .position)
        try members.encode(dropped, forKey: .dropped)
    }
}

extension HistoryTape: Sendable where State: Sendable, Action: Sendable {}
