import StateCapture
import TapeFormat

// Describes the store's types for readers of the tape, on the recorder's thread.
extension StoreRecorder {
    /// Names the table of types: stores of the same types share it.
    private var typeTableID: [ObjectIdentifier] {
        [ObjectIdentifier(State.self), ObjectIdentifier(Action.self)]
            + (actions.named ?? []).map { ObjectIdentifier($0.type) }
    }

    /// The longest state that is compared with its JSON, in bytes.
    private static var longestExample: Int { 1 << 20 }

    /// The table for the store's `init` line; nil if the types can't be read, as with an unknown compiler.
    ///
    /// - Parameters:
    ///   - snapshot: The state of the line.
    ///   - content: The state's JSON.
    /// - Returns: The event of another store that has the same table, if there is one.
    func typeTable(
        of snapshot: Snapshot<State>, _ content: EventLine.Content, in session: isolated RecordingSession
    ) -> JSON? {
        guard session.layouts.comparison == .layout else { return nil }
        if let seq = session.typeTables[typeTableID] { return ["seq": .number(JSON.Number(seq))] }
        var example: (state: Any, json: JSON)?
        if case .value(let state) = snapshot, case .text(let text) = content, text.count <= Self.longestExample {
            example = (try? JSON(parsing: text)).map { (state, $0) }
        }
        return TypeTable.json(state: State.self, action: Action.self, named: actions.named, example: example)
    }

    /// Notes the event that has the table.
    func keepTypeTable(seq: Int, in session: isolated RecordingSession) {
        if session.typeTables[typeTableID] == nil { session.typeTables[typeTableID] = seq }
    }
}
