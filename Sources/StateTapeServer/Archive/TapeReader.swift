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
        }

        private static let maxKept = 1 << 20

        private let archive: any Archive
        private let recent = Mutex<[Parsed]>([])

        init(_ archive: any Archive) {
            self.archive = archive
        }

        /// The lines of one batch, from the one that covers `seq` on; nil past the end of the tape.
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

        private func parsed(of session: Int64, at seq: Int) throws -> [EventLine]? {
            let kept = recent.withLock { recent -> [EventLine]? in
                guard let index = recent.firstIndex(where: { $0.session == session && $0.covers ~= seq }) else {
                    return nil
                }
                recent.append(recent.remove(at: index))
                return recent.last?.lines
            }
            if let kept { return kept }
            guard let batch = try archive.batch(of: session, from: seq) else { return nil }
            let lines = try batch.bytes.split(separator: UInt8(ascii: "\n")).map { try EventLine(parsing: Array($0)) }
            // A batch never changes, so that what was parsed stays true. A long one is a single line: no neighbours.
            if batch.bytes.count > Self.maxKept { return lines }
            recent.withLock { recent in
                if recent.count == 8 { recent.removeFirst() }
                recent.append(Parsed(session: session, covers: batch.first..<batch.next, lines: lines))
            }
            return lines
        }
    }
#endif
