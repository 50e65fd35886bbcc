import Foundation
import Logging
import StateTape
import StateTapeServer
import TapeFormat
import Testing

@testable import TapeArchive

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// A real server with a folder of its own, and its HTTP API.
final class TapeServer: Sendable {
    private let server: Server
    let folder: URL

    init() throws {
        folder = FileManager.default.temporaryDirectory.appendingPathComponent("ways-\(UUID().uuidString)")
        var configuration = Configuration(data: folder)
        configuration.port = 0
        configuration.sync = .normal
        // So that no list ends early on a busy machine, and no push expires.
        configuration.timing.scan = .seconds(60)
        configuration.timing.push = .seconds(60)
        server = try Server(configuration, logger: Logger(label: "test") { _ in SwiftLogNoOpLogHandler() })
    }

    deinit {
        server.stop()
        try? FileManager.default.removeItem(at: folder)
    }

    /// A recorder of a new run, which waits for its launch state.
    func recorder() -> Recorder {
        Recorder(.test(url: "http://127.0.0.1:\(server.port)/", startLimit: 20))
    }

    /// The newest session, once it has as many events and its app is connected.
    func session(withEvents count: Int) async throws -> String {
        while true {
            try Task.checkCancellation()
            let newest = try await get("/api/v1/sessions?live=true&limit=1")["sessions"]?[0]
            if let id = newest?["session"]?.string, (newest?["events"]?.int ?? 0) >= count {
                return "/api/v1/sessions/\(id)"
            }
        }
    }

    /// The events of a session, the first ones first.
    func events(_ session: String) async throws -> [JSON] {
        try await send("GET", session + "/events").body.split(separator: UInt8(ascii: "\n")).map {
            try JSON(parsing: Array($0))
        }
    }

    /// The summaries of all sessions, each with its events after it.
    func tapes() async throws -> String {
        var text = ""
        for summary in try await get("/api/v1/sessions")["sessions"]?.array ?? [] {
            let events = try await send("GET", "/api/v1/sessions/\(summary["session"]?.string ?? "")/events").body
            text += String(decoding: summary.bytes + [10] + events, as: UTF8.self)
        }
        return text
    }

    /// Downloads the tape of a session to a file.
    func download(_ session: String) async throws -> URL {
        let file = folder.appendingPathComponent("test.tape")
        try await send("GET", session + "/tape").body.write(to: file)
        return file
    }

    func get(_ path: String) async throws -> JSON {
        try JSON(parsing: Array(try await send("GET", path).body))
    }

    /// Sends what the page sends.
    ///
    /// - Returns: The status and the answer.
    @discardableResult
    func send(_ method: String, _ path: String, _ body: JSON? = nil) async throws -> (status: Int, body: Data) {
        let url = try #require(URL(string: "http://127.0.0.1:\(server.port)\(path)"))
        var request = URLRequest(url: url)
        request.httpMethod = method
        request.httpBody = body.map { Data($0.bytes) }
        let (data, response) = try await URLSession.shared.data(for: request)
        return (try #require(response as? HTTPURLResponse).statusCode, data)
    }
}
