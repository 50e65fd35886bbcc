import Foundation
import GRDB
import SampleTapes
import TapeFormat
import Testing

@testable import StateTapeServer
@testable import TapeArchive

@Suite(.timeLimit(.minutes(1))) struct RetentionTests {
    private let folder = TemporaryFolder()
    private let archive: any Archive
    private static let day = 86_400_000

    private var pool: DatabasePool { get throws { try #require(archive as? SQLiteArchive).pool } }

    init() throws {
        archive = try Engine.chosen.open(folder.url)
    }

    /// A session with this many lines of 1 KB, last active on that day.
    @discardableResult
    private func record(_ number: Int, day: Int, lines: Int = 1, app: String = "com.example.todo") throws -> Session {
        let header = Sample.header("SESSION-000\(number)", app: app)
        let opening = SessionOpening(header: header, keyHash: [1], owner: "one")
        guard case .opened(let session)? = try archive.commit([.open(opening)], received: day * Self.day).first
        else { throw Ended(description: "not opened") }
        // Random, so that compression doesn't shrink them much.
        let lines = (0..<lines).map { seq in
            let text = (0..<64).map { _ in String(UInt64.random(in: 0...(.max)), radix: 16) }.joined()
            return Sample.full(seq, .string(String(text.prefix(1_000))))
        }
        let batch = Batch(session: session.row, owner: "one", lines: lines)
        _ = try archive.commit([.append(batch)], received: day * Self.day)
        return session
    }

    private func plan(_ retention: Retention, now: Int, connected: Set<String> = []) throws -> [(Int, Removal.Reason)] {
        try archive.plan(retention, now: now * Self.day) { connected.contains($0) }.removals.map { removal in
            (Int(removal.session.id.suffix(1)) ?? -1, removal.reason)
        }
    }

    @Test("Inactive sessions are deleted by age, unless they are kept, live or used as launch state")
    func age() throws {
        // The order of receipt differs from the order of activity.
        for (number, day) in [4, 1, 3, 2, 0, 9].enumerated() { try record(number, day: day) }
        let kept = try #require(try archive.session("SESSION-0001"))
        try archive.edit(kept.row, title: nil, labels: nil, kept: true)
        try archive.put(
            LaunchState(
                id: "s1", app: "com.example.todo", device: nil, labels: [:], mode: .state,
                session: "SESSION-0002", seq: 0, once: false))
        let found = try plan(Retention(keepDays: 5), now: 10, connected: ["SESSION-0003"])
        #expect(found.map(\.0) == [4, 0] && found.allSatisfy { $0.1 == .age })
        #expect(try plan(Retention(keepDays: 5), now: 9).map(\.0) == [4, 3])
        #expect(try plan(Retention(), now: 1_000).isEmpty)
    }

    @Test(
        "By size, the oldest sessions are deleted until the archive fits; its pages are returned to the disk",
        .enabled(if: Engine.isSQLite))
    func size() throws {
        for number in 0..<5 { try record(number, day: 10 - number, lines: 2_000) }
        let (before, file) = (try archive.size(), try pool.read { try Int.fetchOne($0, sql: "PRAGMA page_count") })
        let limit = before * 55 / 100
        let removals = try archive.plan(Retention(maxSize: limit), now: 11 * Self.day) { _ in false }.removals
        #expect(removals.map(\.session.id) == ["SESSION-0004", "SESSION-0003", "SESSION-0002"])
        #expect(removals.allSatisfy { $0.reason == .size })
        #expect(try archive.remove(removals.map(\.session)).count == 3)
        // For the next plan, space that is about to be freed counts as free.
        #expect(try archive.size() <= limit)
        #expect(try plan(Retention(maxSize: limit), now: 11).isEmpty)
        let planned = before - removals.reduce(0) { $0 + $1.bytes }
        while try archive.sweep() {}
        let after = try archive.size()
        #expect(after <= limit)
        // The estimate of a session's size is good enough to decide by.
        #expect(abs(after - planned) < before / 20)
        let pages = try pool.read { try Int.fetchOne($0, sql: "PRAGMA page_count") }
        #expect(try #require(pages) < #require(file) * 3 / 5)
        try archive.close()
        let bytes = try folder.url.appendingPathComponent("archive.sqlite").resourceValues(forKeys: [.fileSizeKey])
        #expect(try #require(bytes.fileSize) == #require(pages) * 4_096)
    }

    @Test("The newest session of each app can be spared, whether or not it is the only one")
    func newest() throws {
        for number in 0..<3 { try record(number, day: number) }
        try record(3, day: 1, app: "other")
        let (all, spared) = (Retention(maxSize: 0), Retention(maxSize: 0, sparesNewest: true))
        #expect(try plan(all, now: 9).map(\.0) == [0, 1, 3, 2])
        #expect(try plan(spared, now: 9).map(\.0) == [0, 1])
        #expect(try plan(Retention(keepDays: 1, sparesNewest: true), now: 9).map(\.0) == [0, 1])
        // The newest one is spared for another reason, and is still the newest.
        let kept = try #require(try archive.session("SESSION-0002"))
        try archive.edit(kept.row, title: nil, labels: nil, kept: true)
        #expect(try plan(spared, now: 9).map(\.0) == [0, 1])
    }

    @Test(
        "Estimates of freed space never exceed the total, even while deleted sessions are being freed",
        .enabled(if: Engine.isSQLite))
    func diskUse() throws {
        for number in 0..<6 { try record(number, day: number, lines: 20) }
        // The sizes of blobs of this length are overestimated.
        try pool.write { db in
            try db.execute(sql: "INSERT INTO base SELECT row, 'main', 9, 0 FROM session")
            for name in 0..<2_000 {
                try db.execute(sql: "INSERT INTO name SELECT row, 50 + \(name), '' FROM session")
            }
        }
        for number in 0..<6 {
            let plan = try archive.plan(Retention(maxSize: 0), now: 9 * Self.day) { _ in false }
            #expect(plan.size >= 0 && plan.bytes <= plan.size && plan.removals.allSatisfy { $0.bytes >= 0 })
            #expect(plan.bytes == plan.removals.reduce(0) { $0 + $1.bytes })
            try archive.delete(#require(try archive.session("SESSION-000\(number)")))
        }
        #expect(try archive.size() >= 0)
    }

    @Test("A clock that is set back makes no session older")
    func clock() throws {
        let one = try record(1, day: 8)
        let line = Sample.full(1, ["n": 1])
        for change in [
            Change.append(Batch(session: one.row, owner: "one", lines: [line])),
            .open(SessionOpening(header: one.header, keyHash: [1], owner: "two")),
        ] {
            _ = try archive.commit([change], received: 2 * Self.day)
            let now = try #require(try archive.session("SESSION-0001"))
            #expect(now.lastSeen == 8 * Self.day && now.received == 8 * Self.day && now.next == 2)
        }
        try record(2, day: 3)
        #expect(try plan(Retention(keepDays: 5), now: 9).map(\.0) == [2])
        // It may also have been set back since the last activity.
        #expect(try plan(Retention(keepDays: 5), now: 1).isEmpty)
        let summary = try #require(try archive.session("SESSION-0001")).summary(live: nil)
        #expect(summary["received"] == summary["lastSeen"])
    }

    @Test("A session that is kept or active after the plan was made is not deleted")
    func changed() throws {
        for number in 0..<3 { try record(number, day: 0) }
        let plan = try archive.plan(Retention(keepDays: 0), now: 9 * Self.day) { _ in false }
        let chosen = plan.removals.map(\.session)
        try archive.edit(chosen[0].row, title: nil, labels: nil, kept: true)
        try record(1, day: 5)
        #expect(try archive.remove(chosen) == ["SESSION-0002"])
        #expect(try archive.session("SESSION-0001") != nil)
    }

    @Test(
        "A large session is freed in slices, with commits in between; nothing of it is left in any table",
        .enabled(if: Engine.isSQLite)
    )
    func slices() throws {
        let session = try record(0, day: 0, lines: 4_000)
        try pool.write { db in
            for number in 0..<20_000 {
                try db.execute(
                    sql: "INSERT INTO base VALUES (?, 'main', ?, 0)", arguments: [session.row, number + 10_000])
            }
            for number in 0..<500 {
                let arguments: StatementArguments = [session.row, number, Data(count: 5_000)]
                try db.execute(sql: "INSERT INTO chunk VALUES (?, ?, 0, ?)", arguments: arguments)
                try db.execute(sql: "INSERT INTO head VALUES (?, ?, 0, ?)", arguments: arguments)
                try db.execute(sql: "INSERT INTO keyframe VALUES (?, 'main', ?, ?)", arguments: arguments)
                try db.execute(sql: "INSERT INTO name VALUES (?, ?, 'type')", arguments: [session.row, number])
                try db.execute(
                    sql: "INSERT INTO word (session, text) VALUES (?, ?)",
                    arguments: [session.row, "a note of some length \(number)"])
                try db.execute(
                    sql: "INSERT INTO bookmark VALUES (?, ?, 0, 'here', NULL, 0, 0)",
                    arguments: [session.row, number])
            }
        }
        try archive.delete(session)
        #expect(try archive.sweep())
        try record(1, day: 1)
        while try archive.sweep() {}
        try pool.read { db in
            let tables = try String.fetchAll(
                db,
                sql: """
                    SELECT entry.name FROM sqlite_schema AS entry JOIN pragma_table_info(entry.name) AS field
                    WHERE entry.type = 'table' AND field.name = 'session' AND entry.name <> 'startState'
                    """)
            #expect(Set(tables) == Set(SQLiteArchive.rowSizes.map(\.name)))
            for table in tables {
                let rows = try Int.fetchOne(
                    db, sql: "SELECT count(*) FROM \(table) WHERE session = ?", arguments: [session.row])
                #expect(rows == 0, "\(table)")
            }
            #expect(try Int.fetchOne(db, sql: "SELECT count(*) FROM wordText WHERE text MATCH 'length'") == 0)
        }
    }
}
