import TapeArchive
import TapeEngine
import TapeFormat

/// A tape as known up to some event: the states of its stores, and the lines that are not sealed yet.
struct FollowedTape: Sendable {
    private struct Store {
        var cursor: StateCursor
        /// Bytes of lines since the state's base. A reader has to read all of them.
        var distance = 0

        /// A keyframe after `seq`, if the state is known and far enough from its base.
        ///
        /// - Parameter bytes: Bytes of the lines since the last call.
        mutating func keyframe(at seq: Int, after bytes: Int) throws -> Seal.Keyframe? {
            distance += bytes
            guard distance > nearest, distance > Self.farthest(cursor.text), let state = cursor.known else {
                return nil
            }
            distance = 0
            return Seal.Keyframe(store: cursor.store, seq: seq, state: try Zstd.compress(state))
        }

        /// The most bytes of lines between a state of this size and its base. Few enough to read them about as fast
        /// as the state itself; enough to keep the keyframes' share of the archive small.
        private static func farthest(_ state: Int) -> Int { max(nearest, min(4 * state, 1 << 20), state) }
    }

    /// A patch of a line that is not stored yet.
    private struct DoesNotApply: Error {}

    /// The fewest bytes of lines between two keyframes.
    private static let nearest = 256 << 10

    /// A session with the same id may be another one by now: it was deleted and uploaded again.
    let row: Int64
    /// Every event below was processed.
    private(set) var next: Int
    private var stores: [UTF8Text: Store] = [:]
    /// Stores whose states took too much memory. They are read again with their next line.
    private var dropped: Set<UTF8Text> = []
    private static let maxCost = 128 << 20
    /// Whether the lines are followed before they are stored.
    private let isAhead: Bool
    private var draft: SealDraft
    private var names: NameNumbers

    /// The approximate memory in bytes.
    var cost: Int { stores.values.reduce(2 * draft.bytes + names.bytes) { $0 + $1.cursor.cost } }

    /// Starts after the session's sealed lines.
    ///
    /// - Parameter isAhead: The lines are not stored yet: a patch that doesn't apply is an error, not a mark.
    init(_ tape: ArchivedTape, _ archive: any TapeStore, _ states: States, isAhead: Bool = false) throws {
        let session = tape.session
        self.isAhead = isAhead
        row = session.row
        next = session.sealed
        draft = SealDraft(from: session.sealed)
        names = NameNumbers(try archive.names(of: session.row, from: 0))
        guard next > 0 else { return }
        for store in try archive.stores(of: session.row, upTo: next - 1) {
            let cursor = try states.cursor(tape, store, at: next - 1)
            guard !cursor.isAbsent else { continue }
            let base = try states.nearest(tape, store, upTo: next - 1)?.base.seq ?? 0
            // As doubles: a gap may stand for more events than an integer product holds.
            let share = Double(next - base) / Double(max(1, session.next))
            stores[UTF8Text(store)] = Store(cursor: cursor, distance: Int(share * Double(session.bytes)))
        }
    }

    /// Takes the next line.
    ///
    /// - Returns: A chunk, if the line has filled one.
    mutating func take(_ line: EventLine, _ tape: ArchivedTape, _ states: States) throws -> Seal? {
        guard line.seq >= next else { return nil }
        let (kept, patch) = try follow(line, tape, states)
        draft.append(kept, patch)
        if line.base == .state, kept.base == nil { draft.dropBase(line) }
        next = line.seq + 1
        return draft.isFull ? try seal(tape.session) : nil
    }

    /// Seals the lines taken so far; nil if there are none.
    mutating func seal(_ session: Session) throws -> Seal? {
        guard !draft.isEmpty else { return nil }
        let bytes = draft.bytes
        let last = draft.covers.upperBound - 1
        var seal = try draft.seal(session, &names)
        for key in Array(stores.keys) {
            if let keyframe = try stores[key]?.keyframe(at: last, after: bytes) {
                seal.keyframes.append(keyframe)
            }
        }
        return seal
    }

    /// Updates the states with a line.
    ///
    /// - Returns: The line to store, and its patch.
    private mutating func follow(
        _ line: EventLine, _ tape: ArchivedTape, _ states: States
    ) throws -> (EventLine, patch: JSON?) {
        switch line.kind {
        case .gap:
            for key in Array(stores.keys) { _ = stores[key]?.cursor.take(line) }
            return (line, nil)
        case .note, .end: return (line, nil)
        default: break
        }
        let key = UTF8Text(line.store)
        // Removed from the dictionary, so that the state is changed in place.
        var store =
            try stores.removeValue(forKey: key) ?? reloaded(key, line, tape, states)
            ?? Store(
                cursor: StateCursor(
                    store: line.store, before: line.seq, isAttached: false, maxState: states.maxState))
        let kept = store.cursor.patching(line) ?? line
        let patch = kept["patch"]
        if let reason = store.cursor.take(kept, patch) {
            if isAhead { throw DoesNotApply() }
            try states.markBroken(tape, line.store, at: line.seq, reason)
        }
        // Lines of the draft before this one don't count.
        if kept.base == .state { store.distance = -draft.bytes }
        if line.kind != .detach { stores[key] = store }
        // Not after each small line: computing the total costs too much.
        if line.seq % 64 == 0 || line.bytes.count > 1 << 16 { drop(but: key) }
        return (kept, patch)
    }

    /// Limits the memory of all stores together.
    private mutating func drop(but key: UTF8Text) {
        // What is dropped is read again, for which its lines must be stored. Those of an upload may not be, so that it
        // has a lower limit.
        guard !isAhead, stores.count > 1, stores.values.reduce(0, { $0 + $1.cursor.cost }) > Self.maxCost else {
            return
        }
        dropped.formUnion(stores.keys.filter { $0 != key })
        stores = stores.filter { $0.key == key }
    }

    private mutating func reloaded(
        _ key: UTF8Text, _ line: EventLine, _ tape: ArchivedTape, _ states: States
    ) throws -> Store? {
        guard dropped.remove(key) != nil else { return nil }
        return Store(cursor: try states.cursor(tape, line.store, at: line.first - 1))
    }
}
