#if Server
    import Dispatch
    import Synchronization
    import TapeEngine
    import TapeFormat

    /// Reads event lines from the archive and caches the last few parsed batches, since readers usually read
    /// neighbouring lines next.
    final class TapeReader: Sendable {
        private struct Parsed {
            let session: Int64
            let covers: Range<Int>
            let lines: [EventLine]
            /// The approximate memory of the lines, in bytes.
            let cost: Int
            /// The damage, if `lines` is a gap in place of damaged lines.
            let damage: Damage?

            init(session: Int64, covers: Range<Int>, lines: [EventLine], damage: Damage? = nil) {
                self.session = session
                self.covers = covers
                self.lines = lines
                self.damage = damage
                cost = lines.reduce(0) { $0 + $1.memory }
            }
        }

        /// The most recently used is last.
        private struct Recent {
            var parsed: [Parsed] = []
            var cost = 0
        }

        /// Limits of the cache: bytes in memory, batches, and bytes of one batch. A larger batch is a single line,
        /// which has no neighbours.
        private static let maxKept = 32 << 20
        private static let maxBatches = 64
        private static let maxBatch = 4 << 20
        /// Batches up to this many bytes are read together: a commit may bring one or two lines per session.
        private static let maxJoined = 256 << 10

        private static let cleaner = DispatchQueue(label: "statetape.cleaner", qos: .utility)

        private let archive: any Archive
        private let recent = Mutex(Recent())

        init(_ archive: any Archive) {
            self.archive = archive
        }

        /// The lines from the one with `seq` to the end of its batch, or of several small batches. Nil past the end of
        /// the tape. Damaged lines are replaced by one gap.
        func lines(of session: Int64, from seq: Int) throws -> ArraySlice<EventLine>? {
            try parsed(of: session, at: seq).map { Self.lines($0, from: seq) }
        }

        /// The same lines, for callers that store them.
        ///
        /// - Throws: ``Damage`` if they can't be read.
        func intactLines(of session: Int64, from seq: Int) throws -> ArraySlice<EventLine>? {
            guard let parsed = try parsed(of: session, at: seq) else { return nil }
            if let damage = parsed.damage { throw damage }
            return Self.lines(parsed, from: seq)
        }

        private static func lines(_ parsed: Parsed, from seq: Int) -> ArraySlice<EventLine> {
            parsed.lines[(parsed.lines.firstIndex { $0.seq >= seq } ?? parsed.lines.endIndex)...]
        }

        /// Caches lines that were just committed: they are usually read next.
        func keep(_ batch: Batch) {
            guard !batch.lines.isEmpty else { return }
            keep(Parsed(session: batch.session, covers: batch.first..<batch.next, lines: batch.lines))
        }

        private func parsed(of session: Int64, at seq: Int) throws -> Parsed? {
            let kept = recent.withLock { recent -> Parsed? in
                let found = recent.parsed.lastIndex { $0.session == session && $0.covers ~= seq }
                guard let found else { return nil }
                recent.parsed.append(recent.parsed.remove(at: found))
                return recent.parsed.last
            }
            if let kept { return kept }
            guard let parsed = try read(session, at: seq) else { return nil }
            keep(parsed)
            return parsed
        }

        private func read(_ session: Int64, at seq: Int) throws -> Parsed? {
            do {
                return try stored(session, at: seq, joinedTo: Self.maxJoined)
            } catch  where Damage.isMeant(by: error) {
                do {
                    // If several batches were read together, the damage may be in another one.
                    return try stored(session, at: seq, joinedTo: 0)
                } catch  where Damage.isMeant(by: error) {
                    guard let covers = try archive.damaged(of: session, at: seq) else { return nil }
                    return Parsed(
                        session: session, covers: covers,
                        lines: [.damaged(covers, at: time(of: session, at: covers.lowerBound))],
                        damage: Damage(covers: covers, reason: (error as? Damage)?.reason ?? Damage.reason(error)))
                }
            }
        }

        private func stored(_ session: Int64, at seq: Int, joinedTo bytes: Int) throws -> Parsed? {
            for _ in 0..<2 {
                let batch = try archive.batch(of: session, from: seq, joinedTo: bytes)
                // The tape may start after `seq`.
                if let batch, try batch.first <= seq || archive.damaged(of: session, at: seq) == nil {
                    return Parsed(session: session, covers: batch.first..<batch.next, lines: try batch.lines)
                }
                guard let covers = try archive.damaged(of: session, at: seq) else { return nil }
                // If the line is stored now, it arrived or was sealed in the meantime: read again.
                if try !archive.isHeld(session, seq) { throw Damage(covers: covers, reason: "they are missing") }
            }
            return nil
        }

        /// The time of an event with a damaged line. Its head may still be readable.
        private func time(of session: Int64, at seq: Int) -> Double {
            guard let columns = try? archive.columns(of: session, at: seq),
                let names = try? archive.names(of: session, from: 0),
                let head = try? HeadColumns.decode(columns, names: names).first(where: { $0.seq >= seq })
            else { return 0 }
            return Double(head.at) / 1_000
        }

        /// Parsed lines stay valid: stored lines never change.
        private func keep(_ parsed: Parsed) {
            // Damaged lines aren't cached: a person may repair them.
            guard parsed.cost <= Self.maxBatch, parsed.damage == nil else { return }
            let evicted = recent.withLock { recent in
                recent.parsed.append(parsed)
                recent.cost += parsed.cost
                var evicted: [Parsed] = []
                while recent.parsed.count > Self.maxBatches || recent.cost > Self.maxKept {
                    evicted.append(recent.parsed.removeFirst())
                    recent.cost -= evicted.last?.cost ?? 0
                }
                return evicted
            }
            // Freed on another queue: freeing thousands of lines takes time, and the caller may be the loop.
            if !evicted.isEmpty { Self.cleaner.async { withExtendedLifetime(evicted) {} } }
        }
    }
#endif
