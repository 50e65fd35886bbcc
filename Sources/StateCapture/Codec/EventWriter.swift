import TapeFormat

/// Encodes the actions and states of one store as event lines, without a queue or a server. It does the work of a
/// recorder's thread, for benchmarks.
package final class EventWriter<State: Codable, Action: Codable> {
    private let actions = ActionCodec<Action>()
    private let actionEncoder = ActionEncoder(.standard)
    private var writer: StateWriter<State>
    private var seq = 0

    /// - Parameter trusted: Types that are values although they hold class instances.
    package init(trusting trusted: [Any.Type] = []) {
        let layouts = Layouts()
        for type in trusted { layouts.trust(type) }
        precondition(layouts.isValue(State.self), "\(State.self) holds class instances")
        writer = StateWriter(StateCodec(), nil, layouts)
    }

    /// The line of an action.
    ///
    /// - Throws: Errors from encoding.
    package func line(_ action: Action, _ state: State) throws -> [UInt8] {
        actionEncoder.buffer.clear()
        try actions.capture(action, nil).write(to: actionEncoder)
        let record = actionEncoder.buffer.bytes
        var line: EventLine?
        try writer.write(.value(state)) { written, _ in
            line = EventLine(
                seq: seq, at: 0, kind: .action,
                members: [("action", .text(record)), written.member, ("took", .json(0))])
            return true
        }
        seq += 1
        return line?.bytes ?? []
    }
}
