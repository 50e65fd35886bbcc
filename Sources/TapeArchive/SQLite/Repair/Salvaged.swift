package import Foundation
import GRDB

/// What a damaged folder knows besides its sessions, for the new folder.
package struct Salvaged {
    /// The archive's id, if it is known.
    let id: String?
    let slots: [Int64: Acknowledged.End]
    /// The ids of sessions that aren't copied, and aren't lost: incomplete uploads, and those that were deleted.
    let left: Set<String>

    /// Gives the new archive the damaged one's id, and lets it know what isn't there.
    ///
    /// - Returns: The sessions that are lost.
    package func finish(_ folder: URL, tell: (String) -> Void) throws -> [LostEvents] {
        let archive = try SQLiteArchive(folder.appendingPathComponent(DataFolder.archive), sync: .full)
        let highest = try archive.pool.write { db in
            if let id { try db.execute(sql: "UPDATE identity SET id = ?", arguments: [id]) }
            try dropLaunches(db, tell)
            return try Int64.fetchOne(db, sql: "SELECT max(row) FROM session") ?? 0
        }
        let sessions = Acknowledged.sessions(slots).sorted { $0.key < $1.key }.map(\.value)
            .filter { !left.contains($0.id) }
        // Behind the rows of the new archive, which aren't those of the damaged one.
        let ends = Dictionary(
            uniqueKeysWithValues: sessions.enumerated().map { (highest + 1 + Int64($0.offset), $0.element) })
        let lost = try SQLiteArchive.lost(ends, archive.pool).filter { !$0.isInside }
        let name = try archive.pool.read { try String.fetchOne($0, sql: "SELECT id FROM identity") } ?? ""
        try archive.close()
        let file = try Acknowledged(folder.appendingPathComponent(DataFolder.acknowledged).path, of: name)
        file.keep(
            Dictionary(
                lost.enumerated().map { offset, lost in
                    (
                        lost.row ?? highest + 1 + Int64(offset),
                        Acknowledged.End(id: lost.session, next: lost.seqs.upperBound)
                    )
                }
            ) { $1 })
        return lost
    }

    /// A launch state is of no use without its event.
    private func dropLaunches(_ db: Database, _ tell: (String) -> Void) throws {
        let without = """
            session IS NOT NULL AND id NOT IN (
                SELECT startState.id FROM startState, session WHERE session.id = startState.session AND seq < next
                UNION SELECT startState.id FROM startState, deleted WHERE deleted.id = startState.session)
            """
        for id in try String.fetchAll(db, sql: "SELECT id FROM startState WHERE \(without)") {
            tell("the launch state \(id) isn't copied: its event isn't there")
        }
        try db.execute(sql: "DELETE FROM startState WHERE \(without)")
    }
}
