package import TapeArchive
import TapeFormat

extension PostgresArchive {
    package func sessions(_ query: SessionQuery) throws -> SessionPage {
        var conditions = SQLConditions()
        conditions.add("NOT s.hidden")
        if let app = query.app { conditions.add("s.app = \(conditions.parameter(.utf8(app)))") }
        for (key, value) in query.labels {
            let key = conditions.parameter(.utf8(key))
            let value = conditions.parameter(.utf8(value))
            conditions.add(
                "EXISTS (SELECT FROM label l WHERE l.session = s.row AND l.key = \(key) AND l.value = \(value))")
        }
        if let text = query.text { conditions.add(holding: text) }
        if let only = query.only { conditions.add("s.id = ANY(\(conditions.parameter(.utf8s(Array(only)))))") }
        if let except = query.except {
            conditions.add("s.id <> ALL(\(conditions.parameter(.utf8s(Array(except)))))")
        }
        if let place = query.after {
            let received = conditions.parameter(.int(place.received))
            let row = conditions.parameter(.int(place.row))
            conditions.add("(s.received, s.row) < (\(received), \(row))")
        }
        let sql = """
            \(Self.sessionRow) WHERE \(conditions.text)
            ORDER BY s.received DESC, s.row DESC LIMIT \(conditions.parameter(.int(query.limit + 1)))
            """
        return try read { connection in
            let rows = try connection.runOnce(PostgresStatement(sql, conditions.parameters))
            let page = rows.prefix(query.limit)
            // A session that can't be read doesn't hide the others or later pages.
            return SessionPage(
                sessions: page.compactMap { try? Session($0) },
                next: rows.count > query.limit
                    ? try page.last.map { SessionCursor(received: try $0.int("received"), row: try $0.int64("row")) }
                    : nil)
        }
    }
}

/// Conditions that must all hold, and their parameters.
private struct SQLConditions {
    private var all: [String] = []
    private(set) var parameters: [PostgresValue] = []
    var text: String { all.joined(separator: " AND ") }

    mutating func add(_ condition: String) { all.append(condition) }

    /// The name of a new parameter.
    mutating func parameter(_ value: PostgresValue) -> String {
        parameters.append(value)
        return "$\(parameters.count)"
    }

    /// Adds that a text occurs in a session's header, title or nickname, or in its words: types, notes and bookmarks.
    mutating func add(holding text: String) {
        // No stored piece contains a NUL.
        guard !text.utf8.contains(0) else { return add("false") }
        let folded = parameter(.text(SearchedText.ascii(text)))
        func found(_ column: String) -> String {
            "EXISTS (SELECT FROM unnest(\(column)) AS piece WHERE strpos(piece COLLATE \"C\", \(folded)) > 0)"
        }
        // Like the trigram index, which needs three letters. A shorter text is searched in all words, and only
        // ASCII is folded.
        let isShort = text.unicodeScalars.count < 3
        let words =
            isShort
            ? "strpos(lower(text), \(folded)) > 0"
            : "coalesce(folded, lower(text)) LIKE \(parameter(.text(SearchedText.pattern(SearchedText.simple(text)))))"
        add(
            """
            (\(found("s.found")) OR \(found("d.found"))
                OR s.row IN (SELECT session FROM word WHERE \(words)))
            """)
    }
}
