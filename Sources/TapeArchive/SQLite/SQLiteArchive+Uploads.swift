import Foundation
import GRDB
import TapeFormat

extension SQLiteArchive {
    package func upload(_ id: String) throws -> Session? {
        try pool.read { db in
            try Row.fetchOne(
                db.cachedStatement(sql: "SELECT \(Self.columns) FROM session WHERE id = ?"), arguments: [id]
            ).map { try Session($0) }
        }
    }

    package func show(_ session: Int64, labels: [String: String]) throws {
        try write { db in
            try db.execute(sql: "UPDATE session SET hidden = 0 WHERE row = ?", arguments: [session])
            if !labels.isEmpty { try Self.relabel(session, db) { $0.merge(labels) { $1 } } }
        }
    }

    package func deleteUploads(before time: Int) throws -> [String] {
        try write { db in
            let shown = try String.fetchAll(
                db, sql: "UPDATE session SET hidden = 0 WHERE hidden AND \(Self.wasShown) RETURNING id")
            let old = "hidden AND lastSeen < ? AND NOT id IN (\(Self.launched))"
            // No tombstone: a session that was never shown may be uploaded or recorded again.
            try db.execute(
                sql: "INSERT INTO deleted (id, row) SELECT 'upload ' || row, row FROM session WHERE \(old)",
                arguments: [time])
            try db.execute(sql: "DELETE FROM session WHERE \(old)", arguments: [time])
            return shown
        }
    }

    /// What only a session has that was visible once: ``HiddenSession`` says the same in words.
    static let wasShown = """
        (length(key) > 0 OR title IS NOT NULL OR kept OR paused OR bookmarks <> 0 OR marked <> 0
            OR replay IS NOT NULL OR startFailed IS NOT NULL
            OR EXISTS (SELECT 1 FROM bookmark WHERE bookmark.session = session.row)
            OR version < received AND id IN (\(launched)))
        """
    private static let launched = "SELECT session FROM startState WHERE session IS NOT NULL"

    static func claim(_ claim: SessionLease, _ received: Int, _ db: Database) throws -> Outcome {
        let id = claim.header.session
        if let before = claim.before {
            try db.execute(
                sql: "UPDATE session SET owner = ?, lastSeen = max(lastSeen, ?) WHERE id = ? AND owner = ?",
                arguments: [claim.owner, received, id, before])
        } else {
            try insert(claim, received, db)
        }
        guard db.changesCount == 1 else { return .refused }
        let session = try Session(
            Row.fetchOne(db, sql: "SELECT \(columns) FROM session WHERE id = ?", arguments: [id]))
        if claim.before == nil { try begin(session, with: claim.header.states ?? [:], db) }
        return .opened(session)
    }

    private static func insert(_ claim: SessionLease, _ received: Int, _ db: Database) throws {
        var header = claim.header
        header.states = nil
        let first = header.from ?? 0
        // A deleted session may be uploaded again. It gets a new version, so that cached URLs of the old one don't
        // match.
        let wasDeleted = try Bool.fetchOne(
            db, sql: "SELECT EXISTS (SELECT 1 FROM deleted WHERE id = ?)", arguments: [header.session])
        try db.execute(
            sql: "UPDATE deleted SET id = 'again ' || row || ' ' || id WHERE id = ? AND row IS NOT NULL",
            arguments: [header.session])
        try db.execute(sql: "DELETE FROM deleted WHERE id = ?", arguments: [header.session])
        // An empty key matches no app's key.
        try db.execute(
            sql: """
                INSERT OR IGNORE INTO session
                    (id, key, owner, app, device, header, received, lastSeen, next, sealed, complete, hidden,
                    version)
                VALUES (?, x'', ?, ?, ?, ?, ?, ?, ?, ?, ?, 1, ?)
                """,
            arguments: [
                header.session, claim.owner, header.app.id.stored, header.device?.id?.stored, header.json.text,
                received,
                received, first, first, first == 0, wasDeleted == true ? received : 1,
            ])
    }

    /// Stores the states before the first event, where reading starts.
    private static func begin(_ session: Session, with states: [String: JSON], _ db: Database) throws {
        for (store, state) in states {
            let keyframe = Seal.Keyframe(
                store: store, seq: session.first - 1, state: try Zstd.compress(state.bytes))
            try keep(keyframe, session.row, db)
        }
    }
}
