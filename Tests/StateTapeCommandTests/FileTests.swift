import Foundation
import TapeFormat
import Testing

@testable import StateTapeCommand

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

@Suite("Tape files, without a server", .timeLimit(.minutes(1)))
struct FileTests {
    private let temporaryFolder: TestFolder
    private var folder: URL { temporaryFolder.url }

    init() throws {
        temporaryFolder = try TestFolder()
    }

    private func file(_ name: String, _ content: Data) throws -> URL {
        let file = folder.appendingPathComponent(name)
        try content.write(to: file)
        return file
    }

    /// The sample tape with one line changed.
    private func changed(_ line: Int, _ old: String, _ new: String, of count: Int = 20) -> Data {
        var lines = String(decoding: SampleTape.make(count), as: UTF8.self).split(separator: "\n").map(String.init)
        lines[line - 1] = lines[line - 1].replacingOccurrences(of: old, with: new)
        return Data((lines.joined(separator: "\n") + "\n").utf8)
    }

    @Test("The executable serves the page and exports HTML without other files")
    func selfContained() throws {
        let web = URL(fileURLWithPath: #filePath).deletingLastPathComponent().appendingPathComponent("../../web")
        let command = folder.appendingPathComponent("statetape")
        try FileManager.default.copyItem(at: CommandProcess.executable, to: command)
        let server = try ServerProcess(command: command, in: folder)
        // `index.html` and `main.js` are packed.
        for path in ["app.css", "icon.svg", "views/overview.js"] {
            let served = try Data(contentsOf: try #require(URL(string: server.url + path)))
            #expect(try served == Data(contentsOf: web.appendingPathComponent(path)), "\(path)")
        }
        let tape = try file("a.tape", SampleTape.make(5))
        let made = try CommandProcess.run(["export", tape.path, "--format", "html"]) {
            $0.executableURL = command
            $0.currentDirectoryURL = folder
        }
        #expect(made.status == 0 && made.output.hasPrefix("Wrote a.html, "), "\(made.errors)")
    }

    @Test(
        "diff compares equal files, a different state and a different action; plain, gzipped and standard input")
    func diff() throws {
        let one = try file("one.tape", SampleTape.make(20))
        let packed = try CommandProcess.gzip(one)
        let same = try CommandProcess.run(["diff", one.path, packed.path])
        #expect(same.status == 0 && same.output == "No difference. Events compared: 20.\n", "\(same.errors)")
        let state = try file("state.tape", changed(8, #""value":6"#, #""value":7"#))
        let other = try CommandProcess.run(["diff", one.path, state.path])
        #expect(other.status == 1 && other.output.contains("First difference in store main"), "\(other.output)")
        #expect(
            other.output.contains("#6 add") && other.output.contains(#"{"op":"replace","path":"/n","value":7}"#))
        let piped = try CommandProcess.run(
            ["diff", one.path, "-", "--json"], input: changed(4, #""type":"add""#, #""type":"sub""#))
        #expect(piped.status == 1 && piped.output.contains(#""kind":"action""#), "\(piped.output)\(piped.errors)")
    }

    @Test("diff compares a file with a session of a server")
    func mixed() throws {
        let server = try ServerProcess()
        let tape = try file("a.tape", SampleTape.make(20))
        _ = try server.run("import", tape.path)
        #expect(try server.run("diff", String(SampleTape.session.prefix(12)), tape.path).status == 0)
        let shorter = try file("b.tape", SampleTape.make(15))
        let result = try server.run("diff", shorter.path, SampleTape.session)
        #expect(result.status == 1 && result.output.contains("one tape ends here"), "\(result.output)")
    }

    @Test("diff and export of an invalid file fail with its name and the line number")
    func unreadable() throws {
        let one = try file("one.tape", SampleTape.make(20))
        for (content, text) in [
            (changed(7, #""seq":5"#, #""seq":9"#), "bad.tape: line 7: member “seq” must be 5, but is 9"),
            (Data("x".utf8), "bad.tape is neither a tape nor"),
            (SampleTape.make(3) + SampleTape.make(3), "bad.tape: line 5: another tape begins there"),
        ] {
            let bad = try file("bad.tape", content)
            for arguments in [["diff", one.path, bad.path], ["export", bad.path, "-o", "-"]] {
                let result = try CommandProcess.run(arguments)
                let status: Int32 = arguments[0] == "diff" ? 2 : 1
                #expect(result.status == status && result.errors.contains(text), "\(arguments): \(result.errors)")
            }
        }
        let none = try CommandProcess.run(["diff", one.path, folder.path + "/none.tape"])
        #expect(none.status == 2 && none.errors.contains("none.tape can't be read: No such file"), "\(none.errors)")
    }

    @Test("check --data checks that folder, whatever STATETAPE_DATABASE names")
    func checkedFolder() throws {
        let server = try ServerProcess()
        let result = try CommandProcess.run(["check", "--data", server.file("data").path]) { process in
            process.environment?["STATETAPE_DATABASE"] = "postgres://nobody@127.0.0.1:1/absent"
        }
        #expect(result.status == 0 && result.output.hasPrefix("0 sessions"), "\(result.errors)")
    }

    @Test("check reports the problems of each file and continues with the next one")
    func check() throws {
        let good = try file("good.tape", SampleTape.make(300))
        let fine = try CommandProcess.run(["check", good.path])
        #expect(fine.status == 0 && fine.output == "\(good.path): 300 events: no problems.\n", "\(fine.errors)")
        let patch = try file("patch.tape", changed(9, #""path":"/n""#, #""path":"/none/n""#))
        let cut = try file("cut.tape", SampleTape.make(20).dropLast(9))
        let result = try CommandProcess.run(["check", patch.path, folder.path + "/none.tape", cut.path])
        #expect(result.status == 1)
        #expect(result.output.contains("\(patch.path): event 7: its patch doesn't apply: "), "\(result.output)")
        #expect(result.output.contains("\(patch.path): 20 events: 1 problem."), "\(result.output)")
        #expect(result.output.contains("none.tape can't be read"))
        #expect(result.output.contains("\(cut.path): 19 events: no problems."))
        #expect(result.errors.contains("\(cut.path) is cut off in line 21"), "\(result.errors)")
    }

    @Test("A range of a tape file is exported with the states before it, in each format")
    func parts() throws {
        let tape = try file("a.tape.gz", Data())
        _ = try file("a.tape", SampleTape.make(300))
        _ = try CommandProcess.gzip(folder.appendingPathComponent("a.tape"))
        let part = try CommandProcess.run(["export", tape.path, "--from", "100", "--to", "109", "-o", "-"])
        let lines = part.output.split(separator: "\n")
        #expect(part.status == 0 && lines.count == 11, "\(part.errors)")
        let header = try Header(JSON(parsing: String(lines[0])))
        #expect(header.from == 100 && header.states == ["main": ["n": 99]])
        let again = try file("part.tape", Data(part.output.utf8))
        #expect(try CommandProcess.run(["check", again.path]).output.hasSuffix("10 events: no problems.\n"))
        let redux = try CommandProcess.run([
            "export", tape.path, "--from", "100", "--to", "109", "--format", "redux-devtools", "-o", "-",
        ])
        let states = try JSON(parsing: redux.output)["computedStates"]?.array
        #expect(states?.count == 11 && states?.last == ["state": ["n": 109]], "\(redux.errors)")
        let named = try CommandProcess.run(["export", tape.path]) { $0.currentDirectoryURL = folder }
        #expect(named.status == 1 && named.errors.contains("a.tape exists already"), "\(named.errors)")
        let store = try CommandProcess.run([
            "export", tape.path, "--format", "redux-devtools", "--store", "none", "-o", "-",
        ])
        let reason = "The tape has no state of store “none” from event 0 on. It has “main”."
        #expect(store.status == 1 && store.errors.contains(reason), "\(store.errors)")
    }
}
