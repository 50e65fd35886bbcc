import Foundation
import SampleTapes
import TapeFormat
import Testing

@testable import StateTapeServer
@testable import TapeArchive
@testable import TapeArchivePostgres
@testable import TapeEngine

/// Values that are valid each on its own, but not together: a server must not delete anything because of them.
@Suite(.timeLimit(.minutes(2))) struct ContradictionTests {
    private static let id = "SESSION-UPLOADED-0001"
    private let folder = TemporaryFolder()

    /// What an unfinished upload can't have.
    enum Sign: String, CaseIterable {
        case key, title, kept, paused, bookmark, replay, failure, launch

        func set(_ session: Session, _ archive: any Archive) throws {
            let (row, raw) = (session.row, RawArchive(archive: archive))
            switch self {
            case .key:
                let key = raw.isSQLite ? "randomblob(32)" : "sha256('')"
                try raw.run("UPDATE session SET key = \(key) WHERE row = \(row)")
            case .title: try archive.edit(row, title: "A title", labels: nil, kept: nil)
            case .kept: try archive.edit(row, title: nil, labels: nil, kept: true)
            case .paused: try archive.pause(row, true)
            case .bookmark:
                _ = try archive.mark(row, Bookmark.Content(seq: 1, text: "here", author: nil), made: 1, most: 9)
            case .replay: try archive.keep(["status": "done"], of: row)
            case .failure: try archive.keep(Pushed.Failure(code: .broken, message: ""), ofStart: row)
            case .launch:
                try archive.put(
                    LaunchState(
                        id: "start", app: session.header.app.id, device: nil, labels: [:], mode: .state,
                        session: session.id, seq: 1, once: false))
            }
        }
    }

    private func problems(_ address: ArchiveAddress) throws -> [String] {
        var found: [String] = []
        _ = try ArchiveCheck.run(
            address, logger: PrivatePostgres.logger, tell: { found.append($0) }, progress: { _ in })
        return found
    }

    /// Runs `body` with an archive of each engine.
    private func each(_ body: (any Archive, ArchiveAddress) throws -> Void) throws {
        for engine in Engine.allCases {
            let place = folder.url.appendingPathComponent(engine.rawValue)
            let archive = try engine.open(place)
            defer { try? archive.close() }
            try body(archive, engine.address(for: place))
        }
    }

    private func upload(_ id: String, to archive: any Archive) throws -> Session {
        let claim = SessionLease(header: Sample.header(id), owner: "upload", before: nil)
        guard case .opened(let session)? = try archive.commit([.claim(claim)], received: 1_000).first else {
            throw Ended(description: "the upload is refused")
        }
        let batch = Batch(session: session.row, owner: "upload", lines: Sample.counting(to: 3))
        _ = try archive.commit([.append(batch)], received: 1_000)
        return session
    }

    @Test(
        "A hidden session that can't be an unfinished upload is reported, and shown instead of deleted",
        arguments: Sign.allCases)
    func hidden(_ sign: Sign) throws {
        try each { archive, address in
            _ = try upload("SESSION-UNFINISHED-0001", to: archive)
            let session = try upload(Self.id, to: archive)
            try archive.show(session.row, labels: [:])
            try sign.set(session, archive)
            let raw = RawArchive(archive: archive)
            try raw.run("UPDATE session SET hidden = \(raw.isSQLite ? "1" : "true") WHERE row = \(session.row)")
            #expect(try problems(address).filter { $0.contains(Self.id) && $0.contains("“hidden”") }.count == 1)
            #expect(try archive.deleteUploads(before: .max) == [Self.id])
            while try archive.sweep() {}
            #expect(try archive.session(Self.id)?.next == 3)
            #expect(try archive.batch(of: session.row, from: 0, joinedTo: 0)?.next == 3)
            #expect(try archive.upload("SESSION-UNFINISHED-0001") == nil)
            #expect(try problems(address).filter { $0.contains("“hidden”") } == [])
        }
    }

    @Test("A launch state doesn't show an upload that replaces a deleted session, and keeps it from the sweep")
    func again() throws {
        try each { archive, address in
            let first = try upload(Self.id, to: archive)
            try archive.show(first.row, labels: [:])
            try Sign.launch.set(first, archive)
            try archive.delete(first)
            _ = try upload(Self.id, to: archive)
            #expect(try problems(address).filter { $0.contains("“hidden”") } == [])
            #expect(try archive.deleteUploads(before: .max) == [])
            #expect(try archive.upload(Self.id)?.hidden == true)
        }
    }

    /// Damages that leave each value valid, and what a check says to them. Nil where an engine has no such thing.
    private static let damages: [(sqlite: String?, postgres: String?, told: String)] = [
        ("INSERT INTO wordText(wordText) VALUES ('delete-all')", nil, "the index for searches"),
        ("INSERT INTO wordText(rowid, text) VALUES (999, 'foreign')", nil, "the index for searches"),
        ("INSERT INTO wordText(rowid, text) SELECT min(row), 'foreign' FROM word", nil, "the index for searches"),
        ("DELETE FROM wordText_data WHERE id > 10", nil, "the index for searches"),
        ("DROP INDEX sessionReceived", "DROP INDEX session_received", "eceived"),
        ("DROP INDEX batchOfSession", "ALTER TABLE batch DROP CONSTRAINT batch_pkey", "is missing"),
        ("DROP TRIGGER wordInserted", nil, "trigger wordInserted on word is missing"),
        ("DROP TRIGGER wordDeleted", nil, "trigger wordDeleted on word is missing"),
        (
            "UPDATE startState SET session = 'SESSION-NOWHERE-1' WHERE id = 's1'",
            "UPDATE launch SET session = 'SESSION-NOWHERE-1' WHERE id = 's1'",
            "the launch state “s1” is of session “SESSION-NOWHERE-1”, which isn't there"
        ),
        (
            "UPDATE startState SET seq = 500 WHERE id = 's1'", "UPDATE launch SET seq = 500 WHERE id = 's1'",
            "the launch state “s1” is at event 500, which session SESSION-PART-0001 doesn't have"
        ),
        (
            "UPDATE session SET key = x'' WHERE id = 'SESSION-NAMED-0001'",
            "UPDATE session SET key = '' WHERE id = 'SESSION-NAMED-0001'",
            "session SESSION-NAMED-0001: its key is empty, but its app was connected"
        ),
    ]

    @Test("A check tells what contradicts something else", arguments: damages.indices)
    func told(_ index: Int) throws {
        let damage = Self.damages[index]
        try each { archive, address in
            let raw = RawArchive(archive: archive)
            guard let statement = raw.isSQLite ? damage.sqlite : damage.postgres else { return }
            try OddSessions(archive).record()
            #expect(try problems(address) == [])
            try raw.run(statement)
            let found = try problems(address)
            #expect(found.contains { $0.contains(damage.told) }, "\(found)")
        }
    }

    @Test("A launch state of a session that a person deleted is no damage")
    func launchOfDeleted() throws {
        try each { archive, address in
            let session = try upload(Self.id, to: archive)
            try archive.show(session.row, labels: [:])
            try Sign.launch.set(session, archive)
            try archive.delete(session)
            while try archive.sweep() {}
            #expect(try problems(address) == [])
        }
    }

    @Test("A patch that is found broken after its session was deleted leaves no mark")
    func markOfDeleted() throws {
        try each { archive, address in
            let session = try upload(Self.id, to: archive)
            try archive.show(session.row, labels: [:])
            try archive.markBroken(session.row, store: "main", at: 0)
            #expect(try archive.brokenSeqs(of: session.row) == [0])
            try archive.delete(session)
            while try archive.sweep() {}
            // As a reader does that was under way.
            try archive.markBroken(session.row, store: "main", at: 0)
            #expect(try problems(address) == [])
        }
    }

    @Test("The list of PostgreSQL's indexes is that of a new archive")
    func indexes() throws {
        let archive = try Engine.postgres.open(folder.url.appendingPathComponent("new"))
        defer { try? archive.close() }
        let found = try RawArchive(archive: archive).run(
            "SELECT indexname::text AS a FROM pg_indexes WHERE schemaname = current_schema AND indexname <> 'word_text'"
        )
        #expect(found.map { $0[0] }.sorted() == PostgresSchema.indexes.sorted())
    }

    @Test("A note of a deleted session that has the row of another one frees nothing of it, and is reported")
    func deleted() throws {
        try each { archive, address in
            try OddSessions(archive).record()
            let before = try ArchiveSnapshot(archive).texts.filter { !$0.hasPrefix("deleted ") }
            let all = try archive.sessionRows()
            for (index, row) in all.enumerated() {
                let id = "GONE-SESSION-0000\(index)"
                let raw = RawArchive(archive: archive)
                try raw.run("INSERT INTO deleted VALUES ('\(id)', \(row))")
                #expect(try problems(address).filter { $0.contains(id) }.count == 1)
            }
            let gone = try #require(try archive.upload("SESSION-EMPTY-0001"))
            while try archive.sweep() {}
            #expect(try ArchiveSnapshot(archive).texts.filter { !$0.hasPrefix("deleted ") } == before)
            // What is deleted is still freed.
            try archive.delete(gone)
            while try archive.sweep() {}
            #expect(try archive.batch(of: gone.row, from: 0, joinedTo: 0) == nil)
        }
    }
}
