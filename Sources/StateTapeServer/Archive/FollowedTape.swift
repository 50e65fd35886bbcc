#if Server
    import TapeEngine
    import TapeFormat

    /// What is known of a tape at the place up to which it was followed: the states of its stores, and the lines that
    /// are not sealed.
    struct FollowedTape: Sendable {
        private struct Store {
            var cursor: StateCursor
            /// Bytes of lines since the state's base, which a reader has to go through.
            var distance = 0

            /// The state after an event, if it is known and far from its base.
            ///
            /// - Parameter bytes: Of the lines since the last call.
            mutating func keyframe(at seq: Int, after bytes: Int) throws -> Seal.Keyframe? {
                distance += bytes
                guard distance > nearest, distance > Self.farthest(cursor.text), let state = cursor.known else {
                    return nil
                }
                distance = 0
                return Seal.Keyframe(store: cursor.store, seq: seq, state: try Zstd.compress(state.bytes))
            }

            /// Bytes of lines that may lie between a state of so many bytes and its base: few enough to read them about
            /// as fast as the state itself, enough to make keyframes a small part of the whole.
            private static func farthest(_ state: Int) -> Int { max(nearest, min(4 * state, 1 << 20), state) }
        }

        /// Bytes of lines between two keyframes at least.
        private static let nearest = 256 << 10

        /// Everything below was looked at.
        private(set) var next: Int
        private var stores: [UTF8Text: Store] = [:]
        /// Stores whose states would take too much, and are read again with their next line.
        private var dropped: Set<UTF8Text> = []
        private static let maxCost = 128 << 20
        private var draft: SealDraft
        private var names: NameNumbers

        /// About the bytes that it takes.
        var cost: Int { stores.values.reduce(2 * draft.bytes + names.bytes) { $0 + $1.cursor.cost } }

        /// Begins where the session's sealed lines end.
        init(_ tape: ArchivedTape, _ archive: any Archive, _ states: States) throws {
            let session = tape.session
            next = session.sealed
            draft = SealDraft(from: session.sealed)
            names = NameNumbers(try archive.names(of: session.row, from: 0))
            guard next > 0 else { return }
            for store in try archive.stores(of: session.row, upTo: next - 1) {
                let cursor = try states.cursor(tape, store, at: next - 1)
                guard !cursor.isAbsent else { continue }
                let base = try states.nearest(tape, store, upTo: next - 1)?.base.seq ?? 0
                // A gap may stand for more events than any product holds.
                let share = Double(next - base) / Double(max(1, session.next))
                stores[UTF8Text(store)] = Store(cursor: cursor, distance: Int(share * Double(session.bytes)))
            }
        }

        /// Takes the next line.
        ///
        /// - Returns: A chunk, if the line has filled it.
        mutating func take(_ line: EventLine, _ tape: ArchivedTape, _ states: States) throws -> Seal? {
            guard line.seq >= next else { return nil }
            let (kept, patch) = try follow(line, tape, states)
            draft.append(kept, patch)
            if line.base == .state, kept.base == nil { draft.dropBase(line) }
            next = line.seq + 1
            return draft.isFull ? try seal(tape.session) : nil
        }

        /// Seals the lines that were taken; nil if there are none.
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

        /// Carries the states on by a line.
        ///
        /// - Returns: The line to keep, and its patch.
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
            // Taken out, so that its state is changed in place.
            var store =
                try stores.removeValue(forKey: key) ?? reloaded(key, line, tape, states)
                ?? Store(
                    cursor: StateCursor(
                        store: line.store, before: line.seq, isAttached: false, maxState: states.maxState))
            let kept = store.cursor.patching(line) ?? line
            let patch = kept["patch"]
            if let reason = store.cursor.take(kept, patch) {
                try states.markBroken(tape, line.store, at: line.seq, reason)
            }
            // What of the draft comes before the line doesn't count.
            if kept.base == .state { store.distance = -draft.bytes }
            if line.kind != .detach { stores[key] = store }
            // Adding up is not worth while after each small line.
            if line.seq % 64 == 0 || line.bytes.count > 1 << 16 { drop(but: key) }
            return (kept, patch)
        }

        /// Bounds what many stores take together.
        private mutating func drop(but key: UTF8Text) {
            guard stores.count > 1, stores.values.reduce(0, { $0 + $1.cursor.cost }) > Self.maxCost else { return }
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
#endif
