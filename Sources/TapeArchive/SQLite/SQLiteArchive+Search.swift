import GRDB

extension SQLiteArchive {
    /// The SQL condition that a text occurs in a session's header, title or nickname, or in its words: types, notes
    /// and bookmarks.
    static func holds(_ text: String) -> SQL {
        // SQLite's functions stop at a NUL, so they would search for another text.
        guard !text.utf8.contains(0) else { return "FALSE" }
        return """
            (instr(lower(title), lower(\(text)))
                OR instr(lower((SELECT nickname FROM device WHERE device.id = session.device)), lower(\(text)))
                OR row IN (\(sessionsWithWord(text)))
                OR EXISTS (
                    SELECT 1 FROM json_tree(\(sql: readableHeader)) WHERE type = 'text' AND instr(lower(atom), lower(\(text)))))
            """
    }

    /// The header for SQLite's functions, which fail on a damaged one and with it the whole query.
    static let readableHeader = "CASE WHEN json_valid(header) THEN header ELSE '{}' END"

    /// From three characters on, the trigram index finds the text as one phrase. A shorter text is searched in all
    /// words.
    private static func sessionsWithWord(_ text: String) -> SQL {
        guard text.unicodeScalars.count >= 3 else {
            return "SELECT session FROM word WHERE instr(lower(text), lower(\(text)))"
        }
        let phrase = "\"" + text.replacing("\"", with: "\"\"") + "\""
        return """
            SELECT session FROM word WHERE row IN (SELECT rowid FROM wordText WHERE wordText MATCH \(phrase))
            """
    }
}
