import Foundation
import Testing

@Suite("The way out of an error", .timeLimit(.minutes(1)))
struct RemedyTests {
    @Test("An error that a first attempt meets says what to do")
    func sentences() throws {
        let (folder, server) = (try TestFolder(), try ServerProcess())
        let session = try folder.write("session.tape", SampleTape.make(5))
        let header = SampleTape.make(0, session: "01JD3M8Q5R7V2X9B4N6T0KZYWF")
        let note = Data(#"{"seq":0,"at":0,"event":"note","text":"begun"}"#.utf8) + [10]
        let noState = try folder.write("no-state.tape", header + note)
        #expect(try server.run("import", session, noState).status == 0)
        let cases: [(command: [String], status: Int32, sentence: String)] = [
            (["sesions"], 64, "There is no command “sesions”. Did you mean sessions?"),
            (["help", "exort"], 64, "There is no command “exort”. Did you mean export?"),
            (["none"], 64, "There is no command “none”.\nSee 'statetape --help'"),
            (["check", "--data", folder.path("none")], 1, "name a server's data folder."),
            (["move", "--from", folder.path("none"), "--to", folder.path("to")], 1, "There is no archive in"),
            (
                ["serve", "--listen", "127.0.0.1:\(server.port)", "--data", folder.path("other")], 1,
                "already in use. Stop the program that listens there, or choose another port with --listen."
            ),
            (
                ["serve", "--listen", "127.0.0.1:0", "--data", server.file("data").path], 1,
                "another port with --listen 127.0.0.1:0."
            ),
            (
                ["start-state", "set", "01JD3M8Q5R7V2X9B4N6T0KZYWF"], 1,
                "No event of this session has a known state."
            ),
            (
                ["start-state", "set", "01JD3M8Q5R7V2X9B4N6T0KZYWF@0"], 1,
                "No state is known after event 0: no event before it has one."
            ),
            (["export", "ZZZZZZZZZZZZ"], 1, "doesn't exist. `statetape sessions` lists them."),
            (["export", "01JD3"], 1, "01JD3 is no file, and a session needs at least the first ten characters"),
            (["diff", "01JD3", SampleTape.session], 2, "01JD3 is no file, and a session needs at least the first ten"),
            (
                ["start-state", "set", "01JD3"], 1,
                "“01JD3” is too short: a session needs at least the first ten characters of its id. Did you mean 01JD3M8Q5R"
            ),
            (["push", "zz", "--seq", "1"], 1, "first ten characters of its id. `statetape sessions` lists them."),
            (["export", server.file("data").path], 1, "data folder of a server, not a tape: `statetape check --data "),
            (["export", SampleTape.session, "--from", "5"], 1, "--from 5 is beyond the tape's last event, 4."),
            (["init", folder.path("none")], 1, "Error: There is no folder "),
            (["start-state", "clear", "none"], 1, "`statetape start-state` lists the ids."),
            (
                ["start-state", "set", "\(SampleTape.session)@99"], 1,
                "The session has no event 99: its last is event 4."
            ),
            (
                ["run", "--", "swift", "run", "--package-path", folder.path("none"), "App"], 64,
                "There is no Package.swift in \(folder.path("none")): change to the folder of the package"
            ),
        ]
        for (command, status, sentence) in cases {
            let result = try CommandProcess.run(command, server: server.url)
            #expect(result.status == status && result.errors.contains(sentence), "\(command): \(result)")
        }
        let guarded = try ServerProcess("--token", "control=s3cret-token")
        for (command, sentence) in [
            ("sessions", "The server has no sessions."), ("start-state", "No launch state is set."),
        ] {
            let list = [command, "--token", "s3cret-token"]
            let empty = try CommandProcess.run(list, server: guarded.url)
            #expect(empty.status == 0 && empty.errors == sentence + "\n", "\(empty)")
            #expect(try CommandProcess.run(list + ["--json"], server: guarded.url).errors == "", "\(command)")
        }
        for token in [[], ["--token", "another-token"]] {
            let refused = try CommandProcess.run(["sessions"] + token, server: guarded.url)
            #expect(
                refused.errors.contains("Pass the URL that the server printed with --server, or its token with --token")
            )
        }
        // Names of commands stay usable.
        for command in [["help", "start-state", "set"], ["help"], ["--help"], ["start-state", "set", "--help"]] {
            #expect(try CommandProcess.run(command).status == 0, "\(command)")
        }
    }
}
