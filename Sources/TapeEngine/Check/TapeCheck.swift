package import TapeFormat

/// Applies each patch of a tape, and compares the states that are kept beside its lines with those that the lines make.
package struct TapeCheck {
    private let tape: any TapeSource
    /// Below it, patches that don't apply are marked.
    private let marked: Int
    private var cursors: [UTF8Text: StateCursor] = [:]
    private var isBegun = false
    /// Read with the first line.
    private var broken: Set<Int>?

    /// The largest limit that a server can be given: a state that a server has marked as too large is no fault here.
    private static let maxState = 1 << 30
    /// Bytes of memory for the states of all stores.
    private static let maxCost = 512 << 20

    /// - Parameter marked: From this seq on, patches that don't apply may not be marked yet; nil if nothing is marked, and
    ///   each of them is a problem.
    package init(_ tape: any TapeSource, marked: Int? = nil) {
        self.tape = tape
        self.marked = marked ?? .max
    }

    /// Takes lines that follow each other, and the last ones taken.
    ///
    /// - Returns: A sentence for each problem.
    package mutating func take(_ lines: [EventLine]) throws -> [String] {
        guard let first = lines.first?.first, let last = lines.last?.seq else { return [] }
        // A tape that was cut out of a longer one has states before its first event.
        var problems = isBegun ? [] : try compare(after: first - 1..<first)
        isBegun = true
        let broken = try broken ?? tape.brokenSeqs()
        self.broken = broken
        problems += lines.compactMap { take($0, isMarked: broken.contains($0.seq)) }
        return try problems + compare(after: first..<last + 1)
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
        // Taken out, so that its state is changed in place.
        var cursor =
            cursors.removeValue(forKey: key)
            ?? StateCursor(store: line.store, before: line.seq, isAttached: false, maxState: Self.maxState)
        // A marked patch may be one that takes long to fail: it isn't tried again.
        let reason = isMarked ? cursor.skip(line) : cursor.take(line)
        cursors[key] = cursor
        if line.seq % 64 == 0 || line.bytes.count > 1 << 16,
            cursors.values.reduce(0, { $0 + $1.cost }) > Self.maxCost
        {
            // What isn't known isn't compared.
            cursors = [key: cursor]
        }
        guard let reason, line.seq < marked else { return nil }
        return "event \(line.seq): its patch doesn't apply: \(reason)"
    }

    /// Compares the states with those that are kept after these events, and goes on from what it doesn't know.
    private mutating func compare(after seqs: Range<Int>) throws -> [String] {
        try tape.keyframes(in: seqs).compactMap { store, seq in
            let place = "the state that is kept of store “\(store)” after event \(seq)"
            guard let state = try tape.keyframe(of: store, at: seq) else { return "\(place) can't be read" }
            defer {
                cursors[UTF8Text(store)] = StateCursor(
                    store: store, after: seq, state: state, maxState: Self.maxState)
            }
            guard let known = cursors[UTF8Text(store)]?.known, !known.hasSameText(as: state) else { return nil }
            return "\(place) is not what the lines make"
        }
    }
}
