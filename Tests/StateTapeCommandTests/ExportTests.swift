import Foundation
import TapeFormat
import Testing

@testable import StateTapeCommand

@Suite("Export", .timeLimit(.minutes(1)))
struct ExportTests {
    private static let web = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
        .appendingPathComponent("../../web").standardizedFileURL.path

    private static func page(_ file: URL, _ target: URL) throws -> CommandProcess.Result {
        try CommandProcess.run(["export", file.path, "--format", "html", "--web", web, "-o", target.path])
    }

    @Test("export overwrites a file only with -o; “-” and /dev/stdout are standard output")
    func place() throws {
        let server = try ServerProcess()
        try SampleTape.make(20).write(to: server.file("a.tape"))
        _ = try server.run("import", server.file("a.tape").path)
        func export(_ arguments: String...) throws -> CommandProcess.Result {
            try CommandProcess.run(["export", SampleTape.session] + arguments, server: server.url) {
                $0.currentDirectoryURL = server.folder
            }
        }
        let target = server.file(SampleTape.session + ".tape")
        #expect(try export().status == 0)
        let tape = try String(contentsOf: target, encoding: .utf8)
        try Data("mine".utf8).write(to: target)
        let refused = try export()
        #expect(refused.status == 1 && refused.errors.contains("exists already"), "\(refused.errors)")
        #expect(try String(contentsOf: target, encoding: .utf8) == "mine")
        #expect(try export("-o", target.path).status == 0)
        #expect(try String(contentsOf: target, encoding: .utf8) == tape)
        for place in ["-", "/dev/stdout"] { #expect(try export("-o", place).output == tape) }
        let full = try export("-o", "/dev/full")
        #expect(full.status == 1 && full.errors.contains("/dev/full can't be written: No space left"))
    }

    @Test("An invalid --from or --to exits with 64")
    func bounds() throws {
        for arguments in [["--from", "9", "--to", "3"], ["--from", "-1"], ["--to", "x"]] {
            let result = try CommandProcess.run(["export", SampleTape.session] + arguments)
            #expect(result.status == 64, "\(arguments): \(result.errors)")
        }
    }

    @Test("Exporting a damaged file as HTML fails, plain and gzipped, and the error names the line")
    func damaged() throws {
        let server = try ServerProcess()
        let (file, target) = (server.file("a.tape"), server.file("a.html"))
        let whole = SampleTape.make(20)
        var lines = whole.split(separator: 10, omittingEmptySubsequences: false).map { Data($0) }
        let cases: [(Data, String)] = [
            (
                {
                    lines[5] = Data("{}".utf8); return Data(lines.joined(separator: [10]))
                }(), "line 6: member “seq”"
            ),
            (
                {
                    lines.remove(at: 5); return Data(lines.joined(separator: [10]))
                }(), "line 6: member “seq” must be 4, but is 5"
            ),
            (whole + whole, "line 22: another tape begins there"),
            (Data("no tape".utf8), ": line 1 is not a tape's header."),
            (Data(), "is neither a tape nor"), (Data("{\"tape\":1}\n".utf8), "line 1: "),
        ]
        for (content, text) in cases {
            for isPacked in [false, true] {
                try content.write(to: file)
                if isPacked { _ = try CommandProcess.gzip(file) }
                let packed = isPacked ? file.appendingPathExtension("gz") : file
                let result = try Self.page(packed, target)
                #expect(result.status == 1 && result.errors.contains(text), "\(text): \(result.errors)")
                #expect(!FileManager.default.fileExists(atPath: target.path))
            }
        }
    }

    @Test("A tape that is cut off in a line exits with 1 and names the line; its page has the events before")
    func cut() throws {
        let server = try ServerProcess()
        let (file, target) = (server.file("a.tape"), server.file("a.html"))
        try SampleTape.make(20).dropLast(15).write(to: file)
        let plain = try Self.page(file, target)
        #expect(plain.status == 1 && plain.errors.contains("\(file.path): line 21 is cut off."), "\(plain.errors)")
        #expect(FileManager.default.fileExists(atPath: target.path))
        try SampleTape.make(2_000).write(to: file)
        let packed = try CommandProcess.gzip(file)
        try Data(contentsOf: packed).dropLast(20).write(to: packed)
        let cut = try Self.page(packed, target)
        #expect(cut.status == 1 && cut.errors.contains(" is cut off. The page has the "), "\(cut.errors)")
    }

    @Test("STATETAPE_URL may be a host and a port, as for apps")
    func bareAddress() throws {
        let server = try ServerProcess()
        let listed = try CommandProcess.run(["sessions"], server: "127.0.0.1:\(server.port)")
        #expect(listed.status == 0, "\(listed.errors)")
    }

    @Test("--server and STATETAPE_URL accept the printed URL with its token")
    func token() throws {
        let server = try ServerProcess("--token", "control=s3cret-token&=")
        let url = server.url + "#token=s3cret-token%26%3D"
        #expect(try CommandProcess.run(["sessions", "--server", url]).status == 0)
        #expect(try CommandProcess.run(["sessions"], server: url).status == 0)
        let none = try CommandProcess.run(["sessions", "--server", server.url])
        #expect(none.status == 1 && none.errors.contains("token"), "\(none.errors)")
        #expect(try CommandProcess.run(["sessions", "--server", url, "--token", "wrong"]).status == 1)
    }

    @Test("push fails with the file's name and the reason")
    func push() throws {
        let server = try ServerProcess()
        try SampleTape.make(3).write(to: server.file("a.tape"))
        try Data("[1".utf8).write(to: server.file("bad.json"))
        _ = try server.run("import", server.file("a.tape").path)
        for (file, text) in [
            (server.folder.path, "is a folder"), ("/no/such", "/no/such can't be read: No such file or directory"),
            (server.file("bad.json").path, "is not JSON: "), ("/dev/zero", "it is a device"),
        ] {
            for option in ["--state", "--action"] {
                let result = try server.run("push", SampleTape.session, option, file)
                #expect(result.status == 1 && result.errors.contains(text), "\(file): \(result.errors)")
            }
        }
        let ended = try server.run("push", SampleTape.session, "--seq", "1")
        #expect(ended.status == 1 && ended.errors.contains("not connected"))
    }

    @Test("prune deletes the listed sessions after a confirmation or with --yes")
    func prune() throws {
        let server = try ServerProcess()
        for number in 0..<3 {
            try SampleTape.make(5, session: "SESSION-000\(number)").write(to: server.file("\(number).tape"))
            _ = try server.run("import", server.file("\(number).tape").path)
        }
        func count() throws -> Int { try server.run("sessions", "--json").output.split(separator: "\n").count }
        let silent = try CommandProcess.run(
            ["prune", "--max-size", "0"], server: server.url, input: Data("y\n".utf8))
        #expect(silent.status == 1 && silent.errors.contains("--yes"), "\(silent.errors)")
        #expect(silent.output.contains("SESSION-0000") && !silent.output.contains("SESSION-0002"))
        for (answer, expected) in [("\n", 3), ("no\n", 3), ("y\n", 1)] {
            let result = try CommandProcess.run([], server: server.url, input: Data(answer.utf8)) { process in
                // `script` provides a terminal.
                let command = "'\(process.executableURL?.path ?? "")' prune --max-size 0"
                process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
                process.arguments = ["script", "-qec", command, "/dev/null"]
            }
            #expect(result.status == (expected == 1 ? 0 : 1), "\(result.output)")
            #expect(result.output.contains("Delete permanently?"))
            #expect(try count() == expected)
        }
        let spared = try server.run("prune", "--max-size", "0", "--yes").output
        #expect(spared.hasPrefix("0 sessions would be deleted"))
        #expect(
            spared.contains("exceeds --max-size") && spared.contains("the most recently active one of each app (--all"))
        #expect(try server.run("prune", "--max-size", "0", "--dry-run", "--yes").status == 64)
        let last = try server.run("prune", "--max-size", "0", "--all", "--yes")
        #expect(last.status == 0 && last.output.contains("1 session deleted, which frees about"), "\(last.output)")
        #expect(try count() == 0)
    }
}
