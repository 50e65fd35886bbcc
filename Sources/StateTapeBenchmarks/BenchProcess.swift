import Foundation
import Logging
import StateTapeServer
import TapeArchive
import TapeSockets

/// A second process of this executable as the server, so that its CPU time and memory are measured separately.
final class BenchProcess {
    /// The role of the second process.
    enum Kind: String {
        case server
        /// Relays the apps' messages to all viewers without parsing them.
        case relay
    }

    static let variable = "STATETAPE_BENCH_PROCESS"

    let port: Int
    /// The process's id.
    var identifier: Int32 { process.processIdentifier }
    private let process = Process()
    private let input = Pipe()
    private let folder: URL
    /// Kept until the process has ended.
    private let database: DatabaseSchema?

    /// - Parameters:
    ///   - database: The schema with the archive; nil for a file.
    ///   - port: The port to listen on; 0 for any.
    ///   - listens: Whether the database wakes the server.
    convenience init(_ kind: Kind, database: DatabaseSchema? = nil, port: Int = 0, listens: Bool = true) throws {
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent(
            "statetape-bench-\(UUID().uuidString)")
        try self.init(kind, database, port, listens, folder)
    }

    private init(_ kind: Kind, _ database: DatabaseSchema?, _ port: Int, _ listens: Bool, _ folder: URL) throws {
        self.folder = folder
        self.database = database
        process.executableURL = URL(fileURLWithPath: "/proc/self/exe").resolvingSymlinksInPath()
        process.environment = ProcessInfo.processInfo.environment.merging([
            Self.variable: kind.rawValue, "STATETAPE_BENCH_FOLDER": folder.path,
            "STATETAPE_BENCH_DATABASE": database?.address ?? "", "STATETAPE_BENCH_PORT": "\(port)",
            "STATETAPE_BENCH_LISTENS": "\(listens)",
        ]) { $1 }
        let output = Pipe()
        process.standardInput = input
        process.standardOutput = output
        try process.run()
        var line = Data()
        while let byte = try output.fileHandleForReading.read(upToCount: 1), byte.first != UInt8(ascii: "\n"),
            !byte.isEmpty
        {
            line += byte
        }
        self.port = Int(String(decoding: line, as: UTF8.self)) ?? 0
    }

    /// Ends the process as a crash does, and starts another one with the same folder and port.
    func crash() throws -> BenchProcess {
        kill(process.processIdentifier, SIGKILL)
        process.waitUntilExit()
        return try BenchProcess(.server, database, port, true, folder)
    }

    func stop() {
        try? input.fileHandleForWriting.close()
        process.waitUntilExit()
        try? FileManager.default.removeItem(at: folder)
    }

    /// The memory in MiB: the current (`VmRSS`) or the maximum (`VmHWM`).
    func memory(_ field: String) -> Double {
        let status = try? String(contentsOfFile: "/proc/\(process.processIdentifier)/status", encoding: .utf8)
        let line = status?.split(separator: "\n").first { $0.hasPrefix(field + ":") }
        return
            (line?.split(whereSeparator: { $0 == " " || $0 == "\t" }).dropFirst().first.flatMap { Double($0) } ?? 0)
            / 1_024
    }

    /// The CPU time in seconds, on all cores.
    var cpu: Double { ProcessTimes(identifier)?.own ?? .nan }

    /// Runs the second process until its input ends.
    static func serve(_ kind: Kind) throws {
        let environment = ProcessInfo.processInfo.environment
        let folder = environment["STATETAPE_BENCH_FOLDER"] ?? "statetape-bench"
        switch kind {
        case .server:
            var configuration = Configuration(data: URL(fileURLWithPath: folder, isDirectory: true))
            configuration.port = environment["STATETAPE_BENCH_PORT"].flatMap { Int($0) } ?? 0
            if let database = environment["STATETAPE_BENCH_DATABASE"], !database.isEmpty {
                configuration.database = try DatabaseAddress(database)
            }
            configuration.timing.peers.listens = environment["STATETAPE_BENCH_LISTENS"] != "false"
            let logger = Logger(label: "bench") { StreamLogHandler.standardError(label: $0) }
            let server = try Server(configuration, logger: logger)
            wait(server.port)
            server.stop()
        case .relay:
            let loop = try EventLoop()
            let listener = try Listener(
                on: loop, host: "127.0.0.1", port: 0, subprotocols: ["statetape.v1", "statetape.viewer.v1"],
                service: BareRelay())
            wait(listener.port)
            loop.stop()
        }
    }

    private static func wait(_ port: Int) {
        FileHandle.standardOutput.write(Data("\(port)\n".utf8))
        _ = try? FileHandle.standardInput.readToEnd()
    }
}
