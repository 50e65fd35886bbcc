import TapeFormat

/// How states of one type are written and read.
///
/// It is made where the type's conformances are known, so that they are bound there: looked up at run time, a conformance
/// that is isolated to the main actor is missing on every other thread.
struct StateCodec<State> {
    let tree: (State) throws -> (tree: JSON, size: Int)
    /// A state from the tape, with the members that it lacks from the app's own initial one.
    let read: (_ tape: JSON, _ initial: JSON?) throws(Pushed.Failure) -> Overlay.Outcome<State>
}

extension StateCodec where State: Codable {
    init() {
        let encoder = TreeEncoder()
        tree = { try encoder.sized($0) }
        read = { (tape, initial) throws(Pushed.Failure) in try Overlay.decode(State.self, from: tape, over: initial) }
    }
}
