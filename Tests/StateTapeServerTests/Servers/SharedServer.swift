import Foundation
import SampleTapes

/// A server that is a process of its own, and shares a database with others.
final class SharedServer {
    private let folder = TemporaryFolder()
    private let process: ServerProcess

    var http: HTTPClient { process.http }
    var port: Int { process.http.port }
    var identifier: Int32 { process.identifier }

    /// - Parameter address: The database's.
    init(_ address: String) throws {
        process = try ServerProcess(data: folder.url, database: address)
    }

    deinit {
        // A process that is stopped doesn't end otherwise.
        kill()
    }

    func app() async -> TestPeer { await process.app() }
    func viewer() async -> TestPeer { await process.viewer() }

    func signal(_ signal: Int32) {
        Foundation.kill(identifier, signal)
    }

    /// Ends the process without giving it time for anything, and returns once it has exited.
    func kill() {
        signal(SIGKILL)
        process.stop()
    }
}
