package import TapeFormat

/// Checks a tape: applies each patch, and compares stored states with those that the events produce.
package struct TapeCheck {
    private let tape: any TapeSource
    /// Before this seq, the tape marks the patches that don't apply.
    private let marked: Int
    private var cursors: [UTF8Text: StateCursor] = [:]
    private var isBegun = false
    /// Nil before the first line.
    private var broken: Set<Int>?
    private var wrongStates: [(store: String, seq: Int)] = []

    /// The maximum of the server's `--max-state`: the check accepts any state that a server may have accepted.
    private static let maxState = 1 << 30
    /// The memory for the states of all stores, in bytes.
    private static let maxCost = 512 << 20

    /// - Parameter marked: From this seq on, the tape has not marked broken patches yet, and they are not a problem. Nil if
    ///   each unmarked broken patch is a problem.
    package init(_ tape: any TapeSource, marked: Int? = nil) {
        self.tape = tape
        self.marked = marked ?? .max
    }

    /// Checks the next lines, which must follow the lines of the last call.
    ///
    /// - Returns: A message for each problem.
    package mutating func take(_ lines: [EventLine]) throws -> [String] {
        guard let first = lines.first?.first, let last = lines.last?.seq else { return [] }
        // A part of a longer tape has the states before its first event in its header.
        var problems = isBegun ? [] : try compare(after: first - 1..<first)
        isBegun = true
        let broken = try broken ?? tape.brokenSeqs()
        self.broken = broken
        problems += lines.compactMap { take($0, isMarked: broken.contains($0.seq)) }
        return try problems + compare(after: first..<last + 1)
    }

    /// The stored states found since the last call that aren't those that the events lead to.
    package mutating func takeWrongStates() -> [(store: String, seq: Int)] {
        defer { wrongStates = [] }
        return wrongStates
    }

    private mutating func take(_ line: EventLine, isMarked: Bool) -> String? {
        switch line.kind {
        case .gap:
            for key in Array(cursors.keys) { _ = cursors[key]?.take(line) }
            return nil
        case .note, .end: return nil
        default: break
        }
        let key = UTF8Text(line.store)
        // Removed from the dictionary, so that the state is changed in place without a copy.
        var cursor =
            cursors.removeValue(forKey: key)
            ?? StateCursor(store: line.store, before: line.seq, isAttached: false, maxState: Self.maxState)
        // A marked patch isn't applied again: it may take long to fail.
        let reason = isMarked ? cursor.skip(line) : cursor.take(line)
        cursors[key] = cursor
        if line.seq % 64 == 0 || line.bytes.count > 1 << 16,
            cursors.values.reduce(0, { $0 + $1.cost }) > Self.maxCost
        {
            // Stores without a known state aren't compared.
            cursors = [key: cursor]
        }
        guard let reason, line.seq < marked else { return nil }
        return "event \(line.seq): its patch doesn't apply: \(reason)"
    }

    /// Compares the states with those stored after these events, and continues from the stored ones.
    private mutating func compare(after seqs: Range<Int>) throws -> [String] {
        try tape.keyframes(in: seqs).compactMap { store, seq in
            let place = "the stored state of store “\(store)” after event \(seq)"
            guard let state = try tape.keyframe(of: store, at: seq) else { return "\(place) can't be read" }
            defer {
                cursors[UTF8Text(store)] = try? StateCursor(
                    store: store, after: seq, state: state, maxState: Self.maxState)
            }
            guard let known = cursors[UTF8Text(store)]?.known, try !known.json().hasSameText(as: state.json()) else {
                return nil
            }
            wrongStates.append((store, seq))
            return "\(place) differs from the state that its events lead to"
        }
    }
}
