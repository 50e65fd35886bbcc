package import TapeArchive
import TapeEngine
import TapeFormat

extension PostgresArchive {
    package func keyHash(of session: Int64) throws -> [UInt8] {
        try read { try $0.run("SELECT key FROM session WHERE row = $1", .int(session)).first?.bytes("key") ?? [] }
    }

    package func complete(_ copy: Int64, with record: SessionRecord) throws {
        let session = record.session
        // Repeatable: a copy that is shown isn't completed a second time.
        try write(isRepeatable: true) { connection in
            let shown = try connection.run(
                """
                UPDATE session SET key = $1, title = $2, kept = $3, bookmarks = $4, marked = $5, replay = $6,
                    failure = $7, version = greatest(version, $8), paused = $10, hidden = false
                WHERE row = $9 AND hidden
                """, .bytes(record.keyHash), .utf8(session.title), .bool(session.kept),
                .int(record.bookmarks.count), .int(session.marked), .utf8(session.replay?.text),
                .utf8(session.startFailed?.text), .int(session.version), .int(copy),
                .bool(session.isPaused))
            guard shown.changed == 1, let stored = try Self.stored(copy, connection) else { return }
            try connection.run(
                """
                UPDATE progress SET owner = $1, seen = $2, bytes = $3, duration = ($4::double precision[])[1], complete = $5, ended = $6,
                    stored = stored + $7
                WHERE session = $8
                """, .utf8(session.owner), .int(session.lastSeen), .int(session.bytes),
                .doubles([session.duration]),
                .bool(record.complete), .utf8(session.ended), .int(record.broken.count * RowSize.base), .int(copy))
            // A search finds the title, too.
            try Self.keep(stored.intactHeader, of: stored, connection)
            for bookmark in record.bookmarks { try Self.keep(bookmark, copy, connection) }
            let broken = record.broken
            guard !broken.isEmpty else { return }
            try connection.run(
                """
                INSERT INTO base (session, hash, seq, kind, store)
                SELECT $1, hash, seq, $2, store FROM unnest($3::bigint[], $4::bigint[], $5::bytea[])
                    AS b(hash, seq, store)
                """, .int(copy), .int(StateBase.Kind.broken.rawValue), .ints(broken.map { StoreHash.of($0.store) }),
                .ints(broken.map(\.seq)), .utf8s(broken.map(\.store)))
        }
    }

    package func deletedSessions() throws -> [String] {
        // An id with a blank isn't a session's: it names rows that are left of an upload.
        try read {
            try $0.run("SELECT id FROM deleted WHERE position(' '::bytea IN id) = 0 ORDER BY id").map {
                try $0.text("id")
            }
        }
    }

    package func noteDeleted(_ ids: [String]) throws {
        try write(isRepeatable: true) {
            _ = try $0.run(
                """
                INSERT INTO deleted (id) SELECT i FROM unnest($1::bytea[]) AS i
                WHERE NOT EXISTS (SELECT FROM session WHERE id = i) ON CONFLICT (id) DO NOTHING
                """, .utf8s(ids))
        }
    }
}
