import ArgumentParser
import Foundation
import Logging
import StateTapeServer
import TapeArchive
import TapeFormat

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// The server that records the apps of a run: a private one, or another that is running.
struct RunServer: Sendable {
    /// The label `run` of the app's sessions, and the run's id at the server.
    let id = String(RandomName.make().suffix(8))
    /// The page's URL, with the token.
    let page: String
    private let remote: ServerClient
    private let variables: [String: String]
    /// In this process.
    private let own: Server?
    /// Removed at the end.
    private let temporary: URL?

    /// Starts a private server on a free port.
    ///
    /// - Parameter data: The folder for its sessions; nil for a temporary one.
    /// - Throws: `ServerError` if it can't start.
    init(data: String?) throws {
        temporary =
            data == nil ? LeftFolder.new(for: "run") : nil
        let folder = temporary ?? URL(named: data ?? "", isDirectory: true)
        var configuration = Configuration(data: folder)
        configuration.port = 0
        configuration.sync = .normal
        configuration.isPrivate = true
        let logger = ServerLog.logger(.error)
        let server = try Server(configuration, logger: logger)
        own = server
        page = server.pageURL.absoluteString
        remote = try ServerClient.parse(["--server", page, "--token", ""])
        variables = ["STATETAPE_URL": server.appURL, "STATETAPE_TOKEN": ""]
    }

    /// - Throws: `ValidationError` if the text isn't a server's URL.
    init(_ url: String, token: String?) throws {
        remote = try ServerClient.parse(["--server", url] + (token.map { ["--token", $0] } ?? []))
        page = url
        variables = ["STATETAPE_URL": url, "STATETAPE_TOKEN": remote.bearer ?? ""]
        own = nil
        temporary = nil
    }

    /// The app's environment.
    func environment(_ environment: [String: String]) -> [String: String] {
        let labels = (environment["STATETAPE_LABELS"] ?? "").split(separator: ",").filter { !$0.hasPrefix("run=") }
        var all = environment.merging(variables) { $1 }
        all["STATETAPE_LABELS"] = (labels + ["run=\(id)"]).joined(separator: ",")
        // Swift's backtracer otherwise asks for a key after a crash, and waits for 30 s.
        if all["SWIFT_BACKTRACE"] == nil { all["SWIFT_BACKTRACE"] = "interactive=no" }
        // The end of a build leaves the machine busy.
        if all["STATETAPE_LAUNCH_WAIT"] == nil { all["STATETAPE_LAUNCH_WAIT"] = "5" }
        return all
    }

    /// Stops a private server, and removes its temporary data.
    func stop() {
        own?.stop()
        if let temporary { try? FileManager.default.removeItem(at: temporary) }
    }

    /// Sends a request. A server that doesn't answer must not hold up the app for long.
    ///
    /// - Throws: `Failure` with the server's message.
    func json(_ method: String, _ path: String, body: JSON? = nil) async throws -> JSON {
        var request = try remote.request(method, path, body: body)
        request.timeoutInterval = 5
        let data: Data
        let response: URLResponse
        do {
            (data, response) = try await HTTPClient.data(for: request)
        } catch let error as URLError {
            throw remote.unreachable(error)
        }
        return try remote.checked(response, data)
    }
}
