import Dispatch
import TapeEngine
package import TapeFormat

/// Reads event lines from the archive and keeps the last ones in memory, since readers usually read neighbouring lines
/// next.
package final class TapeReader: Sendable {
    private typealias Parsed = RecentLines.Parsed

    /// Batches up to this many bytes are read together: a commit may bring one or two lines per session.
    private static let maxJoined = 256 << 10

    private static let cleaner = DispatchQueue(label: "statetape.cleaner", qos: .utility)

    private let archive: any TapeStore
    private let recent = Locked(RecentLines())

    package init(_ archive: any TapeStore) {
        self.archive = archive
    }

    /// The lines from the one with `seq` to the end of its batch, or of several small batches. Nil past the end of
    /// the tape. Damaged lines are replaced by one gap.
    package func lines(of session: Int64, from seq: Int) throws -> ArraySlice<EventLine>? {
        try parsed(of: session, at: seq).map { Self.lines($0, from: seq) }
    }

    /// The same lines, for callers that store them.
    ///
    /// - Throws: ``Damage`` if they can't be read.
    package func intactLines(of session: Int64, from seq: Int) throws -> ArraySlice<EventLine>? {
        guard let parsed = try parsed(of: session, at: seq) else { return nil }
        if let damage = parsed.damage { throw damage }
        return Self.lines(parsed, from: seq)
    }

    private static func lines(_ parsed: Parsed, from seq: Int) -> ArraySlice<EventLine> {
        parsed.lines[(parsed.lines.firstIndex { $0.seq >= seq } ?? parsed.lines.endIndex)...]
    }

    /// Caches lines that were just committed: they are usually read next.
    package func keep(_ batch: Batch) {
        guard !batch.lines.isEmpty else { return }
        keep(Parsed(session: batch.session, covers: batch.first..<batch.next, lines: batch.lines))
    }

    private func parsed(of session: Int64, at seq: Int) throws -> Parsed? {
        let kept = recent.withLock { $0.lines(of: session, at: seq) }
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
        var covers: Range<Int>?
        for _ in 0..<2 {
            let batch = try archive.batch(of: session, from: seq, joinedTo: bytes)
            // The tape may start after `seq`.
            if let batch, try batch.first <= seq || archive.damaged(of: session, at: seq) == nil {
                return Parsed(session: session, covers: batch.first..<batch.next, lines: try batch.lines)
            }
            covers = try archive.damaged(of: session, at: seq)
            guard let covers else { return nil }
            // If the line is stored now, it arrived or was sealed in the meantime: read again.
            if try !archive.isHeld(session, seq) { throw Damage(covers: covers, reason: "they are missing") }
        }
        // An index and its rows disagree.
        throw Damage(covers: covers ?? seq..<seq + 1, reason: "they can't be found")
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
        let evicted = recent.withLock { $0.keep(parsed) }
        // Freed on another queue: freeing thousands of lines takes time, and the caller may be the loop.
        if !evicted.isEmpty { Self.cleaner.async { withExtendedLifetime(evicted) {} } }
    }
}
