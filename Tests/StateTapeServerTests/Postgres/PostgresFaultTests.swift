import Foundation
import SampleTapes
import TapeFormat
import Testing

@testable import StateTapeServer
@testable import TapeArchive
@testable import TapeArchivePostgres
@testable import TapeEngine

@Suite struct PostgresFaultTests {
    private func open(_ address: String) throws -> PostgresArchive {
        try PostgresArchive(PostgresAddress(address), sync: .full, logger: PrivatePostgres.logger)
    }

    private func take(
        _ archive: PostgresArchive, _ id: String = "SESSION-0001", owner: String = "one"
    ) throws -> Session {
        let opening = SessionOpening(header: Sample.header(id), keyHash: [1], owner: owner)
        guard case .opened(let session)? = try archive.commit([.open(opening)], received: 1_000).first else {
            throw PrivatePostgres.Failure("the session was not opened")
        }
        return session
    }

    private func append(
        _ archive: PostgresArchive, _ session: Session, _ lines: ArraySlice<EventLine>, owner: String = "one"
    ) throws -> String {
        let batch = Batch(session: session.row, owner: owner, lines: Array(lines))
        return "\(try archive.commit([.append(batch)], received: 2_000)[0])"
    }

    private func seqs(_ archive: PostgresArchive, _ session: Session) throws -> [Int] {
        let session = try #require(try archive.session(session.id))
        var seqs: [Int] = []
        try Tapes(archive)[session].each(in: 0..<Int.max) { line in
            seqs.append(line.seq)
            return true
        }
        return seqs
    }

    /// Ends all other connections, as an operator does.
    private func endConnections(_ address: String) throws {
        let connection = try PostgresConnection(PostgresAddress(address), logger: PrivatePostgres.logger)
        _ = try connection.run(
            """
            SELECT pg_terminate_backend(pid, 5000) FROM pg_stat_activity
            WHERE pid <> pg_backend_pid() AND datname = current_database()
            """)
    }

    @Test("While the database is away nothing is stored and the error says so; afterwards all goes on by itself")
    func away() throws {
        let server = try PrivatePostgres()
        defer { withExtendedLifetime(server) {} }
        let archive = try open(server.makeDatabase())
        let lines = Sample.counting(to: 30)
        let session = try take(archive)
        #expect(try append(archive, session, lines[0..<10]) == "appended")
        try server.crash()
        let error = #expect(throws: Unwritable.self) { try append(archive, session, lines[10..<20]) }
        #expect(error?.isFull == false && error?.description.contains("can't be reached") == true)
        #expect(throws: PostgresError.self) { try archive.session(session.id) }
        try server.start()
        #expect(try append(archive, session, lines[10..<20]) == "appended")
        #expect(try append(archive, session, lines[20..<30]) == "appended")
        #expect(try seqs(archive, session) == Array(0..<30))
        try archive.close()
    }

    @Test("A crash in the middle of a commit stores all of the group or nothing, and each line once")
    func crash() throws {
        let server = try PrivatePostgres()
        defer { withExtendedLifetime(server) {} }
        let archive = try open(server.makeDatabase())
        let session = try take(archive)
        let lines = Sample.counting(to: 40_000)
        let next = Locked(0)
        let done = DispatchSemaphore(value: 0)
        let began = DispatchSemaphore(value: 0)
        // Appends as the committer does: what couldn't be written is tried again.
        Thread.detachNewThread {
            while case let first = next.withLock({ $0 }), first < lines.count {
                let batch = lines[first..<min(lines.count, first + 500)]
                guard let outcome = try? append(archive, session, batch) else { continue }
                if outcome != "appended" { break }
                next.withLock { $0 = batch.endIndex }
                began.signal()
            }
            done.signal()
        }
        for _ in 0..<5 {
            for _ in 0..<3 { began.wait() }
            try server.crash()
            try server.start()
        }
        done.wait()
        #expect(next.withLock { $0 } == lines.count)
        #expect(try seqs(archive, session) == Array(0..<lines.count))
        #expect(try archive.session(session.id)?.bytes == lines.reduce(0) { $0 + $1.bytes.count + 1 })
        try archive.close()
    }

    @Test("Lines whose commit was stored without an answer are taken again, and stored once")
    func unanswered() throws {
        let archive = try open(PrivatePostgres.shared.get().makeDatabase())
        let session = try take(archive)
        let lines = Sample.counting(to: 30)
        #expect(try append(archive, session, lines[0..<10]) == "appended")
        #expect(try append(archive, session, lines[0..<10]) == "appended")
        #expect(try append(archive, session, lines[5..<20]) == "appended")
        #expect(try append(archive, session, lines[0..<10]) == "dropped")
        #expect(try append(archive, session, lines[10..<25], owner: "two") == "dropped")
        #expect(try append(archive, session, lines[21..<25]) == "dropped")
        #expect(try seqs(archive, session) == Array(0..<20))
        #expect(try archive.session(session.id)?.bytes == lines[0..<20].reduce(0) { $0 + $1.bytes.count + 1 })
        var header = Sample.header("SESSION-0002")
        header.states = ["main": ["n": 1]]
        header.from = 5
        for _ in 0..<2 {
            let claim = SessionLease(header: header, owner: "upload", before: nil)
            guard case .opened? = try archive.commit([.claim(claim)], received: 0).first else {
                return #expect(Bool(false))
            }
            let later = SessionLease(header: header, owner: "upload", before: "upload")
            guard case .opened? = try archive.commit([.claim(later)], received: 0).first else {
                return #expect(Bool(false))
            }
        }
        let stranger = SessionLease(header: header, owner: "stranger", before: nil)
        guard case .refused? = try archive.commit([.claim(stranger)], received: 0).first else {
            return #expect(Bool(false))
        }
        let upload = try #require(try archive.upload("SESSION-0002"))
        #expect(try archive.keyframeSizes(of: upload.row).count == 1)
        try archive.close()
    }

    @Test("Ended connections are replaced, for reading and for writing")
    func ended() throws {
        let address = try PrivatePostgres.shared.get().makeDatabase()
        let archive = try open(address)
        let session = try take(archive)
        let lines = Sample.counting(to: 30)
        for round in 0..<3 {
            try endConnections(address)
            #expect(try archive.session(session.id)?.next == round * 10)
            try endConnections(address)
            #expect(try append(archive, session, lines[round * 10..<round * 10 + 10]) == "appended")
        }
        #expect(try seqs(archive, session) == Array(0..<30))
        try archive.close()
    }

    @Test("Two servers use one archive: only a session's last owner appends; one that only reads changes nothing")
    func second() throws {
        let address = try PrivatePostgres.shared.get().makeDatabase()
        let (first, other) = (try open(address), try open(address))
        let session = try take(first)
        let lines = Sample.counting(to: 30)
        #expect(try append(first, session, lines[0..<10]) == "appended")
        _ = try take(other, owner: "two")
        #expect(try append(first, session, lines[10..<20]) == "dropped")
        #expect(try append(other, session, lines[10..<20], owner: "two") == "appended")
        let reader = try PostgresArchive(reading: PostgresAddress(address), logger: PrivatePostgres.logger)
        #expect(try reader.session(session.id)?.next == 20)
        #expect(throws: Unwritable.self) { try take(reader) }
        try reader.close()
        try other.delete(#require(try other.session(session.id)))
        #expect(try append(other, session, lines[20..<30], owner: "two") == "deleted")
        try first.close()
        try other.close()
    }

    @Test("A reader that gave up waiting for a connection leaves it to others")
    func gaveUp() throws {
        let address = try PrivatePostgres.shared.get().makeDatabase()
        let made = Locked(0)
        let pool = PostgresPool(limit: 3, longestWait: .milliseconds(50)) {
            let count = made.withLock { made in
                made += 1
                return made
            }
            guard count == 1 else { throw PostgresError(state: "53300", message: "too many connections") }
            return try PostgresConnection(PostgresAddress(address), logger: PrivatePostgres.logger)
        }
        func process(_ connection: PostgresConnection) throws -> Int {
            try connection.run("SELECT pg_backend_pid() AS process")[0].int("process")
        }
        let first = try pool.read { connection in
            _ = #expect(throws: PostgresError.self) { try pool.read(process) }
            return try process(connection)
        }
        #expect(try pool.read(process) == first)
        pool.close()
    }

    @Test("A server that is halted while it sends a group keeps no other server from the group's sessions")
    func halted() throws {
        let server = try PrivatePostgres.shared.get()
        let address = try server.makeDatabase()
        let relay = try HoldingRelay(to: "\(server.folder)/.s.PGSQL.5432")
        let relayed = String(address.prefix { $0 != "?" }).replacing("@/", with: "@127.0.0.1:\(relay.port)/")
        let archive = try open(relayed)
        let session = try take(archive)
        let lines = Sample.counting(to: 20_000)
        #expect(try append(archive, session, lines[0..<10]) == "appended")
        relay.hold(after: 100_000)
        let outcome = Locked<String?>(nil)
        let done = DispatchSemaphore(value: 0)
        Thread.detachNewThread {
            let text = try? append(archive, session, lines[10...])
            outcome.withLock { $0 = text }
            done.signal()
        }
        relay.waitUntilItHolds()
        let other = try PostgresConnection(PostgresAddress(address), logger: PrivatePostgres.logger)
        // The database may need a moment for what has come so far.
        for _ in 0..<200 {
            try other.runScript("SELECT 1 FROM statetape.progress FOR NO KEY UPDATE NOWAIT")
        }
        relay.goOn()
        done.wait()
        #expect(outcome.withLock { $0 } == "appended")
        #expect(try seqs(archive, session) == Array(0..<20_000))
        try archive.close()
    }

    @Test("Connections that create the tables at once do it one after the other")
    func migrations() throws {
        let address = try PostgresAddress(PrivatePostgres.shared.get().makeDatabase())
        let failures = Locked<[String]>([])
        let done = DispatchSemaphore(value: 0)
        for _ in 0..<4 {
            Thread.detachNewThread {
                do {
                    let connection = try PostgresConnection(address, logger: PrivatePostgres.logger)
                    let schema = try PostgresSession.begin(connection)
                    try PostgresSchema.migrate(connection, schema, address)
                    try PostgresSchema.addWordIndex(connection, schema)
                } catch {
                    failures.withLock { $0.append("\(error)") }
                }
                done.signal()
            }
        }
        for _ in 0..<4 { done.wait() }
        #expect(failures.withLock { $0 } == [])
        let connection = try PostgresConnection(address, logger: PrivatePostgres.logger)
        _ = try PostgresSession.begin(connection)
        #expect(try connection.run("SELECT number FROM migration").map { try $0.int("number") } == [1, 2, 3])
    }

    @Test("An archive of a newer version, and a database without an archive, are refused with one sentence")
    func newer() throws {
        let address = try PrivatePostgres.shared.get().makeDatabase()
        let none = #expect(throws: ServerError.self) {
            try PostgresArchive(reading: PostgresAddress(address), logger: PrivatePostgres.logger)
        }
        #expect(none?.code == .archive && none?.description.hasSuffix("doesn't exist.") == true)
        try open(address).close()
        let connection = try PostgresConnection(PostgresAddress(address), logger: PrivatePostgres.logger)
        try connection.runScript("INSERT INTO statetape.migration VALUES (99)")
        let error = #expect(throws: ServerError.self) { try open(address) }
        #expect(error?.code == .newerDatabase && error?.description.contains("newer version") == true)
        let reading = #expect(throws: ServerError.self) {
            try PostgresArchive(reading: PostgresAddress(address), logger: PrivatePostgres.logger)
        }
        #expect(reading?.code == .newerDatabase)
    }

    @Test("A database in another encoding, and an account without rights, are refused with one sentence")
    func unsuitable() throws {
        let server = try PrivatePostgres.shared.get()
        try server.run("CREATE DATABASE ascii ENCODING 'SQL_ASCII' LOCALE 'C' TEMPLATE template0")
        let error = #expect(throws: ServerError.self) { try open(server.address("ascii")) }
        #expect(error?.code == .database && error?.description.contains("SQL_ASCII") == true)
        let address = try server.makeDatabase()
        try server.run("CREATE ROLE guest LOGIN")
        let guest = address.replacing("tester@", with: "guest@")
        let refused = #expect(throws: ServerError.self) { try open(guest) }
        #expect(refused?.description.contains("permission denied") == true)
        // With a schema of its own it needs no more rights.
        let name = address.split(separator: "/")[2].prefix { $0 != "?" }
        try server.run("CREATE SCHEMA \"A, b\" AUTHORIZATION guest", in: String(name))
        let archive = try open(guest + "&options=-csearch_path%3D%22A,%5C%20b%22")
        let session = try take(archive)
        #expect(try archive.sessions(SessionQuery(text: "red phone")).sessions.map(\.id) == [session.id])
        #expect(try archive.damage() == [])
        try archive.close()
        try server.run("SELECT 1 FROM \"A, b\".session", in: String(name))
    }

    @Test("Many readers read whole lines while a writer commits and seals")
    func readers() throws {
        let archive = try open(PrivatePostgres.shared.get().makeDatabase())
        let session = try take(archive)
        let lines = Sample.counting(to: 2_400)
        let failures = Locked<[String]>([])
        let isDone = Locked(false)
        let left = DispatchSemaphore(value: 0)
        for _ in 0..<12 {
            Thread.detachNewThread {
                do {
                    repeat {
                        let found = try seqs(archive, session)
                        guard found == Array(0..<found.count) else {
                            throw PrivatePostgres.Failure("\(found.count) lines are out of order")
                        }
                    } while !isDone.withLock { $0 }
                } catch {
                    failures.withLock { $0.append("\(error)") }
                }
                left.signal()
            }
        }
        let tapes = Tapes(archive)
        let states = States(maxState: Limits.state)
        for start in stride(from: 0, to: lines.count, by: 200) {
            #expect(try append(archive, session, lines[start..<start + 200]) == "appended")
            let now = try #require(try archive.session(session.id))
            var followed = try FollowedTape(tapes[now], archive, states)
            var seals: [Seal] = []
            try tapes[now].each(in: followed.next..<now.next) { line in
                seals += try followed.take(line, tapes[now], states).map { [$0] } ?? []
                return true
            }
            _ = try archive.commit(seals.map { .seal($0) }, received: 0)
        }
        isDone.withLock { $0 = true }
        for _ in 0..<12 { left.wait() }
        #expect(failures.withLock { $0 } == [])
        try archive.close()
    }

    @Test("Lines on pages that the disk has lost are a gap, and all others can be read")
    func damage() throws {
        let server = try PrivatePostgres()
        defer { withExtendedLifetime(server) {} }
        let address = try server.makeDatabase()
        var archive = try open(address)
        let session = try take(archive)
        var chance = Chance(1)
        // A text that can't be compressed lies on pages of its own.
        let noise = (0..<9_000).map { _ in String(chance.next(), radix: 36) }.joined()
        let large = EventLine(seq: 2, at: 2, kind: .note, members: [("text", .string(noise))])
        #expect(try append(archive, session, Sample.counting(to: 2)[...]) == "appended")
        #expect(try append(archive, session, [large]) == "appended")
        #expect(try append(archive, session, [Sample.count(3, to: 3)]) == "appended")
        let connection = try PostgresConnection(PostgresAddress(address), logger: PrivatePostgres.logger)
        try connection.runScript("CHECKPOINT")
        let path = try connection.run(
            "SELECT pg_relation_filepath(reltoastrelid) AS path FROM pg_class WHERE oid = 'statetape.batch'::regclass"
        )[0].text("path")
        try server.crash()
        let file = try FileHandle(forWritingTo: URL(fileURLWithPath: "\(server.folder)/data/\(path)"))
        let size = Int(try file.seekToEnd())
        try file.seek(toOffset: 0)
        try file.write(contentsOf: Data(count: size))
        try file.close()
        try server.start()
        archive = try open(address)
        let found = try #require(try archive.session(session.id))
        var lines: [EventLine] = []
        try Tapes(archive)[found].each(in: 0..<Int.max) { line in
            lines.append(line)
            return true
        }
        #expect(lines.map(\.seq) == [0, 1, 2, 3] && lines[2].kind == .gap && lines[2]["reason"] == "damaged")
        #expect(try archive.damaged(of: session.row, at: 2) == 2..<3)
        #expect(try append(archive, found, [Sample.count(4, to: 4)]) == "appended")
        try archive.close()
    }

    @Test("A NUL in an app's id, a label or a header is kept, and what stands around it is found")
    func nul() throws {
        let archive = try open(PrivatePostgres.shared.get().makeDatabase())
        var header = Sample.header("SESSION-0001", app: "a\0pp", labels: ["k\0ey": "before\0After"])
        header.device?.name = "na\0me"
        let opening = SessionOpening(header: header, keyHash: [1], owner: "one")
        _ = try archive.commit([.open(opening)], received: 0)
        #expect(try archive.session("SESSION-0001")?.header == header)
        func found(_ query: SessionQuery) throws -> Int { try archive.sessions(query).sessions.count }
        #expect(try found(SessionQuery(app: "a\0pp")) == 1 && found(SessionQuery(app: "a")) == 0)
        #expect(try found(SessionQuery(labels: [("k\0ey", "before\0After")])) == 1)
        #expect(try found(SessionQuery(labels: [("k", "before")])) == 0)
        #expect(try found(SessionQuery(text: "after")) == 1 && found(SessionQuery(text: "before")) == 1)
        #expect(try found(SessionQuery(text: "before after")) == 0 && found(SessionQuery(text: "e\0A")) == 0)
        try archive.close()
    }
}
