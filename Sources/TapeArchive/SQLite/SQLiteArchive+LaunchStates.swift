import GRDB
import TapeFormat

extension SQLiteArchive {
    package func launchStates() throws -> [LaunchState] {
        // Without those that are damaged: they must not keep apps from launching. A check names them.
        try pool.read { db in
            try Row.fetchAll(db, sql: "SELECT * FROM startState ORDER BY rowid").compactMap { try? LaunchState($0) }
        }
    }

    package func put(_ state: LaunchState) throws {
        let labels = Header.labelsText(state.labels)
        try writeEdit { db in
            // A replacement makes it the newest, which wins among equally specific ones.
            try db.execute(
                sql: "INSERT OR REPLACE INTO startState VALUES (?, ?, ?, ?, ?, ?, ?, ?)",
                arguments: [
                    state.id, state.app.stored, (state.device ?? "").stored, labels, state.mode.rawValue,
                    state.session, state.seq, state.once,
                ])
        }
    }

    package func deleteLaunchState(_ id: String) throws -> Bool {
        try writeEdit { db in
            try db.execute(sql: "DELETE FROM startState WHERE id = ?", arguments: [id])
            return db.changesCount > 0
        }
    }
}

extension LaunchState {
    fileprivate init(_ row: Row) throws {
        let device = try row.text("device")
        guard let labels = try JSON(parsing: row.get("labels") as String).object,
            let mode = Mode(rawValue: try row.get("mode"))
        else { throw FormatError("a launch state is damaged") }
        self.init(
            id: try row.get("id"), app: try row.text("app"), device: device.isEmpty ? nil : device,
            labels: Dictionary(labels.map { ($0.key, $0.value.string ?? "") }, uniquingKeysWith: { $1 }),
            mode: mode, session: try row.get("session"),
            seq: try row.get("seq"), once: try row.get("once"))
    }
}

extension Header {
    /// Labels as one text, identical for identical labels.
    fileprivate static func labelsText(_ labels: [String: String]) -> String {
        JSON.object(.init(labels.sorted { $0.key < $1.key }.map { ($0.key, .string($0.value)) })).text
    }
}
