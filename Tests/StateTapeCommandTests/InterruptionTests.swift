import Foundation
import Testing

@testable import StateTapeCommand

@Suite("Signals that end the server", .timeLimit(.minutes(1)))
struct InterruptionTests {
    @Test("Started by nohup, the server outlives its terminal, and SIGTERM ends it")
    func nohup() throws {
        let folder = try TestFolder()
        let process = Process()
        process.executableURL = URL(fileURLWithPath: "/usr/bin/nohup")
        process.arguments = [
            CommandProcess.executable.path, "serve", "--listen", "127.0.0.1:0", "--data", folder.path("data"),
        ]
        process.environment = ProcessInfo.processInfo.environment.filter { !$0.key.hasPrefix("STATETAPE") }
        let (output, errors) = (Pipe(), Pipe())
        process.standardOutput = output
        process.standardError = errors
        try process.run()
        var line = Data()
        while line.last != 10, let byte = try output.fileHandleForReading.read(upToCount: 1), !byte.isEmpty {
            line += byte
        }
        let url = String(decoding: line, as: UTF8.self).split(separator: " ").last.map(String.init) ?? ""
        kill(process.processIdentifier, SIGHUP)
        // The signal is pending before this command starts, so a server that takes it is stopping.
        let listed = try CommandProcess.run(["sessions"], server: url.trimmingCharacters(in: .newlines))
        #expect(listed.status == 0, "\(listed.errors)")
        process.terminate()
        process.waitUntilExit()
        #expect(process.terminationStatus == 0 && process.terminationReason == .exit)
    }
}
