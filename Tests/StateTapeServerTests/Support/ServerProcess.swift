import Foundation
import TapeSockets
import Testing

@testable import StateTapeServer

/// The built `statetape serve` as a separate process, optionally started through another command.
final class ServerProcess {
    let http: HTTPClient
    private let process = Process()
    private let input = Pipe()
    private let loop: EventLoop

    /// - Parameters:
    ///   - command: Runs its last arguments, e.g. `env`. The server's command line is appended to it.
    ///   - data: The data folder.
    ///   - port: The port to listen on; 0 for any.
    ///   - database: The address of the archive, unless the data folder holds it.
    init(_ command: [String] = ["env"], data: URL, port: Int = 0, database: String? = nil) throws {
        process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
        process.arguments =
            command + [
                Self.products.appendingPathComponent("statetape").path, "serve", "--listen", "127.0.0.1:\(port)",
                "--data", data.path,
            ] + (database.map { ["--database", $0] } ?? [])
        let output = Pipe()
        process.standardInput = input
        process.standardOutput = output
        // The server writes the reason there if it exits.
        let isTraced = ProcessInfo.processInfo.environment["STATETAPE_TRACE"] != nil
        process.standardError = isTraced ? FileHandle.standardError : FileHandle.nullDevice
        try process.run()
        var line: [UInt8] = []
        while let byte = try output.fileHandleForReading.read(upToCount: 1)?.first, byte != UInt8(ascii: "\n") {
            line.append(byte)
        }
        let port = String(decoding: line, as: UTF8.self).split(separator: ":").last?.dropLast()
        http = HTTPClient(port: try #require(port.flatMap { Int($0) }, "the server did not start"))
        loop = try EventLoop()
    }

    deinit {
        stop()
        loop.stop()
    }

    /// Stops the server, and returns once it has exited.
    func stop() {
        if process.isRunning { process.terminate() }
        process.waitUntilExit()
    }

    /// The process id, if no other command wraps the server.
    var identifier: Int32 { process.processIdentifier }

    /// A line of input for the command that wraps the server.
    func tell(_ line: String) throws {
        try input.fileHandleForWriting.write(contentsOf: Data((line + "\n").utf8))
    }

    func app() async -> TestPeer { await peer("app", "statetape.v1") }
    func viewer() async -> TestPeer { await peer("viewer", "statetape.viewer.v1") }

    private func peer(_ path: String, _ subprotocol: String) async -> TestPeer {
        await .connect(on: loop, to: "ws://127.0.0.1:\(http.port)/v1/\(path)", subprotocol: subprotocol)
    }

    /// Whether a command exists and succeeds.
    static func canRun(_ command: [String]) -> Bool {
        let process = Process()
        process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
        process.arguments = command
        process.standardOutput = FileHandle.nullDevice
        process.standardError = FileHandle.nullDevice
        guard (try? process.run()) != nil else { return false }
        process.waitUntilExit()
        return process.terminationStatus == 0
    }

    /// The folder of the built products, which contains the test bundle.
    private static var products: URL {
        let bundle = Bundle.allBundles.first { $0.bundlePath.hasSuffix(".xctest") }?.bundleURL
        return (bundle ?? URL(fileURLWithPath: CommandLine.arguments[0])).deletingLastPathComponent()
    }
}
