package import Foundation
import GRDB
import TapeEngine

extension SQLiteArchive {
    /// Leaves stored states out of a new archive: those that aren't what the events lead to, which can be read without
    /// them.
    package static func drop(_ states: [(session: Int64, store: String, seq: Int)], in folder: URL) throws {
        let archive = try SQLiteArchive(folder.appendingPathComponent(DataFolder.archive), sync: .full)
        defer { try? archive.close() }
        try archive.pool.write { db in
            for (session, store, seq) in states {
                let place: StatementArguments = [session, store.stored, seq]
                try db.execute(
                    sql: "DELETE FROM keyframe WHERE session = ? AND store = ? AND seq = ?", arguments: place)
                try db.execute(
                    sql: """
                        DELETE FROM base WHERE session = ? AND store = ? AND seq = ?
                            AND kind = \(StateBase.Kind.keyframe.rawValue)
                        """, arguments: place)
            }
        }
    }
}
