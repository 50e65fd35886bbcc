import TapeArchive
import TapeEngine
import TapeFormat

/// Compares everything that an archive stores about a session with the session's lines, and with each other.
struct SessionCheck {
    private let row: Int64
    private let stored: StoredRow
    private let tapes: Tapes
    private let report: CheckReport
    private let name: String
    private let header: Header?
    private var archive: any Archive { tapes.archive }

    init(_ row: Int64, _ stored: StoredRow, _ tapes: Tapes, _ report: CheckReport) {
        (self.row, self.stored, self.tapes, self.report) = (row, stored, tapes, report)
        let id = stored.text("id").flatMap { Header.isSession($0) ? $0 : nil }
        name =
            (id ?? tapes.archive.knownSessions[row]).map { "session \($0)" } ?? "the session in row \(row)"
        header = stored.text("header").flatMap { try? JSON(parsing: $0) }.flatMap { try? Header($0) }
    }

    /// - Returns: Whether no server has sealed, hidden or deleted the session meanwhile. Otherwise some of what was found may
    ///   not be so.
    mutating func run() throws -> Bool {
        checkIdentity()
        if stored.int("hidden") == 1 {
            try report.trying("\(name): its mark as an upload") {
                if let reason = try HiddenSession(stored).contradiction(archive, row) {
                    differs("hidden", 1, reason)
                }
            }
        }
        try report.trying("\(name): its note of failures") {
            for problem in try archive.troubles(of: row) { report.problem("\(name) \(problem)") }
        }
        var lines = LineCheck(row, name, header, isHidden: stored.int("hidden") == 1, tapes, report)
        try lines.run()
        var marks = MarkCheck(row, name, lines.found, archive, report)
        try report.trying("\(name): its bookmarks and search texts") { try marks.run(stored) }
        // What a running server has changed meanwhile can't be compared.
        guard let later = try archive.rows(.session, .session(row)).first,
            ["sealed", "version", "hidden"].allSatisfy({ later[$0] == stored[$0] })
        else { return false }
        guard ["next", "marked", "title"].allSatisfy({ later[$0] == stored[$0] }) else { return true }
        for problem in marks.problems { report.problem("\(name): \(problem)") }
        compare(with: lines.found, marks)
        if header != nil, stored.text("id").map(Header.isSession) == true, let session = try? archive.upload(id) {
            for problem in try archive.derivedProblems(of: session) { report.problem("\(name): \(problem)") }
        }
        return true
    }

    private var id: String { stored.text("id") ?? "" }

    private func differs(_ column: String, _ stored: Any, _ expected: String) {
        report.problem("\(name): \(Self.label(column)) is \(stored), but \(expected)")
    }

    private static func label(_ column: String) -> String {
        [
            "seen": "the time of the last commit", "received": "the time of the first commit", "next": "its end",
            "sealed": "the end of its sealed events", "bytes": "its size", "key": "its key", "id": "its id",
            "owner": "its owner", "app": "its app", "device": "its device", "version": "its version",
            "duration": "its duration", "ended": "its end reason", "bookmarks": "its count of bookmarks",
            "marked": "its count of changes to bookmarks",
        ][column] ?? "“\(column)”"
    }

    /// What needs no lines.
    private func checkIdentity() {
        if header == nil { report.problem("\(name): its header is damaged") }
        if !Header.isSession(id) { differs("id", stored["id"], "an id has 10 to 64 letters, digits, “-” and “_”") }
        if let header {
            if header.session != id { differs("id", stored["id"], "its header says “\(header.session)”") }
            if stored.text("app") != header.app.id {
                differs("app", stored["app"], "its header says “\(header.app.id)”")
            }
            if stored.text("device") != header.device?.id
                || stored["device"] == .nothing && header.device?.id != nil
            {
                differs(
                    "device", stored["device"],
                    "its header says \(header.device?.id.map { "“\($0)”" } ?? "nothing")")
            }
        }
        // Of an upload it is empty.
        if case .bytes(let key) = stored["key"], key.isEmpty || key.count == 32 {
        } else {
            differs("key", stored["key"], "a key's digest has 32 bytes")
        }
        if stored["key"] == .bytes([]),
            stored.int("paused") == 1 || stored["replay"] != .nothing
                || stored["failure"] != .nothing
        {
            differs("key", "empty", "its app was connected, and an upload has none")
        }
        if stored.text("owner") == nil { differs("owner", stored["owner"], "an owner is a text") }
        for column in ["complete", "kept", "paused", "hidden"] where ![0, 1].contains(stored.int(column)) {
            differs(column, stored[column], "only 0 and 1 are valid")
        }
        for column in ["title", "ended"] where stored[column] != .nothing && stored.text(column) == nil {
            differs(column, stored[column], "a text is expected")
        }
        for column in ["replay", "failure"] where stored[column] != .nothing {
            if stored.text(column).flatMap({ try? JSON(parsing: $0) })?.object == nil {
                differs(column, stored[column], "a JSON object is expected")
            }
        }
        checkNumbers()
    }

    private func checkNumbers() {
        let times = 0...253_402_300_799_999
        let ranges = [
            "received": times, "seen": times, "next": 0...Limits.seq + 1, "sealed": 0...Limits.seq + 1,
            "bytes": 0...Int.max, "version": 0...Int.max, "bookmarks": 0...Int.max, "marked": 0...Int.max,
        ]
        for (column, range) in ranges.sorted(by: { $0.key < $1.key }) {
            if stored.int(column).map(range.contains) != true {
                differs(column, stored[column], "that is not a valid number")
            }
        }
        if let received = stored.int("received"), let seen = stored.int("seen"), seen < received {
            differs("seen", seen, "the first was at \(received)")
        }
    }

    /// What follows from the lines.
    private func compare(with found: LineFacts, _ marks: MarkCheck) {
        if stored.int("next") != found.end { differs("next", stored["next"], "its events end before \(found.end)") }
        if stored.int("sealed") != found.sealed {
            differs("sealed", stored["sealed"], "its sealed events end before \(found.sealed)")
        }
        if stored.int("bookmarks") != marks.count {
            differs("bookmarks", stored["bookmarks"], "it has \(marks.count)")
        }
        if let marked = stored.int("marked"), marked < max(marks.count, marks.last) {
            differs("marked", marked, "its last bookmark has the number \(marks.last)")
        }
        guard found.isWhole else { return }
        // A whole state that sealing has replaced by a patch had more bytes.
        if !found.hasGap, let bytes = stored.int("bytes"), bytes < found.bytes {
            differs("bytes", bytes, "its events have at least \(found.bytes) bytes")
        }
        let isComplete = found.first == 0 && !found.hasGap
        if stored.int("complete") != (isComplete ? 1 : 0) {
            differs("complete", stored["complete"], "its events are \(isComplete ? "" : "not ")complete")
        }
        // A copy of a damaged session has a gap at its end, but the duration of the original.
        if found.endsDamaged { return }
        if stored.double("duration") != found.last?.at.double ?? 0 {
            differs("duration", stored["duration"], "its last event is at \(found.last?.at.double ?? 0) ms")
        }
        let end = found.last.flatMap { $0.kind == .end ? $0["reason"]?.string ?? "" : nil }
        if stored.text("ended") != end {
            let last = end.map { "its last event says “\($0)”" }
            differs("ended", stored["ended"], last ?? "its last event is not an end")
        }
    }
}
