#if os(Linux)
    import Foundation
    import Testing

    /// A process that its parent started with less than usual.
    @Suite("Commands with few descriptors, a small stack or closed streams", .timeLimit(.minutes(2)))
    struct SmallProcessTests {
        /// Runs a command after a line of a shell.
        private func run(_ command: [String], _ server: String, after line: String) throws -> CommandProcess.Result {
            try CommandProcess.run(["-c", line, CommandProcess.executable.path] + command, server: server) { process in
                process.executableURL = URL(fileURLWithPath: "/bin/sh")
                process.environment?["SWIFT_BACKTRACE"] = "enable=no"
            }
        }

        /// A command of each kind, which works.
        private func commands(_ folder: TestFolder, _ server: ServerProcess) throws -> [[String]] {
            let tape = try folder.write("good.tape", SampleTape.make(5))
            #expect(try server.run("import", tape).status == 0)
            try? FileManager.default.copyItem(at: server.file("data"), to: server.file("copy"))
            let (copy, session) = (server.file("copy").path, SampleTape.session)
            return [
                ["verify", tape], ["check", tape], ["check", "--data", copy], ["sessions"], ["import", tape],
                ["diff", tape, session], ["export", session, "-o", folder.path("out.tape")], ["start-state"],
                ["export", tape, "-o", folder.path("out.html"), "--format", "html"],
                ["prune", "--keep-days", "100000", "--yes"],
                ["repair", "--data", copy, "--to", folder.path("repaired")],
                ["move", "--from", copy, "--to", folder.path("moved")],
                ["ci", "--output", folder.path("ci"), "--", "true"],
            ]
        }

        private func reset(_ folder: TestFolder) {
            for name in ["out.tape", "out.html", "repaired", "moved"] {
                try? FileManager.default.removeItem(atPath: folder.path(name))
            }
        }

        @Test("Too little ends a command with the limit and the way out; just enough is enough")
        func limits() throws {
            let (folder, server) = (try TestFolder(), try ServerProcess())
            for command in try commands(folder, server) {
                let few = [4, 5, 6, 8, 12, 16, 20, 34].map { ("ulimit -n \($0)", "ulimit -n 1024") }
                for (line, sentence) in few + [64, 256].map({ ("ulimit -s \($0)", "ulimit -s 8192") }) {
                    let result = try run(command, server.url, after: "\(line); exec \"$0\" \"$@\"")
                    #expect(
                        result.status == (command[0] == "diff" ? 2 : 1) && result.errors.contains(sentence)
                            && result.errors.split(separator: "\n").count == 1, "\(line) \(command): \(result)")
                }
                for line in ["ulimit -n \(command[0] == "ci" ? 80 : 48)", "ulimit -s 512"] {
                    reset(folder)
                    let result = try run(command, server.url, after: "\(line); exec \"$0\" \"$@\"")
                    #expect(result.status == 0, "\(line) \(command): \(result)")
                }
            }
            for command in [["serve", "--data", folder.path("d")], ["demo"], ["run", "--", "swift", "run", "x"]] {
                for count in [4, 6, 20, 34] {
                    let result = try run(command, server.url, after: "ulimit -n \(count); exec \"$0\" \"$@\"")
                    #expect(
                        result.status == 1 && result.errors.contains("ulimit -n 1024"), "\(count) \(command): \(result)"
                    )
                }
            }
            #expect(!FileManager.default.fileExists(atPath: folder.path("d")))
        }

        @Test("A command whose standard streams are closed does its work, and writes its text nowhere else")
        func closed() throws {
            let (folder, server) = (try TestFolder(), try ServerProcess())
            func made() -> [Data?] {
                ["out.tape", "out.html"].map { FileManager.default.contents(atPath: folder.path($0)) }
            }
            for command in try commands(folder, server) {
                reset(folder)
                #expect(try run(command, server.url, after: "exec \"$0\" \"$@\"").status == 0, "\(command)")
                let files = made()
                for closed in ["<&-", ">&-", "2>&-", "<&- >&-", "<&- >&- 2>&-"] {
                    reset(folder)
                    let result = try run(command, server.url, after: "exec \"$0\" \"$@\" \(closed)")
                    #expect(result.status == 0 && made() == files, "\(command) \(closed): \(result)")
                    #expect(!result.errors.contains("can't be written"), "\(command) \(closed): \(result)")
                }
            }
            let events = try run(
                ["export", SampleTape.session, "-o", "-"], server.url, after: "exec \"$0\" \"$@\" 2>&- <&-")
            #expect(events.output.split(separator: "\n").count == 6)
        }
    }
#endif
