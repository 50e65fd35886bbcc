import Foundation
import GRDB
import TapeEngine
import TapeFormat

extension SQLiteArchive {
    package func keyHash(of session: Int64) throws -> [UInt8] {
        try pool.read { db in
            try Data.fetchOne(db, sql: "SELECT key FROM session WHERE row = ?", arguments: [session]).map {
                [UInt8]($0)
            }
                ?? []
        }
    }

    package func complete(_ copy: Int64, with record: SessionRecord) throws {
        let session = record.session
        try write(taking: record.bookmarks.reduce(0) { $0 + 6 * $1.content.text.utf8.count }) { db in
            try db.execute(
                sql: """
                    UPDATE session SET key = ?, owner = ?, lastSeen = ?, bytes = ?, duration = ?, complete = ?,
                        ended = ?, title = ?, kept = ?, paused = ?, bookmarks = ?, marked = ?, replay = ?, startFailed = ?,
                        version = max(version, ?), hidden = 0
                    WHERE row = ? AND hidden
                    """,
                arguments: [
                    Data(record.keyHash), session.owner, session.lastSeen, session.bytes, session.duration,
                    record.complete, session.ended?.stored, session.title?.stored, session.kept,
                    session.isPaused,
                    record.bookmarks.count, session.marked, session.replay?.text, session.startFailed?.text,
                    session.version, copy,
                ])
            guard db.changesCount == 1 else { return }
            for bookmark in record.bookmarks { try Self.keep(bookmark, copy, db) }
            for (store, seq) in record.broken {
                try db.execute(
                    sql: "INSERT INTO base (session, store, seq, kind) VALUES (?, ?, ?, ?)",
                    arguments: [copy, store.stored, seq, StateBase.Kind.broken.rawValue])
            }
        }
    }

    package func deletedSessions() throws -> [String] {
        // An id with a blank isn't a session's: it names rows that are left of an upload.
        try pool.read { db in
            try String.fetchAll(db, sql: "SELECT id FROM deleted WHERE instr(id, ' ') = 0 ORDER BY rowid")
        }
    }

    package func noteDeleted(_ ids: [String]) throws {
        try write(taking: ids.reduce(0) { $0 + 2 * $1.utf8.count }) { db in
            for id in ids {
                try db.cachedStatement(
                    sql: """
                        INSERT OR IGNORE INTO deleted (id)
                        SELECT ?1 WHERE NOT EXISTS (SELECT 1 FROM session WHERE id = ?1)
                        """
                ).execute(arguments: [id])
            }
        }
    }
}
