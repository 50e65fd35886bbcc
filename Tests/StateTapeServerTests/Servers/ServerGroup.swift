import Foundation
import SampleTapes
import TapeFormat
import Testing

@testable import StateTapeServer
@testable import TapeArchive
@testable import TapeArchivePostgres

/// Servers of this process that share a database.
final class ServerGroup: Sendable {
    let address: String
    let servers: [TestServer]
    var a: TestServer { servers[0] }
    var b: TestServer { servers[1] }

    /// - Parameters:
    ///   - database: Another one than that which tests share.
    ///   - edit: Changes the configuration of a server, by its number.
    init(
        _ count: Int = 2, on database: PrivatePostgres? = nil,
        _ edit: @Sendable (Int, inout StateTapeServer.Configuration) -> Void = { _, _ in }
    ) throws {
        let address = try (database ?? PrivatePostgres.shared.get()).makeSchema()
        self.address = address
        servers = try (0..<count).map { number in
            try TestServer { configuration in
                configuration.database = try? DatabaseAddress(address)
                configuration.timing.push = .seconds(30)
                configuration.timing.peers.pass = .seconds(40)
                configuration.timing.peers.beat = .milliseconds(100)
                configuration.timing.peers.lease = .seconds(2)
                configuration.timing.peers.maintenance = .milliseconds(100)
                edit(number, &configuration)
            }
        }
    }

    /// A viewer of the list and of the sample session, on a server. It watches when this returns.
    func viewer(_ server: TestServer) async throws -> TestPeer {
        let viewer = await server.viewer()
        viewer.send([
            ViewerRequest.watchSessions.bytes, ViewerRequest.watch(session: Sample.header().session).bytes,
        ])
        _ = try await viewer.watching()
        return viewer
    }

    /// Waits until a server knows that the sample session's app is connected, or isn't.
    func known(_ server: TestServer, live: Bool = true) async throws {
        try await server.until { try await $0.get(TestServer.session).json()["live"] == .bool(live) }
    }

    /// Waits until each server has its row. It listens before it has one.
    func alive() throws {
        while try run("SELECT count(*) AS count FROM server")[0].int("count") < servers.count {
            try Task.checkCancellation()
        }
    }

    /// Runs SQL in the servers' schema.
    @discardableResult
    func run(_ sql: String) throws -> PostgresRows {
        try connect().run(sql)
    }

    func connect() throws -> PostgresConnection {
        let connection = try PostgresConnection(PostgresAddress(address), logger: PrivatePostgres.logger)
        _ = try PostgresSession.begin(connection)
        return connection
    }
}
