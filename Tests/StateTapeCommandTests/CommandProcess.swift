import Foundation

/// The built `statetape`, as a second process.
enum CommandProcess {
    struct Result {
        var status: Int32
        var output: String
        var errors: String
    }

    /// Runs a command and waits until it exits.
    static func run(
        _ arguments: [String], server: String? = nil, input: Data? = nil, edit: (Process) throws -> Void = { _ in }
    ) throws -> Result {
        let process = make(arguments, server: server)
        let (output, errors) = (Pipe(), Pipe())
        process.standardOutput = output
        process.standardError = errors
        var source: URL?
        defer { if let source { try? FileManager.default.removeItem(at: source) } }
        if let input {
            let file = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString)
            try input.write(to: file)
            source = file
            process.standardInput = try FileHandle(forReadingFrom: file)
        }
        try edit(process)
        try process.run()
        let outputData = try output.fileHandleForReading.readToEnd() ?? Data()
        let errorData = try errors.fileHandleForReading.readToEnd() ?? Data()
        process.waitUntilExit()
        return Result(
            status: process.terminationStatus, output: String(decoding: outputData, as: UTF8.self),
            errors: String(decoding: errorData, as: UTF8.self))
    }

    /// Compresses a file with `gzip`.
    static func gzip(_ file: URL) throws -> URL {
        let process = Process()
        process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
        process.arguments = ["gzip", "-kf", file.path]
        try process.run()
        process.waitUntilExit()
        return file.appendingPathExtension("gz")
    }

    /// The built command.
    static var executable: URL { products.appendingPathComponent("statetape") }

    fileprivate static func make(_ arguments: [String], server: String?) -> Process {
        let process = Process()
        process.executableURL = executable
        process.arguments = arguments
        process.environment = ProcessInfo.processInfo.environment.filter { !$0.key.hasPrefix("STATETAPE") }
        process.environment?["STATETAPE_URL"] = server
        return process
    }

    /// The build folder, which contains the test bundle.
    private static var products: URL {
        let bundle = Bundle.allBundles.first { $0.bundlePath.hasSuffix(".xctest") }?.bundleURL
        return (bundle ?? URL(fileURLWithPath: CommandLine.arguments[0])).deletingLastPathComponent()
    }
}

/// Runs `statetape serve` with a temporary data folder; ends it and removes the folder when deallocated.
final class ServerProcess {
    let folder: URL
    let port: Int
    private let process: Process

    var url: String { "http://127.0.0.1:\(port)/" }

    /// - Parameters:
    ///   - options: Additional options of `serve`.
    ///   - command: The executable.
    ///   - workingFolder: The process's working folder.
    init(_ options: String..., command: URL = CommandProcess.executable, in workingFolder: URL? = nil) throws {
        folder = FileManager.default.temporaryDirectory.appendingPathComponent("statetape-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        process = CommandProcess.make(
            ["serve", "--listen", "127.0.0.1:0", "--data", folder.appendingPathComponent("data").path] + options,
            server: nil)
        process.executableURL = command
        if let workingFolder { process.currentDirectoryURL = workingFolder }
        let output = Pipe()
        process.standardOutput = output
        process.standardError = FileHandle.nullDevice
        try process.run()
        var line: [UInt8] = []
        while !line.contains(UInt8(ascii: "\n")), let more = try output.fileHandleForReading.read(upToCount: 1),
            !more.isEmpty
        {
            line += more
        }
        let text = String(decoding: line, as: UTF8.self).trimmingCharacters(in: .whitespacesAndNewlines)
        port = URL(string: text.split(separator: " ").last.map(String.init) ?? "")?.port ?? 0
    }

    deinit {
        stop()
        try? FileManager.default.removeItem(at: folder)
    }

    /// Ends it, and waits until it has ended.
    func stop() {
        process.terminate()
        process.waitUntilExit()
    }

    func file(_ name: String) -> URL { folder.appendingPathComponent(name) }

    func run(_ arguments: String...) throws -> CommandProcess.Result {
        try CommandProcess.run(arguments, server: url)
    }
}
