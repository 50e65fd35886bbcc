import Foundation
import Logging
import SampleTapes
import TapeFormat
import TapeSockets

@testable import StateTapeServer
@testable import TapeArchive

/// A server in a folder of its own, with peers.
final class TestServer: Sendable {
    let folder: TemporaryFolder
    let server: Server
    let http: HTTPClient
    /// The peers' loop; the server has another one.
    let loop: EventLoop

    init(in folder: TemporaryFolder = TemporaryFolder(), _ edit: (inout Configuration) -> Void = { _ in }) throws {
        self.folder = folder
        var configuration = Configuration(data: folder.url)
        configuration.port = 0
        configuration.sync = .normal
        // So that no list ends early on a busy machine, and no push expires.
        configuration.timing.scan = .seconds(60)
        configuration.timing.push = .seconds(60)
        if case .database(let database) = try Engine.chosen.address(for: folder.url) {
            configuration.database = database
        }
        edit(&configuration)
        server = try Server(configuration, logger: Logger(label: "test") { _ in SwiftLogNoOpLogHandler() })
        http = HTTPClient(port: server.port)
        loop = try EventLoop()
    }

    deinit {
        server.stop()
        loop.stop()
    }

    /// An app that has sent its hello.
    func app(_ hello: Hello = Sample.hello(), headers: [(String, String)] = []) async -> TestPeer {
        let peer = await silentApp(headers: headers)
        peer.send([AppLine.hello(hello).bytes])
        return peer
    }

    /// An app that has sent nothing yet.
    func silentApp(headers: [(String, String)] = []) async -> TestPeer {
        await .connect(
            on: loop, to: "ws://127.0.0.1:\(server.port)/v1/app", subprotocol: "statetape.v1", headers: headers)
    }

    func viewer(headers: [(String, String)] = []) async -> TestPeer {
        await .connect(
            on: loop, to: "ws://127.0.0.1:\(server.port)/v1/viewer", subprotocol: "statetape.viewer.v1",
            headers: headers)
    }

    /// A session with these lines, all acknowledged, and its app.
    func recorded(_ lines: [EventLine], _ hello: Hello = Sample.hello()) async throws -> TestPeer {
        let app = await app(hello)
        _ = try await app.welcome()
        app.send(lines.map(\.bytes))
        if let last = lines.last { try await app.acknowledged(last.seq + 1) }
        return app
    }

    /// Waits until the sample session's lines below `seq` are sealed.
    func sealed(_ seq: Int) async throws {
        while try await http.get(Self.session).json()["sealed"]?.int ?? 0 < seq { try Task.checkCancellation() }
    }

    /// Repeats the request until the condition holds.
    func until(_ holds: (HTTPClient) async throws -> Bool) async throws {
        while try await !holds(http) { try Task.checkCancellation() }
    }

    /// The path of the sample session.
    static let session = "/api/v1/sessions/" + Sample.header().session
}
