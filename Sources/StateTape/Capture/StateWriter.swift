import TapeFormat

/// Turns each state into what changed since the one before.
///
/// It keeps the last state's tree and compares trees; nothing of the app's state itself is kept.
struct StateWriter<State> {
    /// How a state stands on the tape.
    enum Written {
        case full(JSON)
        case patch(Patch)

        var member: (String, JSON) {
            switch self {
            case .full(let tree): ("state", tree)
            case .patch(let patch): ("patch", patch.json)
            }
        }
    }

    private let tree: (State) throws -> (tree: JSON, size: Int)
    /// The last state that was written: the base of the next patch.
    private(set) var base: JSON?
    /// Bytes of the last state's text.
    private(set) var size = 0

    init(tree: @escaping (State) throws -> (tree: JSON, size: Int)) {
        self.tree = tree
    }

    /// Forgets the base: the next state is written in full.
    mutating func forget() {
        base = nil
    }

    /// Writes a state down if `isAccepted` takes what it looks like; else the base stays as it was.
    ///
    /// - Parameter full: Writes the whole state even where a patch would do.
    /// - Throws: What encoding throws; the base stays as it was.
    mutating func write(_ state: State, full: Bool = false, _ isAccepted: (Written) -> Bool) throws {
        let next: JSON
        (next, size) = try tree(state)
        if isAccepted(written(next, full: full)) { base = next }
    }

    private func written(_ next: JSON, full: Bool) -> Written {
        guard !full, let base else { return .full(next) }
        let patch = Patch.between(base, next)
        // A patch that replaces everything is the state, said less directly; one of many steps may be the longer text.
        if case .replace(let path, _)? = patch.operations.first, path.tokens.isEmpty { return .full(next) }
        if patch.operations.count > 64, patch.json.bytes.count > size { return .full(next) }
        return .patch(patch)
    }
}
