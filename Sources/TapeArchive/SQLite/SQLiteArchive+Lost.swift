import Foundation
import GRDB
import TapeFormat

extension SQLiteArchive {
    /// Compares the archive with the positions that were acknowledged.
    ///
    /// - Parameter ends: Read before the archive, which a running server changes first.
    static func lost(_ ends: [Int64: Acknowledged.End], _ pool: DatabasePool) throws -> [LostEvents] {
        try pool.read { db in
            try ends.sorted { $0.key < $1.key }.compactMap { row, end in
                let find = "SELECT row, next FROM session WHERE id = ?"
                if let found = try Row.fetchOne(db, sql: find, arguments: [end.id]) {
                    let next: Int = try found.get("next")
                    guard next >= 0, next < end.next else { return nil }
                    return LostEvents(session: end.id, row: try found.get("row"), seqs: next..<end.next)
                }
                guard end.next > 0 else { return nil }
                let wasDeleted = """
                    SELECT 1 FROM deleted WHERE id IN (?1, 'upload ' || ?2) OR id LIKE 'again ' || ?2 || ' %'
                    """
                if try Row.fetchOne(db, sql: wasDeleted, arguments: [end.id, row]) != nil { return nil }
                return LostEvents(session: end.id, row: nil, seqs: 0..<end.next)
            }
        }
    }

    package func fillLost(_ isConnected: (_ session: String) -> Bool) throws -> [LostEvents] {
        let left = try lost.filter { lost in
            guard let row = lost.row else { return false }
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
