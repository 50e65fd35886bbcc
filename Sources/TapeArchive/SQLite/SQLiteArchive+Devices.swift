import GRDB

extension SQLiteArchive {
    package func name(device: String, _ nickname: String?, most: Int) throws -> [String] {
        try writeEdit { db in
            let sessions = try String.fetchAll(
                db,
                sql: """
                    SELECT id FROM session WHERE device = ? AND NOT hidden ORDER BY received DESC, row DESC LIMIT ?
                    """,
                arguments: [device.stored, most])
            guard !sessions.isEmpty else { return [] }
            if let nickname {
                try db.execute(
                    sql: "INSERT OR REPLACE INTO device (id, nickname) VALUES (?, ?)",
                    arguments: [device.stored, nickname.stored])
            } else {
                try db.execute(sql: "DELETE FROM device WHERE id = ?", arguments: [device.stored])
            }
            return sessions
        }
    }
}
