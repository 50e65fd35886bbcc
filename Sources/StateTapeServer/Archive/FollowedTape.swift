#if Server
    import TapeFormat

    /// What is known of a tape at the place up to which it was followed: the states of its stores, and the lines that
    /// are not sealed.
    struct FollowedTape: Sendable {
        /// Everything below was looked at.
        private(set) var next: Int
        private var walks: [String: StoreWalk] = [:]
        private var draft: SealDraft
        private var names: NameNumbers
        /// Bytes of lines since each store's base, which reading a state has to go through.
        private var distance: [String: Int] = [:]

        /// About the bytes that it takes.
        var cost: Int { walks.values.reduce(draft.bytes) { $0 + $1.cost } }

        /// Begins where the session's sealed lines end.
        init(_ session: Session, _ archive: any Archive, _ states: States) throws {
            next = session.sealed
            draft = SealDraft(from: session.sealed)
            names = NameNumbers(try archive.names(of: session.row, from: 0))
            guard next > 0 else { return }
            for store in try archive.stores(of: session.row, upTo: next - 1) {
                let walk = try states.walk(session, store, to: next - 1)
                guard !walk.isAbsent else { continue }
                walks[store] = walk
                let base = try states.nearest(session, store, upTo: next - 1)?.base.seq ?? 0
                distance[store] = (next - base) * session.bytes / max(1, session.next)
            }
        }

        /// Takes the next line.
        ///
        /// - Returns: A chunk, if the line has filled it.
        mutating func take(_ line: EventLine, _ session: Session, _ states: States) throws -> Seal? {
            guard line.seq >= next else { return nil }
            let kept = try follow(line, session, states)
            draft.append(kept)
            next = line.seq + 1
            for store in distance.keys { distance[store]? += kept.bytes.count }
            if kept.base == .state {
                distance[line.store] = 0
            } else if line.base == .state {
                draft.dropBase(line)
            }
            return draft.isFull ? try seal(session) : nil
        }

        /// Seals the lines that were taken; nil if there are none.
        mutating func seal(_ session: Session) throws -> Seal? {
            guard !draft.isEmpty else { return nil }
            let last = draft.covers.upperBound - 1
            var seal = try draft.seal(session, &names)
            for (store, walk) in walks {
                guard let state = walk.known, distance[store, default: 0] > Self.nearest else { continue }
                let bytes = state.bytes
                guard distance[store, default: 0] > Self.farthest(bytes.count) else { continue }
                distance[store] = 0
                seal.keyframes.append(Seal.Keyframe(store: store, seq: last, state: try Zstd.compress(bytes)))
            }
            return seal
        }

        /// Bytes of lines that may lie between a state of so many bytes and its base: few enough to read them about as
        /// fast as the state itself, enough to make keyframes a small part of the whole.
        private static func farthest(_ state: Int) -> Int {
            max(nearest, min(4 * state, 1 << 20), state)
        }

        private static let nearest = 256 << 10

        /// Carries the states on by a line.
        ///
        /// - Returns: The line to keep.
        private mutating func follow(_ line: EventLine, _ session: Session, _ states: States) throws -> EventLine {
            switch line.kind {
            case .gap:
                for store in walks.keys { _ = walks[store]?.take(line) }
            case .note, .end: break
            default:
                // Taken out, so that its state is changed in place.
                var walk =
                    walks.removeValue(forKey: line.store)
                    ?? StoreWalk(store: line.store, before: line.seq, isAttached: false)
                let kept = walk.patching(line) ?? line
                if let reason = walk.take(kept) { try states.markBroken(session, line.store, at: line.seq, reason) }
                if line.kind == .detach {
                    distance[line.store] = nil
                } else {
                    walks[line.store] = walk
                }
                return kept
            }
            return line
        }
    }
#endif
