#if Server
    import GRDB

    extension SQLiteArchive {
        /// The condition that a text stands in a session's header, its title, its device's nickname, or its words: types,
        /// notes and bookmarks.
        static func holds(_ text: String) -> SQL {
            // SQLite's functions read a text up to a NUL: they would look for something else.
            guard !text.utf8.contains(0) else { return "FALSE" }
            return """
                (instr(lower(title), lower(\(text)))
                    OR instr(lower((SELECT nickname FROM device WHERE device.id = session.device)), lower(\(text)))
                    OR row IN (\(sessionsWithWord(text)))
                    OR EXISTS (
                        SELECT 1 FROM json_tree(header) WHERE type = 'text' AND instr(lower(atom), lower(\(text)))))
                """
        }

        /// From three characters on the index finds them: one phrase, whatever it holds. For less all words are read.
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
#endif
