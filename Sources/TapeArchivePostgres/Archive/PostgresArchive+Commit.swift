package import TapeArchive
import TapeEngine
import TapeFormat

extension PostgresArchive {
    package func commit(_ group: [Change], received: Int) throws -> [Outcome] {
        if group.allSatisfy({ if case .probe = $0 { true } else { false } }) {
            return try write(isRepeatable: true) { _ in group.map { _ in .dropped } }
        }
        // Most groups only append, each change to another session, in order and by its owner.
        let batches = Self.batches(group[...])
        if batches.count == group.count {
            // One statement: what an earlier one had locked would stay so if this process were halted while it sends.
            let rows = try write([Self.store(batches, received)])
            if rows[0].count == batches.count { return batches.map { _ in .appended } }
        }
        // Repeatable: after a lost connection each change finds out whether it was stored.
        return try write(opening: [Self.lock(group)], isRepeatable: true) { connection in
            var outcomes: [Outcome] = []
            var held: [HeldApp] = []
            var rest = group[...]
            while let change = rest.first {
                switch change {
                case .open(let opening): outcomes.append(try open(opening, received, connection, &held))
                case .claim(let claim): outcomes.append(try Self.claim(claim, received, connection))
                case .probe: outcomes.append(.dropped)
                case .append:
                    let batches = Self.batches(rest)
                    outcomes += try Self.append(batches, received, connection)
                    rest = rest.dropFirst(batches.count - 1)
                case .seal:
                    let seals = Self.seals(rest)
                    outcomes += try Self.seal(seals, connection)
                    rest = rest.dropFirst(seals.count - 1)
                }
                rest = rest.dropFirst()
            }
            // The broker adds the apps' status.
            if !held.isEmpty { _ = try connection.run([AppRows.write(held, server)]) }
            return outcomes
        }
    }

    /// Locks the sessions of a group, all servers in the same order, so that no two wait for each other.
    private static func lock(_ group: [Change]) -> PostgresStatement {
        var rows: Set<Int64> = []
        var ids: Set<String> = []
        for change in group {
            switch change {
            case .open(let opening): ids.insert(opening.header.session)
            case .claim(let claim): ids.insert(claim.header.session)
            case .append(let batch): rows.insert(batch.session)
            case .seal(let seal): rows.insert(seal.session)
            case .probe: break
            }
        }
        let order = "ORDER BY session FOR NO KEY UPDATE"
        // Most groups open nothing; planning the lookup of ids takes longer than the locks.
        if ids.isEmpty {
            return PostgresStatement(
                "SELECT session FROM progress WHERE session = ANY($1) \(order)", .ints(Array(rows)))
        }
        return PostgresStatement(
            """
            SELECT session FROM progress
            WHERE session IN (SELECT unnest($1::bigint[]) UNION SELECT row FROM session WHERE id = ANY($2)) \(order)
            """, .ints(Array(rows)), .utf8s(Array(ids)))
    }

    /// The first changes that append, each to another session: one statement stores them.
    private static func batches(_ changes: ArraySlice<Change>) -> [Batch] {
        var batches: [Batch] = []
        var sessions: Set<Int64> = []
        for case .append(let batch) in changes.prefix(while: { if case .append = $0 { true } else { false } }) {
            guard sessions.insert(batch.session).inserted else { break }
            batches.append(batch)
        }
        return batches
    }

    private static func seals(_ changes: ArraySlice<Change>) -> [Seal] {
        changes.prefix { if case .seal = $0 { true } else { false } }.compactMap {
            if case .seal(let seal) = $0 { seal } else { nil }
        }
    }

    private func open(
        _ opening: SessionOpening, _ received: Int, _ connection: PostgresConnection, _ held: inout [HeldApp],
        isSecond: Bool = false
    ) throws -> Outcome {
        func hold(_ session: Int64) {
            held.append(
                HeldApp(
                    session: opening.header.session, row: session, owner: opening.owner, attempt: opening.attempt,
                    status: nil))
        }
        var header = opening.header
        guard let row = try connection.run("\(Self.sessionRow) WHERE s.id = $1", .utf8(header.session)).first else {
            let deleted = try connection.run("SELECT 1 FROM deleted WHERE id = $1", .utf8(header.session))
            guard deleted.isEmpty else { return .deleted }
            // Only a tape in a file may start at another seq than 0.
            header.from = nil
            header.states = nil
            let made = try Self.insert(header, key: opening.keyHash, received, connection, owner: opening.owner)
            guard let made else {
                // Another server has just made it. If it still isn't found, its other row is missing.
                if isSecond { throw PostgresError.unreadable("progress") }
                return try open(opening, received, connection, &held, isSecond: true)
            }
            hold(made)
            return .opened(try Self.stored(header.session, connection))
        }
        guard try row.bytes("key") == opening.keyHash else { return .refused }
        let session = try Session(row)
        if let attempt = opening.attempt, session.owner != opening.owner {
            // The data of an abandoned connection may arrive after the hello of the next one, at another server.
            let newer = try connection.run(
                "SELECT 1 FROM app WHERE session = $1 AND owner = $2 AND attempt >= $3", .int(session.row),
                .utf8(session.owner), .int(attempt))
            if !newer.isEmpty { return .dropped }
        }
        // The first header wins; labels of later ones are merged.
        try session.checkEnd()
        header = session.header
        header.labels.merge(opening.header.labels) { $1 }
        if header != session.header, !session.isHeaderDamaged { try Self.keep(header, of: session, connection) }
        try connection.run(
            "UPDATE progress SET owner = $1, seen = greatest(seen, $2) WHERE session = $3", .utf8(opening.owner),
            .int(received), .int(session.row))
        hold(session.row)
        return .opened(try Self.stored(header.session, connection))
    }

    /// Inserts a session.
    ///
    /// - Returns: Its row; nil if the id exists already.
    static func insert(
        _ header: Header, key: [UInt8], _ received: Int, _ connection: PostgresConnection, owner: String,
        hidden: Bool = false, version: Int = 1
    ) throws -> Int64? {
        let first = header.from ?? 0
        let inserted = try connection.run(
            """
            WITH made AS (
                INSERT INTO session (id, key, app, device, header, received, hidden, version, found)
                VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9) ON CONFLICT (id) DO NOTHING RETURNING row)
            INSERT INTO progress (session, next, sealed, seen, complete, owner)
                SELECT row, $10, $10, $6, $10 = 0, $11 FROM made RETURNING session
            """, .utf8(header.session), .bytes(key), .utf8(header.app.id), .utf8(header.device?.id),
            .utf8(header.json.text), .int(received), .bool(hidden), .int(version),
            .texts(SearchedText.pieces(of: header, title: nil)), .int(first), .utf8(owner))
        guard let row = try inserted.first?.int64("session") else { return nil }
        try keep(header.labels, of: row, connection)
        return row
    }

    /// Replaces a session's header.
    static func keep(_ header: Header, of session: Session, _ connection: PostgresConnection) throws {
        try connection.run(
            "UPDATE session SET header = $1, found = $2 WHERE row = $3", .utf8(header.json.text),
            .texts(SearchedText.pieces(of: header, title: session.title)), .int(session.row))
        try keep(header.labels, of: session.row, connection)
    }

    private static func keep(_ labels: [String: String], of session: Int64, _ connection: PostgresConnection) throws {
        try connection.run("DELETE FROM label WHERE session = $1", .int(session))
        guard !labels.isEmpty else { return }
        let labels = labels.sorted { $0.key < $1.key }
        try connection.run(
            "INSERT INTO label (session, key, value) SELECT $1, * FROM unnest($2::bytea[], $3::bytea[])",
            .int(session), .utf8s(labels.map(\.key)), .utf8s(labels.map(\.value)))
    }
}
