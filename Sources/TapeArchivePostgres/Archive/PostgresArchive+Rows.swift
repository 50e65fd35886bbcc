package import TapeArchive
import TapeFormat

extension PostgresArchive {
    package func sessionRows() throws -> [Int64] {
        try read { try $0.run("SELECT row FROM session ORDER BY row").map { try $0.int64("row") } }
    }

    package func rows(_ table: StoredTable, _ rows: StoredRows) throws -> [StoredRow] {
        var columns = table.columns
        // What only this engine derives.
        if table == .base || table == .keyframe { columns.append(("hash", .int)) }
        if table == .word { columns.append(("folded", .text)) }
        let (condition, parameters): (String, [PostgresValue]) =
            switch rows {
            case .all: ("true", [])
            case .session(let session): ("session = $1", [.int(session)])
            case .inside(let session, let seqs):
                (
                    "session = $1 AND seq >= $2 AND seq < $3",
                    [.int(session), .int(seqs.lowerBound), .int(seqs.upperBound)]
                )
            case .outside(let session, let seqs):
                (
                    "session = $1 AND NOT (seq >= $2 AND seq < $3)",
                    [.int(session), .int(seqs.lowerBound), .int(seqs.upperBound)]
                )
            }
        let from =
            table == .session
            ? "(SELECT s.*, p.*, s.row AS whose FROM session s LEFT JOIN progress p ON p.session = s.row) AS all_of_it"
            : table.rawValue
        let sql = """
            SELECT \(columns.map { $0.kind == .int ? "\($0.name)::bigint" : $0.name }.joined(separator: ", "))
            FROM \(from) WHERE \(table == .session ? condition.replacing("session =", with: "whose =") : condition)
            """
        return try read { connection in
            try connection.runOnce(PostgresStatement(sql, parameters)).map { row in
                StoredRow(
                    Dictionary(
                        uniqueKeysWithValues: try columns.map { ($0.name, try StoredValue(row, $0.name, $0.kind)) })
                )
            }
        }
    }

    package func strangers(_ table: StoredTable) throws -> [(session: StoredValue, rows: Int)] {
        let sql = """
            SELECT session, count(*) AS rows FROM \(table.rawValue) t
            WHERE NOT EXISTS (SELECT FROM session WHERE row = t.session)
                AND NOT EXISTS (SELECT FROM deleted WHERE row = t.session)
            GROUP BY session ORDER BY session
            """
        return try read { try $0.run(sql).map { (.int(try $0.int("session")), try $0.int("rows")) } }
    }

    /// The texts and labels that only searches read.
    package func derivedProblems(of session: Session) throws -> [String] {
        var problems: [String] = []
        let texts = SearchedText.pieces(of: session.header, title: session.title)
        let labels = session.header.labels
        let (found, stored) = try readAtOnce { connection in
            let found = try connection.run(
                "SELECT found = $1 AS same FROM session WHERE row = $2", .texts(texts), .int(session.row)
            ).first?.bool("same")
            let stored = try connection.run("SELECT key, value FROM label WHERE session = $1", .int(session.row))
                .map { (try $0.text("key"), try $0.text("value")) }
            return (found, stored)
        }
        if found == false { problems.append("the texts for searches are not those of its header and title") }
        if stored.count != labels.count || !stored.allSatisfy({ labels[$0.0] == $0.1 }) {
            problems.append("the labels for searches are not those of its header")
        }
        return problems
    }
}

extension StoredValue {
    fileprivate init(_ row: PostgresRow, _ column: String, _ kind: StoredTable.Kind) throws {
        guard let bytes = try row.optionalBytes(column) else {
            self = .nothing
            return
        }
        self =
            switch kind {
            case .int: .int(try row.int(column))
            case .double: .double(try row.double(column))
            case .flag: .int(try row.bool(column) ? 1 : 0)
            case .text: .text(bytes)
            case .bytes: .bytes(bytes)
            }
    }
}
