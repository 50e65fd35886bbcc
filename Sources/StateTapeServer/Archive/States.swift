#if Server
    import Synchronization
    import TapeFormat

    /// Gives the state of a store after any event, out of full states and patches.
    ///
    /// Walks that were made are kept where they ended, so that reading states one after the other applies each patch
    /// once.
    final class States: Sendable {
        enum Answer: Sendable {
            case state(JSON)
            /// The event carried no state; the nearest ones that have one.
            case skipped(before: Int?, after: Int?)
            /// Its patch, or one before it, has nothing that it applies to.
            case broken(before: Int?, after: Int?)
            /// The store isn't attached there.
            case absent
        }

        /// A patch that doesn't apply.
        struct Break: Sendable {
            let session: Session
            let store: String
            let seq: Int
            let reason: String
        }

        private struct Kept {
            let session: Int64
            let walk: StoreWalk
        }

        private let archive: any Archive
        private let tape: TapeReader
        private let broke: @Sendable (Break) -> Void
        /// Bytes that a state may have as JSON text, without escapes.
        let maxState: Int
        /// The last used at the end.
        private let kept = Mutex<[Kept]>([])
        private static let maxKept = 64
        private static let maxCost = 64 << 20

        /// - Parameter broke: Hears of every patch that doesn't apply, the first time that it is met.
        init(
            _ archive: any Archive, _ tape: TapeReader, maxState: Int = Limits.state,
            broke: @escaping @Sendable (Break) -> Void
        ) {
            self.maxState = maxState
            self.archive = archive
            self.tape = tape
            self.broke = broke
        }

        /// The state of a store after an event of the session that is committed; after the last, where `seq` lies behind.
        func state(of session: Session, store: String, after seq: Int) throws -> Answer {
            let seq = min(max(-1, seq), session.next - 1)
            let walk = try walk(session, store, to: seq)
            switch walk.value {
            case .absent: return .absent
            case .broken:
                return .broken(
                    before: try seqWithState(session, store, before: seq),
                    after: try archive.nextState(of: session.row, store: store, after: seq))
            case .state(let state):
                guard walk.isSkipped else { return .state(state) }
                return .skipped(
                    before: try seqWithState(session, store, before: seq),
                    after: try seqWithState(session, store, after: seq))
            }
        }

        /// The states of all stores that have one after `seq`.
        func states(of session: Session, after seq: Int) throws -> [String: JSON] {
            try archive.stores(of: session.row, upTo: seq).reduce(into: [:]) { states, store in
                if case .state(let state) = try self.state(of: session, store: store, after: seq) {
                    states[store] = state
                }
            }
        }

        /// The last state of each store that is attached at the end of the tape.
        func latest(of session: Session) throws -> [String: JSON] {
            let end = session.next - 1
            return try archive.stores(of: session.row, upTo: end).reduce(into: [:]) { states, store in
                switch try state(of: session, store: store, after: end) {
                case .state(let state): states[store] = state
                case .skipped(let before?, _), .broken(let before?, _):
                    if case .state(let state) = try state(of: session, store: store, after: before) {
                        states[store] = state
                    }
                default: break
                }
            }
        }

        /// Records that a line's patch doesn't apply.
        func markBroken(_ session: Session, _ store: String, at seq: Int, _ reason: String) throws {
            let known = try archive.base(of: session.row, store: store, upTo: seq)
            guard known != Base(seq: seq, kind: .broken) else { return }
            try archive.markBroken(session.row, store: store, at: seq)
            broke(Break(session: session, store: store, seq: seq, reason: reason))
        }

        /// Walks a store to `seq`, from where an earlier walk ended or from the nearest base.
        func walk(_ session: Session, _ store: String, to seq: Int) throws -> StoreWalk {
            var walk = try takeKept(session, store, upTo: seq) ?? begin(session, store, upTo: seq)
            var steps = 0
            try tape.each(of: session.row, in: walk.seq + 1..<seq + 1) { line in
                // A gap that goes beyond the seq holds it: the state is unknown there.
                if let reason = walk.take(line) {
                    do {
                        try markBroken(session, walk.store, at: line.seq, reason)
                    } catch is Unwritable {
                        // What is there can be read meanwhile; the mark is made by whoever reads it later.
                    }
                }
                steps += 1
                // On a long way leave walks behind, for whoever steps back.
                if steps % 512 == 0 { keep(session, walk) }
                return true
            }
            keep(session, walk)
            return walk
        }

        /// The nearest line that sets or clears the store's base, a gap included, and how to begin there.
        func nearest(_ session: Session, _ store: String, upTo seq: Int) throws -> (base: Base, attached: Bool)? {
            let own = try archive.base(of: session.row, store: store, upTo: seq)
            let gap = try archive.base(of: session.row, store: nil, upTo: seq)
            guard let base = [own, gap].compactMap({ $0 }).max(by: { $0.seq < $1.seq }) else { return nil }
            return (base, own.map { $0.kind != .detach } ?? false)
        }

        private func begin(_ session: Session, _ store: String, upTo seq: Int) throws -> StoreWalk {
            /// A walk without a state, that goes on behind a seq.
            func walk(before seq: Int, isAttached: Bool) -> StoreWalk {
                StoreWalk(store: store, before: seq, isAttached: isAttached, maxState: maxState)
            }
            var last: Base?
            var end = seq
            var wasAttached = false
            while let (base, attached) = try nearest(session, store, upTo: end) {
                switch base.kind {
                case .keyframe:
                    guard let bytes = try? archive.keyframe(of: session.row, store: store, at: base.seq),
                        let state = try? JSON(parsing: bytes)
                    else {
                        // Damaged: the lines since the base before make the same state.
                        wasAttached = true
                        end = base.seq - 1
                        continue
                    }
                    return StoreWalk(store: store, after: base.seq, state: state, maxState: maxState)
                case .state where try base != last && tape.line(of: session.row, at: base.seq)?.raw("state") == nil:
                    // It was sealed as a patch between the two readings, and is a base no more; or the line is gone, and
                    // is the base once more.
                    last = base
                    continue
                case .detach:
                    // Nothing sets a base from there on.
                    return walk(before: seq + 1, isAttached: false)
                default: break
                }
                return walk(before: base.seq, isAttached: attached)
            }
            return walk(before: 0, isAttached: wasAttached)
        }

        private func takeKept(_ session: Session, _ store: String, upTo seq: Int) throws -> StoreWalk? {
            let base = try nearest(session, store, upTo: seq)?.base.seq ?? -1
            return kept.withLock { kept in
                let fit = kept.indices.filter {
                    kept[$0].session == session.row && kept[$0].walk.store.utf8.elementsEqual(store.utf8)
                        && base...max(base, seq) ~= kept[$0].walk.seq
                }
                // Taken out, so that the walk on changes its state in place.
                return fit.max { kept[$0].walk.seq < kept[$1].walk.seq }.map { kept.remove(at: $0).walk }
            }
        }

        private func keep(_ session: Session, _ walk: StoreWalk) {
            kept.withLock { kept in
                kept.removeAll { $0.session == session.row && $0.walk.isSamePlace(as: walk) }
                kept.append(Kept(session: session.row, walk: walk))
                var cost = kept.reduce(0) { $0 + $1.walk.cost }
                while kept.count > 1, kept.count > Self.maxKept || cost > Self.maxCost {
                    cost -= kept.removeFirst().walk.cost
                }
            }
        }

        /// The last line of the store before `seq` that has a state.
        private func seqWithState(_ session: Session, _ store: String, before seq: Int) throws -> Int? {
            var end = seq
            while let (base, _) = try nearest(session, store, upTo: end - 1) {
                guard base.kind == .state || base.kind == .keyframe else {
                    end = base.seq
                    continue
                }
                var found = base.seq
                try tape.each(of: session.row, in: max(base.seq, end - 1_024)..<end) { line in
                    if line.hasState(of: store), line.seq < end { found = line.seq }
                    return true
                }
                return found
            }
            return nil
        }

        /// The first line of the store after `seq` that has a state, unless a gap comes before it.
        private func seqWithState(_ session: Session, _ store: String, after seq: Int) throws -> Int? {
            var found: Int?
            try tape.each(of: session.row, in: seq + 1..<max(seq + 1, min(session.next, seq + 1_025))) { line in
                if line.hasState(of: store) { found = line.seq }
                return found == nil && line.kind != .gap
            }
            return try found ?? archive.nextState(of: session.row, store: store, after: seq)
        }
    }

    extension EventLine {
        fileprivate func hasState(of store: String) -> Bool {
            self.store.utf8.elementsEqual(store.utf8) && (raw("state") != nil || raw("patch") != nil)
        }
    }
#endif
