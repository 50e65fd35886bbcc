#if Server
    import Foundation
    #if canImport(FoundationNetworking)
        import FoundationNetworking
    #endif
    import Testing

    @testable import StateTapeCommand

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
                "1.tape: ", "0a.tape can't be read: No such file", "/dev/zero can't be read: it is a device",
                "/no/such can't be read",
            ] {
                #expect(result.errors.contains(text), "\(result.errors)")
            }
            #expect(!result.errors.contains("notes.txt"))
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
#endif
