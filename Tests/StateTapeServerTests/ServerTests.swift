import Foundation
import GRDB
import Logging
import SampleTapes
import TapeFormat
import Testing

@testable import StateTapeServer
@testable import TapeArchive

@Suite(.timeLimit(.minutes(1))) struct ServerTests {
    private let logger = Logger(label: "test") { _ in SwiftLogNoOpLogHandler() }

    private func configuration(_ folder: TemporaryFolder, port: Int = 0) -> StateTapeServer.Configuration {
        var configuration = StateTapeServer.Configuration(data: folder.url)
        configuration.port = port
        return configuration
    }

    @Test("Errors about a used port, a used folder and an impossible folder are one sentence each")
    func errors() throws {
        let (server, unused) = (try TestServer(), TemporaryFolder())
        let taken = #expect(throws: ServerError.self) {
            try Server(configuration(unused, port: server.server.port), logger: logger)
        }
        #expect(taken?.code == .portInUse && taken?.description.contains("\(server.server.port)") == true)
        let used = #expect(throws: ServerError.self) { try Server(configuration(server.folder), logger: logger) }
        #expect(used?.code == .dataInUse)
        var bad = configuration(server.folder)
        bad.data = server.folder.url.appendingPathComponent("lock/data")
        let folder = #expect(throws: ServerError.self) { try Server(bad, logger: logger) }
        #expect(folder?.code == .dataFolder)
    }

    @Test("An archive of a newer version is refused", .enabled(if: Engine.isSQLite))
    func newer() throws {
        let folder = TemporaryFolder()
        _ = try TestServer(in: folder)
        let file = folder.url.appendingPathComponent("archive.sqlite").path
        try DatabaseQueue(path: file).write { db in
            try db.execute(sql: "INSERT INTO grdb_migrations VALUES ('99')")
        }
        let error = #expect(throws: ServerError.self) { try Server(configuration(folder), logger: logger) }
        #expect(error?.code == .newerDatabase)
    }

    @Test("A server on loopback needs no token, and its page's URL contains none")
    func loopback() async throws {
        let server = try TestServer()
        #expect(server.server.pageURL.absoluteString == "http://127.0.0.1:\(server.server.port)/")
        #expect(try await server.http.get("/api/v1/sessions").status == 200)
    }

    @Test("A token made by a failed start is deleted, so that the next start prints one")
    func unseenToken() async throws {
        let folder = TemporaryFolder()
        let error = #expect(throws: ServerError.self) {
            // An address of no interface, reserved for documentation.
            _ = try TestServer(in: folder) { $0.host = "192.0.2.1" }
        }
        #expect(error?.code == .address)
        let server = try TestServer(in: folder) { $0.host = "0.0.0.0" }
        #expect(server.server.pageURL.fragment?.hasPrefix("token=") == true)
    }

    @Test("On other addresses a token is made once and required; the page logs in with it")
    func token() async throws {
        let folder = TemporaryFolder()
        let token: String
        do {
            let server = try TestServer(in: folder) { $0.host = "0.0.0.0" }
            let fragment = try #require(server.server.pageURL.fragment)
            #expect(fragment.hasPrefix("token="))
            token = String(fragment.dropFirst(6))
        }
        let server = try TestServer(in: folder) { $0.host = "0.0.0.0" }
        let http = server.http
        #expect(server.server.pageURL.fragment == nil)
        #expect(try await http.get("/healthz").status == 200)
        let refused = try await http.get("/api/v1/sessions")
        #expect(refused.status == 401 && refused.headers["www-authenticate"] == "Bearer")
        #expect(try await http.get("/api/v1/sessions", ["Authorization": "Bearer no"]).status == 401)
        #expect(try await http.get("/api/v1/sessions", ["Authorization": "Bearer \(token)"]).status == 200)

        let login = "/api/v1/login"
        #expect(try await http.send("POST", login, body: ["token": "no"]).status == 401)
        let own = "http://127.0.0.1:\(server.server.port)"
        let foreign = ["Origin": "http://evil.example"]
        #expect(try await http.send("POST", login, headers: foreign, body: ["token": .string(token)]).status == 403)
        let answer = try await http.send("POST", login, headers: ["Origin": own], body: ["token": .string(token)])
        let cookie = try #require(answer.headers["set-cookie"])
        #expect(answer.status == 204 && cookie.contains("HttpOnly") && cookie.contains("SameSite=Strict"))
        #expect(!cookie.contains(token))
        let pair = String(cookie.prefix { $0 != ";" })
        #expect(try await http.get("/api/v1/sessions", ["Cookie": pair]).status == 200)
        let put = ["app": "a", "mode": "latest"] as JSON
        let path = "/api/v1/start-states"
        #expect(try await http.send("PUT", path, headers: ["Cookie": pair], body: put).status == 403)
        #expect(
            try await http.send("PUT", path, headers: ["Cookie": pair, "Origin": own], body: put).status == 200)

        #expect(await server.viewer().closed().code == nil)
        #expect(await server.viewer(headers: [("Cookie", pair)]).closed().code == nil)
        for headers in [[("Cookie", pair), ("Origin", own)], [("Authorization", "Bearer \(token)")]] {
            guard case .opened = await server.viewer(headers: headers).next() else {
                return #expect(Bool(false), "a viewer was refused")
            }
        }
        #expect(await server.app().closed().code == 4001)
        #expect(try await server.app(Sample.hello(token: token)).welcome().have == 0)
        let bearer = [("Authorization", "Bearer \(token)")]
        #expect(try await server.app(headers: bearer).welcome().have == 0)
    }

    @Test(
        "While the archive can't be written, nothing is acknowledged or lost, and health and pages say why",
        .enabled(if: Engine.isSQLite)
    )
    func unwritable() async throws {
        let server = try TestServer { $0.timing.retry = .milliseconds(20) }
        let app = try await server.recorded(Sample.counting(to: 2))
        let viewer = await server.viewer()
        var configuration = GRDB.Configuration()
        configuration.allowsUnsafeTransactions = true
        let file = server.folder.url.appendingPathComponent("archive.sqlite").path
        let other = try DatabaseQueue(path: file, configuration: configuration)
        try await other.writeWithoutTransaction { db in try db.execute(sql: "BEGIN IMMEDIATE") }
        app.send([Sample.count(2, to: 2).bytes])
        #expect(try await viewer.archive()?.contains("another process") == true)
        let health = try await server.http.get("/healthz")
        #expect(health.status == 503 && health.text.contains("another process"))
        // Viewers can read, even those that connect now.
        #expect(try await server.http.get(TestServer.session + "/events").lines.count == 2)
        let late = await server.viewer()
        late.send([ViewerRequest.watch(session: Sample.header().session).bytes])
        #expect(try await late.archive() != nil)
        #expect(try await late.watching() == 2)
        // An app that connects now is refused and retries later; requests of users fail with the reason.
        #expect(await server.app().closed().code == nil)
        let edit = try await server.http.send("PATCH", TestServer.session, body: ["title": "The bug"])
        #expect(edit.status == 503 && edit.code == "archive")
        #expect(try await server.http.send("DELETE", "/api/v1/sessions/SESSION-0001").status == 404)

        try await other.writeWithoutTransaction { db in try db.execute(sql: "ROLLBACK") }
        try await app.acknowledged(3)
        #expect(try await viewer.archive() == nil)
        #expect(try await late.event()["seq"] == 2)
        #expect(try await server.http.get("/healthz").status == 200)
        app.send([Sample.count(3, to: 3).bytes])
        try await app.acknowledged(4)
    }

    @Test(
        "A server that can't write can be stopped, and acknowledged events are there at its next start",
        .enabled(if: Engine.isSQLite))
    func stopUnwritable() async throws {
        let folder = TemporaryFolder()
        var configuration = GRDB.Configuration()
        configuration.allowsUnsafeTransactions = true
        do {
            let server = try TestServer(in: folder)
            let app = try await server.recorded(Sample.counting(to: 2))
            let viewer = await server.viewer()
            let file = folder.url.appendingPathComponent("archive.sqlite").path
            let other = try DatabaseQueue(path: file, configuration: configuration)
            try await other.writeWithoutTransaction { db in try db.execute(sql: "BEGIN IMMEDIATE") }
            app.send([Sample.count(2, to: 2).bytes])
            #expect(try await viewer.archive() != nil)
            server.server.stop()
            #expect(await app.closed().code == 1001)
        }
        let again = try TestServer(in: folder)
        #expect(try await again.app().welcome().have == 2)
    }

    @Test("Stopping twice has no effect, and its port and folder are free afterwards")
    func stop() throws {
        let folder = TemporaryFolder()
        let server = try Server(configuration(folder), logger: logger)
        server.stop()
        server.stop()
        let again = try Server(configuration(folder, port: server.port), logger: logger)
        again.stop()
    }
}
