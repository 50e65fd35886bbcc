import Foundation
import GRDB
import SampleTapes
import StateTape
import StateTapeStore
import TapeFormat
import TapeSockets
import Testing

@testable import StateTapeServer
@testable import TapeArchive
@testable import TapeEngine

@Suite(.timeLimit(.minutes(30)), .enabled(if: Engine.isSQLite)) struct KillTests {
    private static let environment = ProcessInfo.processInfo.environment
    private static let seed = environment["STATETAPE_SEED"].flatMap(UInt64.init) ?? 1
    private static let kills = environment["STATETAPE_KILLS"].flatMap { Int($0) } ?? 10

    private let folder = TemporaryFolder()
    private let killings = Killings()

    private enum Counting: Codable {
        case add(Int)
    }

    private struct Counter: Codable {
        var count = 0
        var text = ""
    }

    @Test("Killed at any moment under load, the server has every acknowledged event once and in order")
    func kill() async throws {
        try FileManager.default.createDirectory(at: folder.url, withIntermediateDirectories: true)
        var chance = Chance(Self.seed)
        var server = try firstServer()
        let port = server.http.port
        killings.begin(port)
        let loop = try EventLoop()
        defer { loop.stop() }

        async let recorded = withTaskGroup(of: RestlessApp.self) { [killings] group in
            for number in 0..<3 {
                group.addTask {
                    var app = RestlessApp(number, seed: Self.seed, killings, on: loop)
                    await app.run()
                    return app
                }
            }
            return await group.reduce(into: []) { $0.append($1) }
        }
        async let uploaded = { [killings] in
            var uploader = RestlessUploader(killings)
            await uploader.run()
            return uploader
        }()
        let recorder = Recorder(
            .test(
                url: "http://127.0.0.1:\(port)/", allowRelease: true, spool: folder.url.appendingPathComponent("spool"))
        )
        let track = recorder.track(Counter(), Counting.self)
        let store = Store(
            initial: track.start,
            reducer: { (state: inout Counter, action: Counting) in
                guard case .add(let number) = action else { return }
                state.count += number
                state.text += "number \(number) "
            },
            middleware: [track.middleware])
        track.connect(state: { store.state })
        var actions = 0
        func dispatch() {
            for _ in 0..<50 {
                actions += 1
                store.dispatch(.add(actions))
            }
            recorder.settle()
        }

        for round in 0..<Self.kills {
            dispatch()
            if round % 3 == 2 { try await expectUploading() }
            await killings.arm(after: round % 3 == 2 ? 0 : chance.below(60), server.identifier, at: port)
            server.stop()
            dispatch()
            server = try ServerProcess(data: folder.url, port: port)
            killings.begin(port)
        }
        killings.end()
        #expect(recorder.finish(timeout: .seconds(60)))

        let (done, uploader) = await (recorded, uploaded)
        // On a busy machine, an app may be between two connections at a kill.
        #expect(done.reduce(0) { $0 + $1.losses } > 0)
        #expect(uploader.resumed > 0 || Self.kills < 3, "no upload was cut")
        try await expectSealed(server)
        for tape in done.flatMap(\.sent) + uploader.sent where !uploader.deleted.contains(tape.id) {
            let found = try await server.http.get("/api/v1/sessions/\(tape.id)/tape")
            if let fault = tape.fault(in: Array(found.lines.dropFirst())) {
                Issue.record("STATETAPE_SEED=\(Self.seed): \(tape.id): \(fault)")
            }
        }
        try await expectSwept()
        server.stop()

        let archive = try SQLiteArchive(reading: folder.url.appendingPathComponent(DataFolder.archive))
        let expected = Set((done.flatMap(\.sent) + uploader.sent).map(\.id)).subtracting(uploader.deleted)
        let own = try Set(archive.allSessions()).subtracting(expected)
        #expect(own.count == 1, "STATETAPE_SEED=\(Self.seed): sessions that nobody made")
        try expectCounted(try #require(own.first), to: actions, archive)
        try archive.pool.close()
        let counts = try ArchiveCheck.run(.folder(folder.url), logger: PrivatePostgres.logger) {
            Issue.record("STATETAPE_SEED=\(Self.seed): \($0)")
        } progress: { _ in
        }
        #expect(counts.sessions == expected.count + 1)
    }

    /// Listens on a port, so that the system doesn't assign it to another process.
    private func firstServer() throws -> ServerProcess {
        for _ in 0..<20 {
            let port = Int.random(in: 20_000..<32_000)
            if let server = try? ServerProcess(data: folder.url, port: port) { return server }
        }
        return try ServerProcess(data: folder.url)
    }

    /// Returns once a part of an upload is stored.
    private func expectUploading() async throws {
        let archive = try SQLiteArchive(reading: folder.url.appendingPathComponent(DataFolder.archive))
        let sql = "SELECT EXISTS (SELECT 1 FROM session WHERE hidden AND next > 0)"
        func isPart() throws -> Bool { try archive.pool.read { try Bool.fetchOne($0, sql: sql) } ?? false }
        while try !isPart() { await Task.yield() }
        try archive.pool.close()
    }

    /// Returns once everything is sealed.
    private func expectSealed(_ server: ServerProcess) async throws {
        let archive = try SQLiteArchive(reading: folder.url.appendingPathComponent(DataFolder.archive))
        while try !archive.unsealed().isEmpty { await Task.yield() }
        try archive.pool.close()
    }

    /// Returns once all deleted sessions are freed.
    private func expectSwept() async throws {
        let archive = try SQLiteArchive(reading: folder.url.appendingPathComponent(DataFolder.archive))
        func count(_ sql: String) throws -> Int { try archive.pool.read { try Int.fetchOne($0, sql: sql) } ?? 0 }
        while try count("SELECT count(*) FROM deleted WHERE row IS NOT NULL") > 0 { await Task.yield() }
        for table in SQLiteArchive.rowSizes.map(\.name) {
            let orphans = try count(
                "SELECT count(*) FROM \(table) WHERE session NOT IN (SELECT row FROM session)")
            #expect(orphans == 0, "STATETAPE_SEED=\(Self.seed): \(table)")
        }
        try archive.pool.close()
    }

    /// The recorder's session: each action once, and the state after it.
    private func expectCounted(_ id: String, to actions: Int, _ archive: SQLiteArchive) throws {
        let session = try #require(try archive.session(id))
        let tape = Tapes(archive)[session]
        let states = States()
        var count = 0
        var sum = 0
        try tape.each(in: 0..<session.next) { line in
            guard line.kind == .action else { return line.kind != .gap }
            count += 1
            sum += count
            guard line["action"]?["payload"]?["_0"]?.int == count else { return false }
            if count % 50 == 0,
                case .state(let state) = try states.state(of: tape, store: "main", after: line.seq)
            {
                #expect(try state.json()["count"] == .number(.init(sum)))
            }
            return true
        }
        #expect(count == actions && session.ended != nil)
    }
}
