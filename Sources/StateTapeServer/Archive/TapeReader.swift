#if Server
    import Synchronization
    import TapeFormat

    /// Reads event lines out of the archive, and keeps the last few batches parsed: whoever reads a line reads its
    /// neighbours next.
    final class TapeReader: Sendable {
        private struct Parsed {
            let session: Int64
            let covers: Range<Int>
            let lines: [EventLine]
            let bytes: Int
        }

        /// The last used at the end.
        private struct Recent {
            var parsed: [Parsed] = []
            var bytes = 0
        }

        /// Bytes and batches that are kept, and the bytes of the longest: a longer one is a single line, without
        /// neighbours.
        private static let maxKept = 16 << 20
        private static let maxBatches = 64
        private static let maxBatch = 1 << 20
        /// Bytes up to which batches are read as one: a commit may bring a line or two of each session.
        private static let maxJoined = 256 << 10

        private let archive: any Archive
        private let recent = Mutex(Recent())

        init(_ archive: any Archive) {
            self.archive = archive
        }

        /// The lines of a batch, or of some small ones, from the one that covers `seq` on; nil past the end of the tape.
        func lines(of session: Int64, from seq: Int) throws -> ArraySlice<EventLine>? {
            guard let lines = try parsed(of: session, at: seq) else { return nil }
            return lines[(lines.firstIndex { $0.seq >= seq } ?? lines.endIndex)...]
        }

        /// The line that covers `seq`.
        func line(of session: Int64, at seq: Int) throws -> EventLine? {
            try lines(of: session, from: seq)?.first
        }

        /// Calls `body` with each line of a range, until it returns false.
        func each(of session: Int64, in range: Range<Int>, _ body: (EventLine) throws -> Bool) throws {
            var seq = range.lowerBound
            while seq < range.upperBound, let lines = try lines(of: session, from: seq), let last = lines.last {
                for line in lines {
                    guard line.first < range.upperBound, try body(line) else { return }
                }
                seq = last.seq + 1
            }
        }

        /// Keeps lines that were just committed: whoever follows the tape asks for them next.
        func keep(_ batch: Batch) {
            guard !batch.lines.isEmpty else { return }
            keep(
                Parsed(
                    session: batch.session, covers: batch.first..<batch.next, lines: batch.lines, bytes: batch.bytes))
        }

        private func parsed(of session: Int64, at seq: Int) throws -> [EventLine]? {
            let kept = recent.withLock { recent -> [EventLine]? in
                let found = recent.parsed.lastIndex { $0.session == session && $0.covers ~= seq }
                guard let found else { return nil }
                recent.parsed.append(recent.parsed.remove(at: found))
                return recent.parsed.last?.lines
            }
            if let kept { return kept }
            guard let batch = try archive.batch(of: session, from: seq, joinedTo: Self.maxJoined) else { return nil }
            let lines = try batch.lines
            keep(
                Parsed(session: session, covers: batch.first..<batch.next, lines: lines, bytes: batch.bytes.count))
            return lines
        }

        /// What was parsed stays true: lines say the same for ever.
        private func keep(_ parsed: Parsed) {
            guard parsed.bytes <= Self.maxBatch else { return }
            recent.withLock { recent in
                recent.parsed.append(parsed)
                recent.bytes += parsed.bytes
                while recent.parsed.count > Self.maxBatches || recent.bytes > Self.maxKept {
                    recent.bytes -= recent.parsed.removeFirst().bytes
                }
            }
        }
    }
#endif
