import Foundation
import TapeFormat

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// Measures how long `statetape run` takes from a saved file to the new app's first event, beside the build.
struct ReloadBenchmark {
    let quick: Bool

    private static let root = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
        .deletingLastPathComponent().deletingLastPathComponent()
    private static let source = "Sources/Reloaded/Reducer.swift"

    func run() throws {
        let folder = try copy()
        let rounds = quick ? 3 : 11
        let run = try RunProcess(in: folder)
        defer { run.stop() }
        _ = try run.report { $0["status"] == "running" }
        let file = folder.appendingPathComponent(Self.source)
        let text = try String(contentsOf: file, encoding: .utf8)
        var (times, floors): ([Double], [Double]) = ([], [])
        for round in 1...rounds {
            try (text + "// \(round)\n").write(to: file, atomically: true, encoding: .utf8)
            let before = times.count + 1
            let report = try run.report { report in
                report["status"] == "running" && report["seconds"] != nil && run.reloads >= before
            }
            guard let all = report["seconds"]?.number?.double, let build = report["buildSeconds"]?.number?.double
            else { continue }
            times.append((all - build) * 1_000)
            floors.append(try relaunch(folder.appendingPathComponent(".build/debug/Reloaded"), run.url) * 1_000)
        }
        var line = Measurement(
            bench: "reload", name: "beside the build", value: times.median, unit: "ms", better: .lower)
        line.floor = ("kill and start", floors.median)
        line.print()
    }

    /// The fixture's package, with a build folder that stays from run to run.
    private func copy() throws -> URL {
        let files = FileManager.default
        let fixture = Self.root.appendingPathComponent("Tests/Fixtures/Reloaded")
        let folder = Self.root.appendingPathComponent(".build/fixtures/ReloadedBench")
        try files.createDirectory(at: folder, withIntermediateDirectories: true)
        let sources = folder.appendingPathComponent("Sources")
        if files.fileExists(atPath: sources.path) { try files.removeItem(at: sources) }
        try files.copyItem(at: fixture.appendingPathComponent("Sources"), to: sources)
        let manifest = try String(contentsOf: fixture.appendingPathComponent("Package.swift"), encoding: .utf8)
        try manifest.replacing(#""../../..""#, with: "\"\(Self.root.path)\"")
            .write(to: folder.appendingPathComponent("Package.swift"), atomically: true, encoding: .utf8)
        return folder
    }

    /// The time from the end of a process to its first line again, without any command between.
    private func relaunch(_ program: URL, _ server: String) throws -> Double {
        let first = try LaunchedApp(program, server)
        let start = ContinuousClock.now
        first.stop()
        let second = try LaunchedApp(program, server)
        let time = (ContinuousClock.now - start) / .seconds(1)
        second.stop()
        return time
    }
}

/// An app that has printed its first line.
private struct LaunchedApp {
    private let process = Process()
    private let input = Pipe()

    init(_ program: URL, _ server: String) throws {
        process.executableURL = program
        process.environment = ProcessInfo.processInfo.environment.merging(["STATETAPE_URL": server]) { $1 }
        let output = Pipe()
        process.standardInput = input
        process.standardOutput = output
        try process.run()
        while let byte = try output.fileHandleForReading.read(upToCount: 1), byte.first != UInt8(ascii: "\n"),
            !byte.isEmpty
        {}
    }

    func stop() {
        // SIGTERM is blocked in the children of Dispatch's threads.
        kill(process.processIdentifier, SIGKILL)
        process.waitUntilExit()
    }
}

/// `statetape run`, asked through its server.
private final class RunProcess {
    let url: String
    private let process = Process()
    private let input = Pipe()
    private let messages: FileHandle
    private let log: URL

    init(in folder: URL) throws {
        process.executableURL = URL(fileURLWithPath: "/proc/self/exe").resolvingSymlinksInPath()
            .deletingLastPathComponent().appendingPathComponent("statetape")
        process.arguments = ["run", "--", "swift", "run", "Reloaded"]
        process.currentDirectoryURL = folder
        process.environment = ProcessInfo.processInfo.environment.filter { !$0.key.hasPrefix("STATETAPE") }
        let output = Pipe()
        log = FileManager.default.temporaryDirectory.appendingPathComponent("reload-\(UUID().uuidString)")
        _ = FileManager.default.createFile(atPath: log.path, contents: nil)
        messages = try FileHandle(forWritingTo: log)
        process.standardInput = input
        process.standardOutput = output
        process.standardError = messages
        try process.run()
        var line = Data()
        while let byte = try output.fileHandleForReading.read(upToCount: 1), byte.first != UInt8(ascii: "\n"),
            !byte.isEmpty
        {
            line += byte
        }
        url = String(decoding: line, as: UTF8.self).split(separator: " ").last.map(String.init) ?? ""
        // The app's own lines must not fill the pipe.
        output.fileHandleForReading.readabilityHandler = { _ = $0.availableData }
    }

    /// How often it has said that it reloaded.
    var reloads: Int {
        ((try? String(contentsOf: log, encoding: .utf8)) ?? "").components(separatedBy: "Reloaded in").count - 1
    }

    /// The run's report, once it passes.
    func report(_ passes: (JSON) -> Bool) throws -> JSON {
        guard let url = URL(string: url + "api/v1/runs") else { throw CocoaError(.fileReadUnknown) }
        let end = ContinuousClock.now + .seconds(600)
        while ContinuousClock.now < end, process.isRunning {
            let runs = try JSON(parsing: [UInt8](Data(contentsOf: url)))["runs"]?.array
            if let run = runs?.first, passes(run) { return run }
            Thread.sleep(forTimeInterval: 0.02)
        }
        throw CocoaError(.fileReadUnknown)
    }

    func stop() {
        process.terminate()
        process.waitUntilExit()
        try? FileManager.default.removeItem(at: log)
    }
}
