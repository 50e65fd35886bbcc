import Foundation
import GRDB
import SampleTapes
import TapeFormat
import Testing

@testable import StateTapeServer
@testable import TapeArchive
@testable import TapeEngine

@Suite(.timeLimit(.minutes(5))) struct MoveTests {
    private let folder = TemporaryFolder()
    private var one: URL { folder.url.appendingPathComponent("one") }
    private var two: URL { folder.url.appendingPathComponent("two") }

    private func move(
        _ from: ArchiveAddress, _ to: ArchiveAddress, _ sessions: String...
    ) throws -> (counts: ArchiveMove.Counts, problems: [String], compared: Int) {
        var problems: [String] = []
        var compared = 0
        let counts = try ArchiveMove.run(
            from: from, to: to, sessions: sessions, logger: PrivatePostgres.logger, tell: { problems.append($0) },
            progress: { compared = max(compared, $0.events) })
        return (counts, problems, compared)
    }

    private func withArchive<Value>(_ address: ArchiveAddress, _ body: (any Archive) throws -> Value) throws
        -> Value
    {
        if case .folder(let folder) = address {
            try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        }
        let archive = try address.open(sync: .normal, logger: PrivatePostgres.logger)
        defer { try? archive.close() }
        return try body(archive)
    }

    private func snapshot(_ address: ArchiveAddress) throws -> [String] {
        try withArchive(address) { try ArchiveSnapshot($0).texts }
    }

    /// Reports only the first differences: a snapshot has thousands of texts.
    private func expectEqual(_ found: [String], _ expected: [String], at place: SourceLocation = #_sourceLocation) {
        let differences = found.difference(from: expected)
        for difference in differences.prefix(8) {
            switch difference {
            case .insert(_, let text, _): Issue.record("unexpected: \(text.prefix(300))", sourceLocation: place)
            case .remove(_, let text, _): Issue.record("missing: \(text.prefix(300))", sourceLocation: place)
            }
        }
    }

    @Test(
        "An archive is copied with everything in it, from each engine to each", arguments: Engine.allCases,
        Engine.allCases)
    func everything(from: Engine, to: Engine) throws {
        let (source, target) = (try from.address(for: one), try to.address(for: two))
        try withArchive(source) { try OddSessions($0).record() }
        let before = try snapshot(source)
        #expect(before.contains("SESSION-PART-0001 version 4000"))
        #expect(before.contains { $0.hasPrefix("SESSION-RANDOM-0001 broken [") && !$0.hasSuffix("[]") })
        #expect(before.contains { $0.hasPrefix("SESSION-LARGE-0001 keyframe ") })
        let first = try move(source, target)
        #expect(first.problems == ["session HIDDEN-0001 is an incomplete upload and isn't copied"])
        #expect(first.counts.copied == 5 && first.counts.present == 0 && first.counts.problems.count == 0)
        expectEqual(try snapshot(target), before)
        expectEqual(try snapshot(source), before)
        let second = try move(source, target)
        #expect(second.counts.copied == 0 && second.counts.present == 5 && second.counts.problems.count == 0)
        expectEqual(try snapshot(target), before)
        var found: [String] = []
        _ = try ArchiveCheck.run(
            target, logger: PrivatePostgres.logger, tell: { found.append($0) }, progress: { _ in })
        #expect(found.isEmpty)
    }

    @Test(
        "Single sessions are copied by id or prefix, with their launch states but no others",
        arguments: Engine.allCases)
    func single(to: Engine) throws {
        let (source, target) = (ArchiveAddress.folder(one), try to.address(for: two))
        try withArchive(source) { try OddSessions($0).record() }
        #expect(try move(source, target, "SESSION-PART").counts.copied == 1)
        #expect(try move(source, target, "SESSION-NAMED", "SESSION-PART-0001").counts.present == 1)
        try withArchive(target) { (archive) throws in
            #expect(
                try archive.sessions(SessionQuery()).sessions.map(\.id) == [
                    "SESSION-PART-0001", "SESSION-NAMED-0001",
                ])
            #expect(try archive.launchStates().map(\.id) == ["s1"])
            #expect(try archive.deletedSessions().isEmpty)
        }
        for name in ["SESSION-GONE-0001", "short", "", "SESSION\0NUL-0001"] {
            #expect(throws: ServerError.self) { try move(source, target, name) }
        }
        #expect(throws: ServerError.self) { try move(source, target, "SESSION-PA", "SESSION-NOT-0001") }
    }

    @Test("A copy that stopped in the middle of a session stays hidden, and the next one continues it")
    func continued() throws {
        let (source, target) = (ArchiveAddress.folder(one), ArchiveAddress.folder(two))
        let lines = Sample.counting(to: 256 * 80)
        try withArchive(source) { archive in
            let odd = OddSessions(archive)
            try odd.seal(odd.record("SESSION-LONG-0001", lines))
        }
        let before = try snapshot(source)
        try withArchive(target) { _ in }
        let file = two.appendingPathComponent(DataFolder.archive)
        func run(_ sql: String) throws -> Int? {
            let queue = try DatabaseQueue(path: file.path)
            defer { try? queue.close() }
            return try queue.write { db in
                try sql.hasPrefix("SELECT")
                    ? Int.fetchOne(db, sql: sql)
                    : {
                        try db.execute(sql: sql); return nil
                    }()
            }
        }
        _ = try run(
            """
            CREATE TRIGGER stop BEFORE INSERT ON chunk WHEN (SELECT count(*) FROM chunk) > 40
            BEGIN SELECT RAISE(ABORT, 'no more'); END
            """)
        let error = #expect(throws: MoveInterrupted.self) { try move(source, target) }
        #expect(error?.description.contains("no more") == true)
        let copied = try #require(try run("SELECT count(*) FROM chunk"))
        let row = try run("SELECT row FROM session")
        #expect(copied > 0 && copied <= 40)
        try withArchive(target) { (archive) throws in
            let listed = try archive.sessions(SessionQuery()).sessions
            #expect(listed.isEmpty)
        }
        _ = try run("DROP TRIGGER stop")
        // The same row of the session: its first lines were not copied again.
        let second = try move(source, target)
        #expect(second.counts.copied == 1 && second.problems.isEmpty)
        #expect(try run("SELECT row FROM session") == row)
        #expect(try run("SELECT count(*) FROM chunk") == 80)
        expectEqual(try snapshot(target), before)
    }

    @Test("A copy that loses the database continues once the database is back")
    func lostDatabase() throws {
        let postgres = try PrivatePostgres()
        let source = ArchiveAddress.folder(one)
        let target = try ArchiveAddress(postgres.makeDatabase())
        try withArchive(source) { archive in
            let odd = OddSessions(archive)
            try odd.seal(odd.record("SESSION-LONG-0001", Sample.counting(to: 256 * 80)))
        }
        var result: Result<Void, any Error> = .success(())
        var isRunning = true
        let error = #expect(throws: MoveInterrupted.self) {
            try ArchiveMove.run(from: source, to: target, logger: PrivatePostgres.logger, tell: { _ in }) {
                counts in
                // After the first commit, and before the second one.
                guard isRunning, counts.events > 256 * 40 else { return }
                isRunning = false
                result = Result { try postgres.crash() }
            }
        }
        try result.get()
        #expect(error?.description.contains("Run the same command again") == true)
        try postgres.start()
        try withArchive(target) { (archive) throws in
            #expect(try archive.session("SESSION-LONG-0001") == nil)
            #expect(try archive.upload("SESSION-LONG-0001")?.sealed == 256 * 32)
        }
        #expect(try move(source, target).counts.copied == 1)
        expectEqual(try snapshot(target), try snapshot(source))
    }

    @Test("A copy whose commit was stored without an answer is complete all the same")
    func lostAnswer() throws {
        let postgres = try PrivatePostgres.shared.get()
        let relay = try HoldingRelay(to: "\(postgres.folder)/.s.PGSQL.5432")
        let source = ArchiveAddress.folder(one)
        try withArchive(source) { archive in
            let odd = OddSessions(archive)
            try odd.seal(odd.record("SESSION-LONG-0001", Sample.counting(to: 600)))
        }
        let before = try snapshot(source)
        // Each of its commits in turn.
        for number in 0... {
            let address = try postgres.makeDatabase()
            try withArchive(ArchiveAddress(address)) { _ in }
            let relayed = String(address.prefix { $0 != "?" }).replacing("@/", with: "@127.0.0.1:\(relay.port)/")
            relay.lose("COMMIT\0", after: number)
            let result: (counts: ArchiveMove.Counts, problems: [String], compared: Int)
            do {
                result = try move(source, ArchiveAddress(relayed))
            } catch let error as ServerError where error.description.contains("can't be opened") {
                continue
            }
            #expect(result.counts.copied == 1 && result.problems.isEmpty, "\(number): \(result.problems)")
            expectEqual(try snapshot(ArchiveAddress(address)), before)
            if relay.hasLostNothing { return #expect(number > 2) }
        }
    }

    @Test("A second copy to the same target is refused meanwhile", arguments: Engine.allCases)
    func twoAtOnce(to: Engine) throws {
        let (source, target) = (ArchiveAddress.folder(one), try to.address(for: two))
        try withArchive(source) { try OddSessions($0).record() }
        var error: ServerError?
        _ = try ArchiveMove.run(from: source, to: target, logger: PrivatePostgres.logger, tell: { _ in }) { _ in
            guard error == nil else { return }
            do { _ = try move(source, target) } catch let refusal { error = refusal as? ServerError }
        }
        #expect(error?.code == .dataInUse)
    }

    @Test("The unfinished copy of something else is replaced")
    func replaced() throws {
        let (source, target) = (ArchiveAddress.folder(one), ArchiveAddress.folder(two))
        try withArchive(source) { archive in
            let odd = OddSessions(archive)
            try odd.seal(odd.record("SESSION-LONG-0001", Sample.counting(to: 600)))
        }
        try withArchive(target) { (archive) throws in
            let claim = SessionLease(header: Sample.header("SESSION-LONG-0001"), owner: SessionCopy.owner, before: nil)
            guard case .opened(let copy)? = try archive.commit([.claim(claim)], received: 1).first else {
                throw Ended(description: "not opened")
            }
            let lines = [Sample.start(0, ["n": 7])]
            _ = try archive.commit(
                [.append(Batch(session: copy.row, owner: SessionCopy.owner, lines: lines))], received: 1)
        }
        #expect(try move(source, target).counts.copied == 1)
        #expect(
            try snapshot(target).filter { !$0.contains(" version ") }
                == snapshot(source).filter { !$0.contains(" version ") })
    }

    @Test("Damaged lines are reported and become a gap; the rest is copied")
    func damaged() throws {
        let (source, target) = (ArchiveAddress.folder(one), ArchiveAddress.folder(two))
        try withArchive(source) { archive in
            let odd = OddSessions(archive)
            try odd.seal(odd.record("SESSION-LONG-0001", Sample.counting(to: 1_100)))
            _ = try odd.record("SESSION-NEXT-0001", Sample.counting(to: 3))
        }
        let queue = try DatabaseQueue(path: one.appendingPathComponent(DataFolder.archive).path)
        try queue.write { db in
            try db.execute(sql: "UPDATE chunk SET lines = substr(lines, 1, 100) WHERE first = 256")
        }
        try queue.close()
        let result = try move(source, target)
        #expect(result.counts.copied == 2 && result.counts.problems.count == 1)
        #expect(result.problems.first?.hasPrefix("session SESSION-LONG-0001: events 256–511 are damaged") == true)
        try withArchive(target) { (archive) throws in
            let copy = try #require(try archive.session("SESSION-LONG-0001"))
            var seqs: [Int] = []
            try Tapes(archive)[copy].each(in: 0..<copy.next) { line in
                seqs.append(line.seq)
                return true
            }
            #expect(seqs == Array(0..<256) + Array(511..<1_100))
            #expect(!copy.complete && copy.next == 1_100)
        }
        #expect(try move(source, target).counts.present == 2)
    }

    @Test("What the target has otherwise is reported and stays", arguments: Engine.allCases)
    func different(to: Engine) throws {
        let (source, target) = (ArchiveAddress.folder(one), try to.address(for: two))
        func record(_ archive: any Archive, _ changed: Int, _ shorter: Int, state: String) throws {
            let odd = OddSessions(archive)
            _ = try odd.record("SESSION-SAME-0001", Sample.counting(to: 5))
            _ = try odd.record("SESSION-OTHER-0001", [Sample.start(0), Sample.count(1, to: changed)])
            _ = try odd.record("SESSION-SHORT-0001", Sample.counting(to: shorter))
            try archive.put(
                LaunchState(id: state, app: "app", device: nil, labels: [:], mode: .latest, once: false))
        }
        try withArchive(source) { try record($0, 1, 5, state: "s1") }
        try withArchive(target) { (archive) throws in
            try record(archive, 2, 3, state: "s2")
            let session = try #require(try archive.session("SESSION-SAME-0001"))
            try archive.edit(session.row, title: "Named in the target", labels: nil, kept: nil)
        }
        let before = try snapshot(target)
        let result = try move(source, target)
        #expect(
            result.problems == [
                "session SESSION-OTHER-0001 isn't copied: event 1 is another one in the target",
                "session SESSION-SHORT-0001 isn't copied: the target has only its events up to 2 of 4",
                "the launch state of app isn't copied: the target has another one",
            ])
        #expect(result.counts.present == 1 && result.counts.copied == 0)
        #expect(result.counts.problems.first == result.problems)
        expectEqual(try snapshot(target), before)
    }

    @Test(
        "A session that was deleted in the target is copied again only if it is named", arguments: Engine.allCases)
    func deleted(to: Engine) throws {
        let (source, target) = (ArchiveAddress.folder(one), try to.address(for: two))
        try withArchive(source) { archive in
            for number in 0..<2 {
                _ = try OddSessions(archive).record("SESSION-000\(number)", Sample.counting(to: 3))
            }
        }
        #expect(try move(source, target).counts.copied == 2)
        try withArchive(target) { try $0.delete(#require(try $0.session("SESSION-0000"))) }
        let again = try move(source, target)
        #expect(
            again.problems == [
                "session SESSION-0000 isn't copied: it was deleted in the target (--session copies it again)"
            ])
        #expect(again.counts.present == 1 && again.counts.problems.first == again.problems)
        #expect(try move(source, target, "SESSION-0000").counts.copied == 1)
        #expect(try withArchive(target) { try $0.session("SESSION-0000")?.next } == 3)
    }

    @Test("Data folders that a server uses are refused, and so is an archive as its own target")
    func locked() throws {
        let (source, target) = (ArchiveAddress.folder(one), ArchiveAddress.folder(two))
        #expect(throws: ServerError.self) { try move(source, target) }
        // Without a source, no target is created.
        #expect(!FileManager.default.fileExists(atPath: two.path))
        try withArchive(source) { try OddSessions($0).record() }
        for folder in [one, two] {
            let server = try DataFolder(folder)
            let error = #expect(throws: ServerError.self) { try move(source, target) }
            #expect(error?.code == .dataInUse)
            withExtendedLifetime(server) {}
        }
        let link = folder.url.appendingPathComponent("link")
        try FileManager.default.createSymbolicLink(at: link, withDestinationURL: one)
        let error = #expect(throws: ServerError.self) { try move(source, .folder(link)) }
        #expect(error?.description == "The source and the target are the same archive.")
        #expect(try move(source, target).counts.copied == 5)
    }

    @Test("An app goes on with its session in the target, with the same key only")
    func reconnected() throws {
        let (source, target) = (ArchiveAddress.folder(one), ArchiveAddress.folder(two))
        try withArchive(source) { archive in
            _ = try OddSessions(archive).record("SESSION-LIVE-0001", Sample.counting(to: 3))
        }
        _ = try move(source, target)
        try withArchive(target) { (archive) throws in
            func open(_ key: UInt8) throws -> Outcome? {
                let opening = SessionOpening(
                    header: Sample.header("SESSION-LIVE-0001"), keyHash: [UInt8](repeating: key, count: 32),
                    owner: "two")
                return try archive.commit([.open(opening)], received: 9).first
            }
            guard case .refused? = try open(2), case .opened(let session)? = try open(1) else {
                return #expect(Bool(false))
            }
            let batch = Batch(session: session.row, owner: "two", lines: [Sample.count(3, to: 3)])
            guard case .appended? = try archive.commit([.append(batch)], received: 9).first else {
                return #expect(Bool(false))
            }
        }
        // The target has all lines of the source, and more.
        #expect(try move(source, target).counts.present == 1)
    }
}
