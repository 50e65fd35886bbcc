import Foundation
import GRDB
import TapeFormat

extension SQLiteArchive {
    /// Whether the positions are those of another archive.
    static func isReplaced(_ id: String, _ ends: [Int64: Acknowledged.End]) -> Bool {
        ends[0].map { $0.id != id } ?? false
    }

    /// Compares the archive with the positions that were acknowledged.
    ///
    /// - Parameter ends: Read before the archive, which a running server changes first.
    static func lost(_ ends: [Int64: Acknowledged.End], _ pool: DatabasePool) throws -> [LostEvents] {
        let ends = Acknowledged.sessions(ends).sorted { $0.key < $1.key }
        let atEnds = try pool.read { db in
            try ends.compactMap { row, end -> LostEvents? in
                let find = "SELECT row, next FROM session WHERE id = ?"
                if let found = try Row.fetchOne(db, sql: find, arguments: [end.id]) {
                    let next: Int = try found.get("next")
                    guard next >= 0, next < end.next else { return nil }
                    return LostEvents(session: end.id, row: try found.get("row"), slot: row, seqs: next..<end.next)
                }
                guard end.next > 0 else { return nil }
                let wasDeleted = """
                    SELECT 1 FROM deleted WHERE id IN (?1, 'upload ' || ?2)
                        OR (id > 'again ' || ?2 || ' ' AND id < 'again ' || ?2 || '!')
                    """
                if try Row.fetchOne(db, sql: wasDeleted, arguments: [end.id, row]) != nil { return nil }
                return LostEvents(session: end.id, row: nil, slot: row, seqs: 0..<end.next)
            }
        }
        let told = Set(atEnds.map(\.session))
        // Each by itself, since damage ends what is read at once; it is told by those who meet it.
        return atEnds
            + ends.filter { !told.contains($0.value.id) }.compactMap { slot, end in
                try? pool.read { try lostInside(end, slot, $0) }
            }
    }

    /// Looks for the first and the last event of a session, since to look for all takes long. Both are missing if the
    /// archive's file, or its log, was replaced by another one.
    private static func lostInside(_ end: Acknowledged.End, _ slot: Int64, _ db: Database) throws -> LostEvents? {
        guard let row = try Int64.fetchOne(db, sql: "SELECT row FROM session WHERE id = ?", arguments: [end.id])
        else { return nil }
        let find = """
            SELECT (SELECT CAST(header AS BLOB) FROM session WHERE row = ?1) AS header,
                CAST(min((SELECT coalesce(min(first), ?2) FROM chunk WHERE session = ?1),
                    (SELECT coalesce(min(first), ?2) FROM batch WHERE session = ?1)) AS INTEGER) AS first,
                CAST(max((SELECT coalesce(max(next), 0) FROM chunk WHERE session = ?1 AND first =
                        (SELECT max(first) FROM chunk WHERE session = ?1 AND first < ?2)),
                    (SELECT coalesce(max(next), 0) FROM batch WHERE session = ?1 AND first =
                        (SELECT max(first) FROM batch WHERE session = ?1 AND first < ?2))) AS INTEGER) AS last
            """
        guard let found = try Row.fetchOne(db, sql: find, arguments: [row, end.next]),
            let text = found["header"] as Data?, let header = try? Header(stored: [UInt8](text))
        else { return nil }
        let from = header.from ?? 0
        guard end.next > from else { return nil }
        let (first, last): (Int, Int) = (found["first"], found["last"])
        if first > from {
            return LostEvents(
                session: end.id, row: row, slot: slot, seqs: from..<min(first, end.next), isInside: true)
        }
        if last < end.next {
            return LostEvents(
                session: end.id, row: row, slot: slot, seqs: max(from, last)..<end.next, isInside: true)
        }
        return nil
    }

    /// What is lost still: nothing tells it but the file beside the archive.
    func stillLost() throws -> [Int64: Acknowledged.End] {
        try lost.filter { !$0.isInside }.reduce(into: [:]) { ends, lost in
            let end = Acknowledged.End(id: lost.session, next: lost.seqs.upperBound)
            if let session = try upload(lost.session) {
                // Its app may have sent a part of it again.
                if session.next < end.next { ends[session.row] = end }
            } else if try !wasDeleted(lost.session) {
                ends[lost.slot] = end
            }
        }
    }

    private func wasDeleted(_ id: String) throws -> Bool {
        try pool.read { try Row.fetchOne($0, sql: "SELECT 1 FROM deleted WHERE id = ?", arguments: [id]) != nil }
    }

    /// Keeps new sessions off the rows by which missing ones are known.
    static func reserveRows(_ ends: [Int64: Acknowledged.End], _ pool: DatabasePool) throws {
        guard let last = ends.keys.max() else { return }
        try pool.write { db in
            let highest = try Int64.fetchOne(db, sql: "SELECT seq FROM sqlite_sequence WHERE name = 'session'")
            if let highest, highest >= last { return }
            try db.execute(sql: "DELETE FROM sqlite_sequence WHERE name = 'session'")
            try db.execute(sql: "INSERT INTO sqlite_sequence (name, seq) VALUES ('session', ?)", arguments: [last])
        }
    }

    package func fillLost(_ isConnected: (_ session: String) -> Bool) throws -> [LostEvents] {
        let left = try lost.filter { lost in
            guard let row = lost.row, !lost.isInside else { return false }
            if isConnected(lost.session) { return false }
            return try upload(lost.session).map { $0.row == row && $0.next == lost.seqs.lowerBound } ?? false
        }
        for lost in left {
            guard let session = try upload(lost.session) else { continue }
            let gap = EventLine.damaged(lost.seqs, at: session.duration)
            let batch = Batch(session: session.row, owner: session.owner, lines: [gap])
            _ = try commit([.append(batch)], received: session.lastSeen)
        }
        return left
    }
}
