import Foundation
import Logging
import StateTapeServer
import TapeFormat
import Testing

@testable import StateTapeCommand
@testable import TapeArchive

@Suite("move, with data folders", .timeLimit(.minutes(2)))
struct MoveCommandTests {
    private let folder: TestFolder
    private var one: String { folder.path("one") }
    private var two: String { folder.path("two") }

    init() throws {
        folder = try TestFolder()
    }

    private func start(_ data: String) throws -> Server {
        var configuration = Configuration(data: URL(fileURLWithPath: data, isDirectory: true))
        configuration.port = 0
        return try Server(configuration, logger: Logger(label: "test") { _ in SwiftLogNoOpLogHandler() })
    }

    private func send(_ tape: Data, _ name: String, to server: Server) throws {
        let file = try folder.write(name, tape)
        let sent = try CommandProcess.run(["import", file], server: "http://127.0.0.1:\(server.port)")
        #expect(sent.status == 0, "\(sent.errors)")
    }

    private func move(_ options: String...) throws -> CommandProcess.Result {
        try CommandProcess.run(["move", "--from", one, "--to", two] + options)
    }

    @Test("A folder is copied once its server has stopped, and the copy exports the same tapes")
    func copy() throws {
        let tapes = (0..<3).map { SampleTape.make(300 + $0, session: "SESSION-000\($0)") }
        let server = try start(one)
        for (number, tape) in tapes.enumerated() { try send(tape, "\(number).tape", to: server) }
        let early = try move()
        #expect(early.status == 1 && early.errors.contains("in use by a server"), "\(early.errors)")
        #expect(!FileManager.default.fileExists(atPath: two))
        server.stop()
        let single = try move("--session", "SESSION-0001", "SESSION-0002")
        #expect(single.status == 0 && single.output == "2 sessions copied, 0 there already: no problems.\n")
        let rest = try move()
        #expect(rest.status == 0 && rest.output == "1 session copied, 2 there already: no problems.\n")
        #expect(rest.errors.isEmpty, "\(rest.errors)")
        let target = try start(two)
        for (number, tape) in tapes.enumerated() {
            let exported = try CommandProcess.run(
                ["export", "SESSION-000\(number)", "-o", "-"], server: "http://127.0.0.1:\(target.port)")
            #expect(Data(exported.output.utf8) == tape)
        }
        let late = try move()
        #expect(late.status == 1 && late.errors.contains("in use by another server"), "\(late.errors)")
        target.stop()
    }

    @Test("Different events under one id are reported and left alone, and the exit code is 1")
    func different() throws {
        for (data, count) in [(one, 20), (two, 10)] {
            let server = try start(data)
            try send(SampleTape.make(count), "\(count).tape", to: server)
            server.stop()
        }
        let result = try move()
        #expect(result.status == 1 && result.output == "0 sessions copied, 0 there already: 1 problem.\n")
        #expect(result.errors.contains("isn't copied: the target has only its events up to 9 of 19"))
    }

    @Test("move and repair print JSON, and each problem on standard error, too, as one interrupted leaves no JSON")
    func json() throws {
        for (data, count) in [(one, 20), (two, 10)] {
            let server = try start(data)
            try send(SampleTape.make(count), "\(count).tape", to: server)
            server.stop()
        }
        func damaged(_ name: String) throws -> String {
            let copy = folder.path(name)
            try FileManager.default.copyItem(atPath: one, toPath: copy)
            let archive = try FileHandle(forUpdating: URL(fileURLWithPath: copy + "/archive.sqlite"))
            try archive.write(contentsOf: Data(count: 4096))
            try archive.close()
            return copy
        }
        let id = SampleTape.session
        for (arguments, answer, problem) in [
            (["move", "--from", one, "--to", folder.path("new")], ["copied": 1, "present": 0, "events": 20], nil),
            (["move", "--from", one, "--to", folder.path("new")], ["copied": 0, "present": 1, "events": 20], nil),
            (
                ["move", "--from", one, "--to", two], ["copied": 0, "present": 0, "events": 20],
                "session \(id) isn't copied: the target has only its events up to 9 of 19"
            ),
            (["repair", "--data", one, "--to", folder.path("copy")], ["sessions": 1, "events": 20], nil),
            (
                ["repair", "--data", try damaged("bad"), "--to", folder.path("good")],
                ["sessions": 1, "events": 20], "the first page"
            ),
        ] as [([String], [String: Int], String?)] {
            let result = try CommandProcess.run(arguments + ["--json"])
            let lines = try result.output.split(separator: "\n").map { try JSON(parsing: $0.utf8) }
            try #require(lines.count == 1, "\(arguments): \(result)")
            for (name, value) in answer { #expect(lines[0][name]?.int == value, "\(arguments): \(result)") }
            let problems = (lines[0]["problems"]?.array ?? []).compactMap(\.string)
            #expect(result.status == (problem == nil ? 0 : 1) && problems.isEmpty == (problem == nil), "\(result)")
            for text in problems { #expect(result.errors.contains(text + "\n"), "\(result)") }
            if let problem { #expect(problems.contains { $0.contains(problem) }, "\(result)") }
        }
    }

    @Test("Invalid arguments and missing archives are refused, and nothing is created")
    func refused() throws {
        for arguments in [
            ["--from", one], ["--from", "", "--to", two], ["--from", one, "--to", "postgres://a@b/na me"],
            ["--from", one, "--to", "postgres://me:Secret1@localhost/name"],
            ["--from", "postgresql://localhost/name?password=Secret1", "--to", two],
        ] {
            let result = try CommandProcess.run(["move"] + arguments)
            #expect(result.status == 64 && !(result.output + result.errors).contains("Secret1"), "\(result.errors)")
        }
        let absent = try move()
        #expect(absent.status == 1 && absent.errors.contains("There is no archive in \(one): name a server's"))
        #expect(!FileManager.default.fileExists(atPath: one) && !FileManager.default.fileExists(atPath: two))
        let help = try CommandProcess.run(["help", "move"])
        #expect(help.status == 0 && help.output.contains("Copy sessions to another data folder or database."))
    }
}
