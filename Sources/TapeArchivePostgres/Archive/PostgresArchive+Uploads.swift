package import TapeArchive
import TapeFormat

extension PostgresArchive {
    package func upload(_ id: String) throws -> Session? {
        try read { connection in
            try connection.run("\(Self.sessionRow) WHERE s.id = $1", .utf8(id)).first.map {
                try Session($0, headers)
            }
        }
    }

    package func show(_ session: Int64, labels: [String: String]) throws {
        try write(isRepeatable: true) { connection in
            try connection.run("UPDATE session SET hidden = false WHERE row = $1", .int(session))
            guard !labels.isEmpty, let stored = try Self.stored(session, connection) else { return }
            var header = try stored.intactHeader
            header.labels.merge(labels) { $1 }
            try Self.keep(header, of: stored, connection)
        }
    }

    package func deleteUploads(before time: Int) throws -> [String] {
        // No tombstone: a session that was never shown may be uploaded or recorded again.
        let sql = """
            WITH gone AS (
                DELETE FROM session s USING progress p WHERE p.session = s.row AND s.hidden AND p.seen < $1
                    AND NOT EXISTS (\(Self.launched))
                RETURNING s.row),
            left_behind AS (INSERT INTO deleted (id, row) SELECT convert_to('upload ' || row, 'UTF8'), row FROM gone)
            DELETE FROM progress p USING gone g WHERE p.session = g.row
            """
        return try write(isRepeatable: true) { connection in
            let shown = try connection.run(
                "UPDATE session s SET hidden = false WHERE s.hidden AND \(Self.wasShown) RETURNING s.id")
            _ = try connection.run(sql, .int(time))
            return try shown.map { try $0.text("id") }
        }
    }

    /// What only a session has that was visible once: ``HiddenSession`` says the same in words.
    private static let wasShown = """
        (length(s.key) > 0 OR s.title IS NOT NULL OR s.kept OR s.paused OR s.bookmarks <> 0 OR s.marked <> 0
            OR s.replay IS NOT NULL OR s.failure IS NOT NULL
            OR EXISTS (SELECT FROM bookmark WHERE session = s.row)
            OR s.version < s.received AND EXISTS (\(launched)))
        """
    private static let launched = "SELECT FROM launch l WHERE l.session = s.id"

    static func claim(_ claim: SessionLease, _ received: Int, _ connection: PostgresConnection) throws -> Outcome {
        let id = claim.header.session
        if let before = claim.before {
            // An owner that has it already has claimed it in a commit whose answer was lost.
            let claimed = try connection.run(
                """
                UPDATE progress p SET owner = $1, seen = greatest(p.seen, $2) FROM session s
                WHERE s.row = p.session AND s.id = $3 AND p.owner IN ($4, $1)
                """, .utf8(claim.owner), .int(received), .utf8(id), .utf8(before))
            return claimed.changed == 1 ? .opened(try stored(id, connection)) : .refused
        }
        var header = claim.header
        header.states = nil
        // A deleted session may be uploaded again. It gets a new version, so that cached URLs of the old one don't
        // match.
        let existing = try connection.run("\(sessionRow) WHERE s.id = $1", .utf8(id)).first.map { try Session($0) }
        if let existing { return existing.owner == claim.owner ? .opened(existing) : .refused }
        let deleted = try connection.run("SELECT 1 FROM deleted WHERE id = $1", .utf8(id))
        try connection.run(
            """
            UPDATE deleted SET id = convert_to('again ' || row || ' ' || convert_from(id, 'UTF8'), 'UTF8')
            WHERE id = $1 AND row IS NOT NULL
            """, .utf8(id))
        try connection.run("DELETE FROM deleted WHERE id = $1", .utf8(id))
        // An empty key matches no app's key.
        let row = try insert(
            header, key: [], received, connection, owner: claim.owner, hidden: true,
            version: deleted.isEmpty ? 1 : received)
        guard row != nil else { return .refused }
        let session = try stored(id, connection)
        // The states before the first event, where reading starts.
        for (store, state) in claim.header.states ?? [:] {
            let keyframe = Seal.Keyframe(
                store: store, seq: session.first - 1, state: try Zstd.compress(state.bytes))
            try keep(keyframe, session.row, connection)
        }
        return .opened(session)
    }
}
