package import GRDB

extension SQLiteArchive {
    package func bookmarks(of session: Int64) throws -> [Bookmark] {
        try readAround { db, hint in
            let sql = """
                SELECT stored.* FROM \(Self.stored("bookmark", hint)) WHERE place.session = ?
                ORDER BY stored.seq, stored.number
                """
            return try Row.fetchAll(db.cachedStatement(sql: sql), arguments: [session])
                .map { try Bookmark($0.checked(of: session)) }
        }
    }

    package func mark(_ session: Int64, _ content: Bookmark.Content, made: Int, most: Int) throws -> Bookmark? {
        try writeEdit { db in
            // Every change gets a number, so that a deleted bookmark's number is not reused.
            let count = """
                UPDATE session SET bookmarks = bookmarks + 1, marked = marked + 1
                WHERE row = ? AND bookmarks < ? RETURNING marked
                """
            guard let number = try Int.fetchOne(db, sql: count, arguments: [session, most]) else { return nil }
            let bookmark = Bookmark(number: number, content: content, made: made)
            try Self.keep(bookmark, session, db)
            return bookmark
        }
    }

    /// Stores a bookmark that is counted already, and its text for searches.
    package static func keep(_ bookmark: Bookmark, _ session: Int64, _ db: Database) throws {
        let content = bookmark.content
        try db.execute(
            sql: "INSERT INTO word (session, text) VALUES (?, ?)", arguments: [session, Self.word(content.text)])
        try db.execute(
            sql: """
                INSERT INTO bookmark (session, number, seq, text, author, made, word)
                VALUES (?, ?, ?, ?, ?, ?, ?)
                """,
            arguments: [
                session, bookmark.number, content.seq, content.text.stored, content.author?.stored, bookmark.made,
                db.lastInsertedRowID,
            ])
    }

    package func unmark(_ session: Int64, number: Int) throws -> Bool {
        try writeEdit { db in
            let delete = "DELETE FROM bookmark WHERE session = ? AND number = ? RETURNING word"
            guard let word = try Int64.fetchOne(db, sql: delete, arguments: [session, number]) else {
                return false
            }
            try db.execute(sql: "DELETE FROM word WHERE row = ?", arguments: [word])
            try db.execute(
                sql: "UPDATE session SET bookmarks = bookmarks - 1, marked = marked + 1 WHERE row = ?",
                arguments: [session])
            return true
        }
    }
}

extension Bookmark {
    fileprivate init(_ row: Row) throws {
        self.init(
            number: try row.get("number"),
            content: Content(
                seq: try row.get("seq"), text: try row.text("text"), author: try row.optionalText("author")),
            made: try row.get("made"))
    }
}
