import Foundation
import Testing

@testable import StateTapeCommand

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

@Suite("Import and export", .timeLimit(.minutes(1)))
struct ImportTests {
    private static let id = SampleTape.session

    private static func tape(_ count: Int) -> Data { SampleTape.make(count) }

    /// The lines after the header.
    private static func events(_ tape: Data) -> String {
        String(decoding: tape.drop { $0 != 10 }, as: UTF8.self)
    }

    @Test("A tape file is exported as HTML without a server; another file is rejected")
    func page() throws {
        let folder = try TestFolder()
        let tape = try folder.write("a.tape", Self.tape(20))
        let text = try folder.write("b.txt", Data("no tape".utf8))
        let web = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
            .appendingPathComponent("../../web").standardizedFileURL.path
        let target = folder.path("a.html")
        let made = try CommandProcess.run([
            "export", tape, "--format", "html", "--web", web, "-o", target,
        ])
        #expect(made.status == 0 && made.output.hasPrefix("Wrote \(target), "), "\(made.errors)")
        #expect(try String(contentsOfFile: target, encoding: .utf8).contains("data-name=\"a.tape\""))
        let refused = try CommandProcess.run(["export", text, "--format", "html", "--web", web, "-o", target])
        #expect(refused.status == 1 && refused.errors.contains("is neither a tape nor an export"))
    }

    @Test("An imported tape is exported unchanged, plain and gzipped, and as a Redux DevTools file")
    func endToEnd() throws {
        let server = try ServerProcess()
        let tape = Self.tape(2_000)
        try tape.write(to: server.file("a.tape"))
        let new = try server.run("import", server.file("a.tape").path, "--label", "branch=a b&c")
        #expect(new.status == 0 && new.output == "\(Self.id) 2000 new events\n", "\(new.errors)")
        #expect(new.errors == "")
        let known = try CommandProcess.run(["import", "-"], server: server.url, input: tape)
        #expect(known.output == "\(Self.id) 0 new events\n")
        #expect(try server.run("sessions", "--json").output.contains(#""labels":{"branch":"a b&c"}"#))

        let packed = server.file("b.tape.gz")
        #expect(try server.run("export", Self.id, "-o", packed.path).status == 0)
        #expect(try Data(contentsOf: packed).starts(with: [0x1f, 0x8b]))
        let other = try ServerProcess()
        #expect(try other.run("import", packed.path).output == "\(Self.id) 2000 new events\n")
        #expect(try other.run("export", Self.id, "-o", "-").output.hasSuffix(Self.events(tape)))

        let redux = server.file("c.json")
        #expect(
            try server.run("export", Self.id, "--format", "redux-devtools", "--to", "9", "-o", redux.path).status
                == 0)
        #expect(try other.run("import", redux.path).output.hasSuffix(" 10 new events\n"))
    }

    @Test("An upload resumes after a lost connection")
    func resumed() throws {
        let server = try ServerProcess()
        // The server lists an uploaded session only after the end of the upload.
        let metrics = try #require(URL(string: server.url + "metrics"))
        let relay = try CuttingRelay(to: server.port, cutAfter: 3 << 20) {
            let text = (try? Data(contentsOf: metrics)).map { String(decoding: $0, as: UTF8.self) } ?? ""
            let line = text.split(separator: "\n").first { $0.hasPrefix("statetape_events_committed_total ") }
            return line.map { !$0.hasSuffix(" 0") } ?? false
        }
        let tape = Self.tape(60_000)
        #expect(tape.count > 5 << 20)
        try tape.write(to: server.file("a.tape"))
        let result = try CommandProcess.run(
            ["import", server.file("a.tape").path], server: "http://127.0.0.1:\(relay.port)/")
        #expect(result.status == 0, "\(result.errors)")
        #expect(result.errors.contains("The connection was lost"))
        // The second connection added only some: the relay cut the first one after the server had stored the others.
        let added = result.output.split(separator: " ").dropFirst().first.flatMap { Int($0) } ?? 0
        #expect(0 < added && added < 60_000)
        let isWhole = try server.run("export", Self.id, "-o", "-").output.hasSuffix(Self.events(tape))
        #expect(isWhole)
    }

    @Test("import reports a rejected file, a missing file and an unreachable server")
    func errors() throws {
        let server = try ServerProcess()
        let bad = server.file("bad.tape")
        try (Self.tape(3) + Data("{}\n".utf8)).write(to: bad)
        let result = try server.run("import", bad.path)
        #expect(result.status == 1 && result.errors.contains("Line 5: member “seq”"), "\(result.errors)")
        let absent = try server.run("import", "/no/such.tape")
        #expect(absent.status == 1 && absent.errors.contains("/no/such.tape can't be read: No such file"))
        let unreachable = try CommandProcess.run(["import", bad.path], server: "http://127.0.0.1:1/")
        #expect(unreachable.status == 1)
        #expect(unreachable.errors.contains("Can't reach the server at http://127.0.0.1:1"))
    }

    @Test("import of what isn't a tape names the file, says what is wrong with it, and how a tape is made")
    func foreign() throws {
        let server = try ServerProcess()
        let folder = try TestFolder()
        let tape = Self.tape(3)
        let neither = " is neither a tape nor an export of the Redux DevTools: "
        let (made, headless) = ("To make a tape, run an app with STATETAPE_FILE=", "line 1 is not a tape's header.")
        func packed(_ text: String) throws -> Data {
            let file = URL(fileURLWithPath: try folder.write("packed", Data(text.utf8)))
            return try Data(contentsOf: CommandProcess.gzip(file))
        }
        let files: [(name: String, content: Data, reason: String)] = [
            ("empty.tape", Data(), neither + "it is empty."),
            ("photo.png", Data(0x80...0xff), neither + headless),
            ("list.json", Data("[1,2]\n".utf8), neither + headless),
            ("report.xml", Data("<?xml version=\"1.0\"?>\n<testsuites/>\n".utf8), neither + headless),
            ("note.gz", try packed("hello\n"), neither + headless),
            ("object.tape.gz", try packed("{\"a\":1}\n"), neither + headless),
            ("lines.json", Data("{\"a\":1}\n{\"a\":2}\n".utf8), neither + "text after the end of the JSON value"),
            ("cut.tape", tape.prefix(40), " ends in its first line, which is the header of a tape."),
            (
                "cut.tape.gz", try packed(String(decoding: tape, as: UTF8.self)).prefix(30),
                " ends in its first line."
            ),
        ]
        for (name, content, reason) in files {
            let path = try folder.write(name, content)
            let result = try server.run("import", path)
            #expect(
                result.status == 1 && result.errors.hasPrefix("Error: \(path)")
                    && result.errors.contains(reason) && result.errors.contains(made)
                    && !result.errors.contains("refused"), "\(result.errors)")
            let piped = try CommandProcess.run(["import", "-"], server: server.url, input: content)
            #expect(piped.status == 1 && piped.errors.hasPrefix("Error: standard input"), "\(piped.errors)")
        }
        let other = try TestFolder()
        let empty = try server.run("import", other.url.path)
        #expect(
            empty.status == 1 && empty.errors.contains(other.url.path) && empty.errors.contains(made),
            "\(empty.errors)")
        // A tape whose end is missing is imported up to there.
        let cut = try server.run("import", try folder.write("half.tape", tape.dropLast(5)))
        #expect(cut.status == 0 && cut.errors.contains("half.tape is cut off in line 4"), "\(cut)")
    }

    @Test("import of a folder sends its tapes, reports the files that fail and sends the others")
    func folders() throws {
        let server = try ServerProcess()
        let folder = server.file("tapes")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        let empty = try server.run("import", folder.path)
        #expect(empty.status == 1 && empty.errors.contains("has no file that ends in .tape"), "\(empty.errors)")
        for number in 0..<3 {
            try SampleTape.make(5, session: "SESSION-000\(number)").write(
                to: folder.appendingPathComponent("\(number).tape"))
        }
        try Data("no tape".utf8).write(to: folder.appendingPathComponent("1.tape"))
        try Data("no tape".utf8).write(to: folder.appendingPathComponent("notes.txt"))
        try FileManager.default.createSymbolicLink(
            atPath: folder.appendingPathComponent("0a.tape").path, withDestinationPath: "/no/such/tape")
        try FileManager.default.createDirectory(
            at: folder.appendingPathComponent("9.tape"), withIntermediateDirectories: true)
        let result = try server.run("import", folder.path, "/dev/zero", "/no/such")
        #expect(result.status == 1)
        #expect(result.output == "SESSION-0000 5 new events\nSESSION-0002 5 new events\n")
        #expect(!result.errors.contains("9.tape"), "\(result.errors)")
        for text in [
            "1.tape is neither a tape", "0a.tape can't be read: No such file",
            "/dev/zero can't be read: it is a device",
            "/no/such can't be read",
        ] {
            #expect(result.errors.contains(text), "\(result.errors)")
        }
        #expect(!result.errors.contains("notes.txt"))
    }

    @Test("import of a folder leaves out the Redux DevTools file of a tape that is there, too, and says so")
    func exported() throws {
        let (server, folder) = (try ServerProcess(), try TestFolder())
        let tape = try folder.write("a.tape", SampleTape.make(5))
        for name in ["a.redux.json", "b.redux.json"] {
            let export = ["export", tape, "--format", "redux-devtools", "-o", folder.path(name)]
            #expect(try CommandProcess.run(export).status == 0)
        }
        let result = try server.run("import", folder.url.path)
        #expect(result.status == 0 && result.output.split(separator: "\n").count == 2, "\(result)")
        #expect(result.errors.contains("a.redux.json was skipped: the tape of that name has the same events."))
        #expect(!result.errors.contains("b.redux.json"), "\(result)")
        // A file that is named is imported.
        #expect(try server.run("import", folder.path("a.redux.json")).output.contains("new events"))
    }

    @Test("import reads a named pipe")
    func pipe() throws {
        let server = try ServerProcess()
        let pipe = server.file("pipe").path
        #expect(mkfifo(pipe, 0o600) == 0)
        let writer = Thread { try? FileHandle(forWritingAtPath: pipe)?.write(contentsOf: Self.tape(7)) }
        writer.start()
        #expect(try server.run("import", pipe).output == "\(Self.id) 7 new events\n")
    }

    @Test("import rejects two tapes in one file")
    func two() throws {
        let server = try ServerProcess()
        try (Self.tape(3) + Self.tape(3)).write(to: server.file("two.tape"))
        let result = try server.run("import", server.file("two.tape").path)
        #expect(
            result.status == 1 && result.errors.contains("Line 5: another tape begins there"), "\(result.errors)")
    }

    @Test("A label has a key and a value")
    func labels() {
        #expect(Label(argument: "a=b=c")?.query == "label=a%3Ab%3Dc")
        #expect(Label(argument: "a") == nil)
        #expect(Label(argument: "=a") == nil)
    }
}
