package import TapeArchive
import TapeFormat

extension PostgresArchive {
    package func launchStates() throws -> [LaunchState] {
        try read { try $0.run("SELECT * FROM launch ORDER BY number").compactMap { try LaunchState($0) } }
    }

    package func put(_ state: LaunchState) throws {
        let labels = state.labelsText
        try write(isRepeatable: true) { connection in
            // A replacement makes it the newest, which wins among equally specific ones.
            try connection.run(
                "DELETE FROM launch WHERE id = $1 OR app = $2 AND device = $3 AND labels = $4", .utf8(state.id),
                .utf8(state.app), .utf8(state.device ?? ""), .utf8(labels))
            try connection.run(
                """
                INSERT INTO launch (id, app, device, labels, mode, session, seq, once)
                VALUES ($1, $2, $3, $4, $5, $6, $7, $8)
                """, .utf8(state.id), .utf8(state.app), .utf8(state.device ?? ""), .utf8(labels),
                .text(state.mode.rawValue), .utf8(state.session), .int(state.seq), .bool(state.once))
        }
    }

    package func deleteLaunchState(_ id: String) throws -> Bool {
        try write { try $0.run("DELETE FROM launch WHERE id = $1", .utf8(id)).changed > 0 }
    }
}

extension LaunchState {
    /// Nil if no server has written the row: it must not keep all others from being used.
    fileprivate init?(_ row: PostgresRow) throws {
        let device = try row.text("device")
        guard let labels = (try? JSON(parsing: row.text("labels")))?.object else { return nil }
        self.init(
            id: try row.text("id"), app: try row.text("app"), device: device.isEmpty ? nil : device,
            labels: Dictionary(labels.map { ($0.key, $0.value.string ?? "") }, uniquingKeysWith: { $1 }),
            mode: Mode(rawValue: try row.text("mode")) ?? .state, session: try row.optionalText("session"),
            seq: try row.optionalInt("seq"), once: try row.bool("once"))
    }

    /// The labels as one text, identical for identical labels.
    fileprivate var labelsText: String {
        JSON.object(.init(labels.sorted { $0.key < $1.key }.map { ($0.key, .string($0.value)) })).text
    }
}
