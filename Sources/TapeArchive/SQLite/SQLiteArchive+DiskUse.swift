import Foundation
import GRDB

extension SQLiteArchive {
    package func diskUse() throws -> DiskUse {
        let (sessions, freeBytes) = try pool.read { db in
            let sessions = try Int.fetchOne(db, sql: "SELECT count(*) FROM session") ?? 0
            let pages = try Int.fetchOne(db, sql: "PRAGMA freelist_count") ?? 0
            return (sessions, pages * (try Int.fetchOne(db, sql: "PRAGMA page_size") ?? 0))
        }
        let bytes = ["", "-wal"].reduce(0) { bytes, suffix in
            let facts = try? FileManager.default.attributesOfItem(atPath: pool.path + suffix)
            return bytes + ((facts?[.size] as? NSNumber)?.intValue ?? 0)
        }
        return DiskUse(sessions: sessions, bytes: bytes, freeBytes: freeBytes)
    }
}
