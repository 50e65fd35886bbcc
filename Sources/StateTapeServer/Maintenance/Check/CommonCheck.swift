import TapeArchive
import TapeFormat

/// Checks what belongs to no session, or to one that isn't there.
struct CommonCheck {
    private let archive: any Archive
    private let report: CheckReport

    init(_ archive: any Archive, _ report: CheckReport) {
        (self.archive, self.report) = (archive, report)
    }

    func run() throws {
        for table in StoredTable.ofSessions {
            try report.trying("the table \(table)") {
                for (session, rows) in try archive.strangers(table) {
                    report.problem(
                        "\(rows) rows of \(table) belong to the session in row \(session), which isn't there")
                }
            }
        }
        try check(.identity) { rows in
            if rows.count != 1 || rows[0].text("id").map(Self.isIdentity) != true {
                return "the archive's id is damaged"
            }
            return nil
        }
        try checkEach(.device) {
            $0.text("id") != nil && $0.text("nickname") != nil ? nil : "a device's nickname is damaged"
        }
        try checkEach(.launch) { Self.isLaunch($0) ? nil : "the launch state \($0["id"]) is damaged" }
        try report.trying("the sessions of launch states") { try checkLaunches() }
        try report.trying("the list of deleted sessions") {
            let (ids, sessions) = (Set(try archive.allSessions()), Set(try archive.sessionRows()))
            for row in try archive.rows(.deleted, .all) {
                guard let id = row.text("id"), row["row"] == .nothing || row.int("row") != nil,
                    Header.isSession(id) || id.hasPrefix("upload ") || id.hasPrefix("again ")
                else {
                    report.problem("the note of the deleted session \(row["id"]) is damaged")
                    continue
                }
                if ids.contains(id) { report.problem("session \(id) is there, and noted as deleted") }
                if let number = row.int("row"), sessions.contains(Int64(number)) {
                    report.problem("the note of the deleted session \(id) has the row of a session that is there")
                }
            }
        }
    }

    private func check(_ table: StoredTable, _ body: ([StoredRow]) -> String?) throws {
        try report.trying("the table \(table)") {
            if let problem = body(try archive.rows(table, .all)) { report.problem(problem) }
        }
    }

    private func checkEach(_ table: StoredTable, _ body: (StoredRow) -> String?) throws {
        try report.trying("the table \(table)") {
            for row in try archive.rows(table, .all) {
                if let problem = body(row) { report.problem(problem) }
            }
        }
    }

    /// A person may delete the session of a launch state; otherwise it is there.
    private func checkLaunches() throws {
        // In this order, since a running server may add and delete sessions meanwhile.
        let launches = try archive.rows(.launch, .all)
        let named = Set(launches.compactMap { $0.text("session") })
        let (sessions, ends) = (Set(try archive.allSessions()), try archive.next(of: named))
        let deleted = Set(try archive.deletedSessions())
        for launch in launches {
            guard let id = launch.text("session"), let seq = launch.int("seq") else { continue }
            if sessions.contains(id), seq >= ends[id] ?? 0 {
                report.problem(
                    "the launch state \(launch["id"]) is at event \(seq), which session \(id) doesn't have")
            } else if !sessions.contains(id), !deleted.contains(id) {
                report.problem("the launch state \(launch["id"]) is of session “\(id)”, which isn't there")
            }
        }
    }

    private static func isIdentity(_ id: String) -> Bool {
        id.utf8.count == 32 && id.utf8.allSatisfy { (48...57).contains($0) || (97...102).contains($0) }
    }

    private static func isLaunch(_ row: StoredRow) -> Bool {
        guard let id = row.text("id"), !id.isEmpty, row.text("app") != nil, row.text("device") != nil,
            let mode = row.text("mode").flatMap(LaunchState.Mode.init), [0, 1].contains(row.int("once")),
            let labels = row.text("labels").flatMap({ try? JSON(parsing: $0) })?.object,
            labels.allSatisfy({ $0.value.string != nil })
        else { return false }
        if mode == .latest { return row["session"] == .nothing && row["seq"] == .nothing }
        return row.text("session").map(Header.isSession) == true && row.int("seq").map { $0 >= -1 } == true
    }
}
