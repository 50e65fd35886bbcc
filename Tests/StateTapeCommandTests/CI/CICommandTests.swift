import Foundation
import Testing

@testable import StateTapeCommand

@Suite("The command that ci runs", .timeLimit(.minutes(1)))
struct CICommandTests {
    private let scene: CIScene

    init() throws {
        scene = try CIScene()
    }

    @Test("Its exit code is passed on, and 128 + n after signal n", arguments: [0, 1, 3, 255])
    func exitCode(_ code: Int32) throws {
        let result = try scene.run(script: "exit \(code)")
        #expect(result.status == code, "\(result.errors)")
        let failed = "The command failed with \(code), but no failing test left a tape: @Suite(.taped) keeps one."
        let text = code == 0 ? "No test failed." : failed
        #expect(result.errors == "statetape: \(text) See ./statetape-ci/index.html\n")
        #expect(try scene.index.contains(text))
        #expect(try scene.run(script: "kill -KILL $$").status == 137)
    }

    @Test("Its exit code is passed on although the parent of ci ignores ended children")
    func ignoredChildren() throws {
        let command = "trap '' CHLD; exec \"$0\" ci -- /bin/sh -c 'exit 3'"
        let result = try CommandProcess.run(["-c", command, CommandProcess.executable.path]) { process in
            process.executableURL = URL(fileURLWithPath: "/bin/bash")
            process.currentDirectoryURL = scene.folder.url
        }
        #expect(result.status == 3, "\(result.errors)")
    }

    @Test(
        "What tests leave in the recorders' folder goes with it, but nothing outside of it",
        arguments: [
            "mkdir -p $d/x/y", "mkfifo $d/x", "ln -s $PWD/kept $d/x", "ln -s nowhere $d/x", "echo x > $d/notes.txt",
            "mkdir $d/x.tape", "ln -s $PWD/kept/file $d/x.tape", "mkdir $d/x && chmod 500 $d/x",
        ])
    func leftovers(_ script: String) throws {
        try scene.folder.write("kept/file", Data("x".utf8))
        let result = try scene.run(script: "d=$(dirname \"$STATETAPE_FILE\"); \(script)")
        #expect(result.status == 0, "\(result.errors)")
        #expect(try scene.folder.names("statetape-ci") == [".statetape-ci", "index.html"])
        #expect(try scene.folder.text("kept/file") == "x")
    }

    @Test("A command that can't be started exits with 127, a missing one with 64")
    func missing() throws {
        try scene.folder.write("plain.txt", Data("x".utf8))
        for (command, reason) in [
            ("/no/such", "“/no/such” can't be started: No such file or directory"),
            ("./plain.txt", "“./plain.txt” can't be started: Permission denied"),
        ] {
            let result = try CommandProcess.run(["ci", "--", command]) { $0.currentDirectoryURL = scene.folder.url }
            #expect(result.status == 127 && result.errors.contains(reason), "\(result.errors)")
        }
        for arguments in [["ci"], ["ci", "--"], ["ci", "swift", "test"], ["ci", "--", ""]] {
            let result = try CommandProcess.run(arguments) { $0.currentDirectoryURL = scene.folder.url }
            #expect(result.status == 64, "\(arguments): \(result.errors)")
        }
    }

    @Test("It has the standard input and output of ci, and its arguments unchanged")
    func streams() throws {
        let result = try scene.run(script: "cat; echo problem >&2", input: Data("in\n".utf8))
        #expect(result.output == "in\n")
        #expect(result.errors.hasPrefix("problem\n"))
        let echoed = try CommandProcess.run(["ci", "--", "printf", "%s|", "--junit", "a b", "--", ""]) {
            $0.currentDirectoryURL = scene.folder.url
        }
        #expect(echoed.output == "--junit|a b|--||", "\(echoed.errors)")
    }

    @Test("SIGTERM and SIGINT are forwarded", arguments: [SIGTERM, SIGINT])
    func signals(_ number: Int32) async throws {
        // Without a process of its own, which could miss the shell's signal and keep the output open.
        try scene.folder.write("run.sh", Data("trap 'exit 7' TERM INT\necho ready\nwhile :; do :; done\n".utf8))
        let process = Process()
        process.executableURL = CommandProcess.executable
        process.arguments = ["ci", "--", "/bin/sh", "run.sh"]
        process.currentDirectoryURL = scene.folder.url
        let output = Pipe()
        process.standardOutput = output
        process.standardError = FileHandle.nullDevice
        let ended = AsyncStream<Void> { stream in
            process.terminationHandler = { _ in stream.finish() }
        }
        try process.run()
        #expect(try output.fileHandleForReading.read(upToCount: 6) == Data("ready\n".utf8))
        kill(process.processIdentifier, number)
        for await _ in ended {}
        #expect(process.terminationStatus == 7)
        #expect(try scene.output() == ["index.html"])
    }

    @Test("Its environment leads recorders to the private server and to files, with labels")
    func environment() throws {
        let result = try scene.run(
            ["--keep-passing"], script: "env | grep STATETAPE_ | sort",
            environment: [
                "GITHUB_REF_NAME": "12/merge", "GITHUB_HEAD_REF": "feature,1", "GITHUB_SHA": "abc",
                "STATETAPE_LABELS": "team=shop,commit=own",
                "GITHUB_SERVER_URL": "https://github.com", "GITHUB_REPOSITORY": "a/b", "GITHUB_RUN_ID": "9",
            ])
        var variables: [String: String] = [:]
        for line in result.output.split(separator: "\n") {
            let parts = line.split(separator: "=", maxSplits: 1)
            if parts.count == 2 { variables[String(parts[0])] = String(parts[1]) }
        }
        #expect(variables["STATETAPE_URL"]?.hasPrefix("http://127.0.0.1:") == true, "\(result.output)")
        #expect(variables["STATETAPE_TOKEN"]?.count == 32)
        #expect(variables["STATETAPE_KEEP"] == "1")
        #expect(variables["STATETAPE_FILE"]?.hasSuffix("/%s.tape") == true)
        #expect(variables["STATETAPE_FILE"]?.hasPrefix("/") == true)
        #expect(
            variables["STATETAPE_LABELS"]
                == "team=shop,commit=own,ci=true,branch=feature-1,run=https://github.com/a/b/actions/runs/9")
        for name in ["URL", "TOKEN", "FILE", "LABELS", "KEEP"] {
            for prefix in ["TEST_RUNNER_", "SIMCTL_CHILD_"] {
                #expect(variables["\(prefix)STATETAPE_\(name)"] == variables["STATETAPE_\(name)"])
            }
        }
    }

    @Test("It gets no descriptors of the server")
    func descriptors() throws {
        let count = "ls /proc/self/fd | wc -l"
        let plain = try CommandProcess.run(["-c", count]) { $0.executableURL = URL(fileURLWithPath: "/bin/sh") }
        #expect(try scene.run(script: count).output == plain.output)
    }
}
