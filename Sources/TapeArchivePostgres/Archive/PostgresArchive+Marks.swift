package import TapeArchive
import TapeFormat

extension PostgresArchive {
    package func bookmarks(of session: Int64) throws -> [Bookmark] {
        try read {
            try $0.run("SELECT * FROM bookmark WHERE session = $1 ORDER BY seq, number", .int(session)).map {
                Bookmark(
                    number: try $0.int("number"),
                    content: .init(
                        seq: try $0.int("seq"), text: try $0.text("text"), author: try $0.optionalText("author")),
                    made: try $0.int("made"))
            }
        }
    }

    package func mark(_ session: Int64, _ content: Bookmark.Content, made: Int, most: Int) throws -> Bookmark? {
        try write { connection in
            // Every change gets a number, so that a deleted bookmark's number is not reused.
            let count = """
                UPDATE session SET bookmarks = bookmarks + 1, marked = marked + 1
                WHERE row = $1 AND bookmarks < $2 RETURNING marked
                """
            guard let number = try connection.run(count, .int(session), .int(most)).first?.int("marked") else {
                return nil
            }
            let bookmark = Bookmark(number: number, content: content, made: made)
            try Self.keep(bookmark, session, connection)
            return bookmark
        }
    }

    /// Stores a bookmark that is counted already, and its text for searches.
    static func keep(_ bookmark: Bookmark, _ session: Int64, _ connection: PostgresConnection) throws {
        let content = bookmark.content
        let word = word(content.text)
        try connection.run(
            """
            WITH found AS (INSERT INTO word (session, text, folded) VALUES ($1, $2, $3) RETURNING row)
            INSERT INTO bookmark (session, number, seq, text, author, made, word)
                SELECT $1, $4, $5, $6, $7, $8, row FROM found
            """, .int(session), .text(word.text), .text(word.folded), .int(bookmark.number), .int(content.seq),
            .utf8(content.text), .utf8(content.author), .int(bookmark.made))
    }

    package func unmark(_ session: Int64, number: Int) throws -> Bool {
        try write { connection in
            let delete = "DELETE FROM bookmark WHERE session = $1 AND number = $2 RETURNING word"
            guard let word = try connection.run(delete, .int(session), .int(number)).first?.int64("word") else {
                return false
            }
            try connection.run("DELETE FROM word WHERE row = $1", .int(word))
            try connection.run(
                "UPDATE session SET bookmarks = bookmarks - 1, marked = marked + 1 WHERE row = $1", .int(session))
            return true
        }
    }

    package func name(device: String, _ nickname: String?, most: Int) throws -> [String] {
        try write(isRepeatable: true) { connection in
            let sessions = try connection.run(
                """
                SELECT id FROM session WHERE sha256(device) = sha256($1) AND device = $1 AND NOT hidden
                ORDER BY received DESC, row DESC LIMIT $2
                """, .utf8(device), .int(most))
            guard !sessions.isEmpty else { return [] }
            try connection.run("DELETE FROM device WHERE sha256(id) = sha256($1)", .utf8(device))
            if let nickname {
                try connection.run(
                    "INSERT INTO device (id, nickname, found) VALUES ($1, $2, $3)", .utf8(device),
                    .utf8(nickname), .texts(SearchedText.pieces(nickname)))
            }
            return try sessions.map { try $0.text("id") }
        }
    }
}
