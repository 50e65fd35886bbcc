import ArgumentParser
import Foundation
import Logging
import StateTapeServer
import TapeArchive
import TapeFormat

/// A server in this process for one run: on a free port of this machine, with tokens and an archive of its own.
struct PrivateServer {
    /// For apps.
    let url: String
    /// Only allows recording.
    let appToken = RandomName.make()
    private let server: Server
    private let data: URL
    private let remote: ServerClient

    /// How long `download` waits for the connections of apps to end.
    private static let drain = Duration.seconds(2)

    /// - Throws: `ServerError` if it can't start.
    init() throws {
        data = LeftFolder.new(for: "ci")
        let control = RandomName.make()
        var configuration = Configuration(data: data)
        configuration.port = 0
        configuration.tokens = [.init(.app, appToken), .init(.control, control)]
        // The archive lives as long as the run.
        configuration.sync = .normal
        configuration.isPrivate = true
        let logger = ServerLog.logger(.error)
        server = try Server(configuration, logger: logger)
        url = server.appURL
        remote = try ServerClient.parse(["--server", url, "--token", control])
    }

    /// Downloads the tapes of all sessions.
    ///
    /// - Parameters:
    ///   - folder: The folder for the tapes.
    ///   - known: The sessions to skip.
    /// - Returns: The files.
    func download(into folder: URL, except known: Set<String>) async throws -> [URL] {
        // What an ended app sent may still be on its way. An app that keeps running is connected for longer.
        let end = ContinuousClock.now + Self.drain
        while ContinuousClock.now < end, try await !remote.sessions("&live=true").isEmpty {
            try await Task.sleep(for: .milliseconds(20))
        }
        var files: [URL] = []
        for session in try await remote.sessions().compactMap({ $0["session"]?.string })
        where Header.isSession(session) && !known.contains(session) {
            let file = folder.appendingPathComponent("\(session).tape")
            try FileManager.default.moveItem(
                at: try await remote.download("/api/v1/sessions/\(session)/tape"), to: file)
            files.append(file)
        }
        return files
    }

    /// Stops the server and removes its archive.
    func stop() {
        server.stop()
        try? FileManager.default.removeItem(at: data)
    }
}
