package import TapeFormat

/// Computes the state of a store after any event, from full states and patches.
///
/// It caches cursors, so that reading consecutive states applies each patch only once.
package final class States: Sendable {
    package enum Answer: Sendable {
        case state(HeldState)
        /// The event has no state; the nearest events that have one.
        case skipped(before: Int?, after: Int?)
        /// The event's patch, or one before it, doesn't apply; the nearest events that have a state.
        case broken(before: Int?, after: Int?)
        /// The store isn't attached.
        case absent
    }

    private struct CachedCursor {
        let tape: Int64
        let cursor: StateCursor
        let used = ContinuousClock.now
    }

    /// The maximum size of a state as JSON text without escapes, in bytes.
    package let maxState: Int
    /// The size of a state that is held as text, in bytes.
    private let largeState: Int
    /// The cached cursors, the most recently used last.
    private let cached = Locked<[CachedCursor]>([])
    private static let maxCached = 64
    /// The most memory that the cached cursors take, if there are several, in bytes.
    private let maxCost: Int
    /// How long a cursor stays that alone costs more than all may.
    package static let largeStateKept = Duration.seconds(5)
    /// Up to so many stores of a tape are looked at one by one.
    private static let maxSearched = 16

    package init(maxState: Int = Limits.state, maxCost: Int = 64 << 20, largeState: Int = LargeState.compared) {
        (self.maxState, self.maxCost, self.largeState) = (maxState, maxCost, largeState)
    }

    /// The state of a store after an event; a `seq` outside of the tape is clamped.
    package func state(of tape: some TapeSource, store: String, after seq: Int) throws -> Answer {
        let seq = min(max(-1, seq), tape.seqs.upperBound - 1)
        let cursor = try cursor(tape, store, at: seq)
        switch cursor.value {
        case .absent: return .absent
        case .broken:
            return .broken(
                before: try seqWithState(tape, store, before: seq), after: try tape.nextState(of: store, after: seq))
        case .state(let state):
            guard cursor.isSkipped else { return .state(state) }
            return .skipped(
                before: try seqWithState(tape, store, before: seq), after: try seqWithState(tape, store, after: seq))
        }
    }

    /// The known states of all stores after `seq`.
    package func states(of tape: some TapeSource, after seq: Int) throws -> [String: JSON] {
        try cursors(tape, at: seq).reduce(into: [:]) { states, cursor in
            states[cursor.store] = try cursor.known?.json()
        }
    }

    /// The last state of each store that is attached at the end of the tape.
    package func latest(of tape: some TapeSource) throws -> [String: JSON] {
        let end = tape.seqs.upperBound - 1
        var broken = 0
        return try cursors(tape, at: end).reduce(into: [:]) { states, cursor in
            switch cursor.value {
            case .absent: break
            case .state(let state): states[cursor.store] = try state.json()
            case .broken:
                broken += 1
                // Each is a search of its own.
                guard broken <= Self.maxSearched,
                    let before = try seqWithState(tape, cursor.store, before: end),
                    case .state(let state) = try state(of: tape, store: cursor.store, after: before)
                else { break }
                states[cursor.store] = try state.json()
            }
        }
    }

    /// The cursors of all stores at an event. Those of many are moved in one walk over the lines.
    private func cursors(_ tape: some TapeSource, at seq: Int) throws -> [StateCursor] {
        let seq = min(max(-1, seq), tape.seqs.upperBound - 1)
        let stores = try tape.stores(upTo: seq)
        guard stores.count > Self.maxSearched else { return try stores.map { try cursor(tape, $0, at: seq) } }
        var cursors = try stores.map { try begin(tape, $0, upTo: seq) }
        let places = Dictionary(
            cursors.indices.map { (UTF8Text(cursors[$0].store), $0) }, uniquingKeysWith: { $1 })
        let first = (cursors.map(\.seq).min() ?? seq) + 1
        // A cursor begins after the last gap, unless the state that it would begin with is damaged.
        let lastGap = try tape.base(of: nil, upTo: seq)?.seq ?? -1
        let behind = cursors.indices.filter { cursors[$0].seq < lastGap }
        try tape.each(in: first..<max(first, seq + 1)) { line in
            let moved =
                line.kind == .gap
                ? line.seq > lastGap ? Array(cursors.indices) : behind
                : places[UTF8Text(line.store)].map { [$0] } ?? []
            for index in moved {
                guard let reason = cursors[index].take(line) else { continue }
                try? markBroken(tape, line.store, at: line.seq, reason)
            }
            return true
        }
        return cursors
    }

    /// The patch between a store's states in two tapes; nil if a state isn't known.
    package func patch(
        from tape: some TapeSource, after seq: Int, to other: some TapeSource, after otherSeq: Int, store: String
    ) throws -> Patch? {
        guard case .state(let old) = try state(of: tape, store: store, after: seq),
            case .state(let new) = try state(of: other, store: store, after: otherSeq)
        else { return nil }
        return Patch.between(try old.json(), try new.json())
    }

    /// Moves a store's cursor to `seq`, from a cached cursor or from the nearest base.
    package func cursor(_ tape: some TapeSource, _ store: String, at seq: Int) throws -> StateCursor {
        var cursor = try takeCached(tape, store, upTo: seq) ?? begin(tape, store, upTo: seq)
        var steps = 0
        try tape.each(in: cursor.seq + 1..<seq + 1) { line in
            // A gap that contains the seq makes the state unknown.
            if let reason = cursor.take(line) {
                // A failure to mark doesn't matter: the next reader marks the patch.
                try? markBroken(tape, store, at: line.seq, reason)
            }
            steps += 1
            // Cache cursors along a long way, for readers that step back.
            if steps % 512 == 0 { cache(tape, cursor) }
            return true
        }
        cache(tape, cursor)
        return cursor
    }

    /// Marks a line's patch as broken, unless the tape has the mark.
    package func markBroken(_ tape: some TapeSource, _ store: String, at seq: Int, _ reason: String) throws {
        guard try tape.base(of: store, upTo: seq) != StateBase(seq: seq, kind: .broken) else { return }
        try tape.markBroken(BrokenPatch(store: store, seq: seq, reason: reason))
    }

    /// The last line that sets or clears the store's base, or the last gap, and whether the store is attached there.
    package func nearest(
        _ tape: some TapeSource, _ store: String, upTo seq: Int
    ) throws -> (base: StateBase, attached: Bool)? {
        let own = try tape.base(of: store, upTo: seq)
        let gap = try tape.base(of: nil, upTo: seq)
        guard let base = [own, gap].compactMap({ $0 }).max(by: { $0.seq < $1.seq }) else { return nil }
        return (base, own.map { $0.kind != .detach } ?? false)
    }

    private func begin(_ tape: some TapeSource, _ store: String, upTo seq: Int) throws -> StateCursor {
        /// A cursor without a state, before a seq.
        func cursor(before seq: Int, isAttached: Bool) -> StateCursor {
            StateCursor(
                store: store, before: seq, isAttached: isAttached, maxState: maxState, largeState: largeState)
        }
        var last: StateBase?
        var end = seq
        var wasAttached = false
        while let (base, attached) = try nearest(tape, store, upTo: end) {
            switch base.kind {
            case .keyframe:
                guard let state = try tape.keyframe(of: store, at: base.seq) else {
                    // The keyframe is damaged: start from an earlier base instead.
                    wasAttached = true
                    end = base.seq - 1
                    continue
                }
                return try StateCursor(
                    store: store, after: base.seq, state: state, maxState: maxState, largeState: largeState)
            case .state:
                if let line = try tape.line(at: base.seq), line.raw("state") != nil {
                    // Taken from this line: the server may replace the state by a patch before a reader asks again.
                    var cursor = cursor(before: base.seq, isAttached: attached)
                    _ = cursor.take(line)
                    return cursor
                }
                guard base == last else {
                    // The server replaced the full state by a patch meanwhile, so that the line is no longer a base; or
                    // the line is missing, and the next iteration returns the same base.
                    last = base
                    continue
                }
            case .detach:
                // No base follows the detach.
                return cursor(before: seq + 1, isAttached: false)
            default: break
            }
            return cursor(before: base.seq, isAttached: attached)
        }
        return cursor(before: 0, isAttached: wasAttached)
    }

    private func takeCached(_ tape: some TapeSource, _ store: String, upTo seq: Int) throws -> StateCursor? {
        let base = try nearest(tape, store, upTo: seq)?.base.seq ?? -1
        return cached.withLock { cached in
            let fit = cached.indices.filter {
                cached[$0].tape == tape.key && cached[$0].cursor.store.hasSameUTF8(as: store)
                    && base...max(base, seq) ~= cached[$0].cursor.seq
            }
            guard let index = fit.max(by: { cached[$0].cursor.seq < cached[$1].cursor.seq }) else { return nil }
            // One that moves is removed, so that its state is changed in place without a copy. One that is there stays, so
            // that others who ask for it meanwhile don't build it again.
            return cached[index].cursor.seq == seq ? cached[index].cursor : cached.remove(at: index).cursor
        }
    }

    private func cache(_ tape: some TapeSource, _ cursor: StateCursor) {
        cached.withLock { [maxCost] cached in
            cached.removeAll { $0.tape == tape.key && $0.cursor.isSamePlace(as: cursor) }
            cached.append(CachedCursor(tape: tape.key, cursor: cursor))
            var cost = cached.reduce(0) { $0 + $1.cursor.cost }
            while cached.count > 1, cached.count > Self.maxCached || cost > maxCost {
                cost -= cached.removeFirst().cursor.cost
            }
        }
    }

    /// Removes a cursor that alone costs more than all may, unless it was used recently.
    package func forgetLarge(unusedFor time: Duration = largeStateKept) {
        let recent = ContinuousClock.now - time
        cached.withLock { [maxCost] in $0.removeAll { $0.cursor.cost > maxCost && $0.used <= recent } }
    }

    /// The approximate memory that the cached cursors take, in bytes.
    package var cost: Int { cached.withLock { $0.reduce(0) { $0 + $1.cursor.cost } } }

    /// The last line of the store before `seq` that has a state.
    private func seqWithState(_ tape: some TapeSource, _ store: String, before seq: Int) throws -> Int? {
        var end = seq
        while let (base, _) = try nearest(tape, store, upTo: end - 1) {
            guard base.kind == .state || base.kind == .keyframe else {
                end = base.seq
                continue
            }
            var found = base.seq
            try tape.each(in: max(base.seq, end - 1_024)..<end) { line in
                if line.hasState(of: store), line.seq < end { found = line.seq }
                return true
            }
            return found
        }
        return nil
    }

    /// The first line of the store after `seq` that has a state, unless a gap comes before it.
    private func seqWithState(_ tape: some TapeSource, _ store: String, after seq: Int) throws -> Int? {
        var found: Int?
        try tape.each(in: seq + 1..<max(seq + 1, min(tape.seqs.upperBound, seq + 1_025))) { line in
            if line.hasState(of: store) { found = line.seq }
            return found == nil && line.kind != .gap
        }
        return try found ?? tape.nextState(of: store, after: seq)
    }
}

extension EventLine {
    fileprivate func hasState(of store: String) -> Bool {
        self.store.hasSameUTF8(as: store) && (raw("state") != nil || raw("patch") != nil)
    }
}
