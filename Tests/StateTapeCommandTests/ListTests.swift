import Foundation
import TapeFormat
import Testing

@testable import StateTapeCommand

@Suite("What lists", .timeLimit(.minutes(1)))
struct ListTests {
    private func tape(
        _ session: String, started: String = "2026-11-20T10:00:00.000Z", labels: [String: String] = [:]
    ) -> Data {
        let header = Header(session: session, app: .init(id: "com.example.shop"), started: started, labels: labels)
        let line = EventLine(seq: 0, at: 0, kind: .`init`, members: [("state", ["n": 0])])
        return Data(header.json.bytes + [10] + line.bytes + [10])
    }

    private func lines(_ text: String) throws -> [JSON] {
        try text.split(separator: "\n").map { try JSON(parsing: Data($0.utf8)) }
    }

    @Test("sessions are sorted by when they began, or with --sort received by when the server got them")
    func order() throws {
        let server = try ServerProcess()
        let starts = [
            ("SESSION-0001", "2026-11-20T10:00:00.250Z"), ("SESSION-0002", "2026-11-20T10:00:00.5Z"),
            // An hour before the first one.
            ("SESSION-0003", "2026-11-20T10:00:00+01:00"), ("SESSION-0004", "2026-11-20T10:00:00Z"),
            ("SESSION-0005", "2025-01-01T00:00:00.000Z"),
        ]
        for (session, started) in starts {
            let file = server.file("a.tape")
            try tape(session, started: started).write(to: file)
            #expect(try server.run("import", file.path).status == 0)
        }
        func listed(_ arguments: String...) throws -> [String] {
            let table = try CommandProcess.run(["sessions"] + arguments, server: server.url).output
            let json = try CommandProcess.run(["sessions", "--json"] + arguments, server: server.url).output
            let rows = table.split(separator: "\n").dropFirst().map { String($0.prefix(12)) }
            #expect(try lines(json).map { $0["session"]?.string } == rows)
            return rows.map { String($0.suffix(1)) }
        }
        #expect(try listed() == ["2", "1", "4", "3", "5"])
        #expect(try listed("--sort", "started") == ["2", "1", "4", "3", "5"])
        #expect(try listed("--sort", "received") == ["5", "4", "3", "2", "1"])
        #expect(try server.run("sessions").output.contains("  LIVE  EVENTS  STARTED\n"))
        #expect(try server.run("sessions", "--sort", "received").output.contains(" RECEIVED\n"))
    }

    @Test("A session whose start is no date stands where the server received it")
    func undated() {
        let (now, past) = ("2026-11-27T10:00:00.000Z", "2026-11-20T10:00:00.000Z")
        let sessions: [JSON] = [
            ["session": "a", "started": .string(past), "received": .string(now)],
            ["session": "b", "started": "yesterday", "received": .string(now)], ["session": "c"],
        ]
        #expect(Sessions.Order.started.sort(sessions).map { $0["session"]?.string } == ["b", "a", "c"])
    }

    @Test("start-state set says what the next launch does, and how to clear it")
    func sentences() throws {
        let server = try ServerProcess()
        try SampleTape.make(5).write(to: server.file("a.tape"))
        _ = try server.run("import", server.file("a.tape").path)
        let (id, app) = (SampleTape.session, "com.example.todo")
        for (options, sentence) in [
            (
                ["\(id)@2"],
                "Each launch of \(app) on any device starts in the state after event 2 of session \(id)."
            ),
            (
                [String(id.prefix(12)), "--replay", "--once"],
                "The next launch of \(app) on any device replays the actions up to event 4 of session \(id)."
            ),
            (
                [id, "--latest", "--label", "scheme=qa"],
                "Each launch of \(app) on any device with the labels scheme=qa starts in the last state of the"
                    + " launch before."
            ),
        ] {
            let result = try CommandProcess.run(["start-state", "set"] + options, server: server.url)
            let start = sentence + " `statetape start-state clear "
            #expect(result.output.hasPrefix(start) && result.output.hasSuffix("` clears this.\n"), "\(result)")
            let id = String(result.output.dropFirst(start.count).prefix { $0 != "`" })
            #expect(try server.run("start-state", "clear", id).output == "Cleared 1 launch state.\n")
            let json = try CommandProcess.run(["start-state", "set", "--json"] + options, server: server.url)
            let again = try #require(try lines(json.output).first?["id"]?.string)
            #expect(try server.run("start-state", "clear", again).output == "Cleared 1 launch state.\n")
        }
        #expect(
            StartStateCommand.Set.sentence(
                ["app": "a", "device": "d1", "mode": "latest", "id": "x"], ["device": ["name": "Ana's phone"]]
            ).hasPrefix("Each launch of a on the device Ana's phone starts in the last state"))
    }

    @Test("start-state set without an event says which it took if the last one has no state")
    func lastState() throws {
        let server = try ServerProcess()
        let end = [EventLine(seq: 3, at: 3, kind: .detach), EventLine(seq: 4, at: 4, kind: .end)]
        try (SampleTape.make(3) + Data(end.flatMap { $0.bytes + [10] })).write(to: server.file("a.tape"))
        #expect(try server.run("import", server.file("a.tape").path).status == 0)
        for options in [[], ["--replay"]] {
            let set = try CommandProcess.run(
                ["start-state", "set", SampleTape.session] + options, server: server.url)
            #expect(set.status == 0 && set.output.contains(" event 2 of session "), "\(set)")
            #expect(set.errors == "Event 4, the session's last, has no state: event 2 was taken.\n")
            #expect(try server.run("start-state", "clear", "--all").status == 0)
        }
        #expect(try server.run("start-state", "set", SampleTape.session + "@2").errors == "")
        let refused = try server.run("start-state", "set", SampleTape.session + "@3")
        #expect(refused.errors.contains("No state is known after event 3: event 2 has one."), "\(refused)")
    }

    @Test("start-state set says which launch state it replaces: that of the same app, device and labels")
    func replaced() throws {
        let server = try ServerProcess()
        try SampleTape.make(5).write(to: server.file("a.tape"))
        #expect(try server.run("import", server.file("a.tape").path).status == 0)
        let id = SampleTape.session
        for (options, said) in [
            (["\(id)@2"], ""), (["\(id)@1", "--label", "scheme=qa"], "No session of"),
            (["\(id)@3"], "This replaced the one set at event 2 of session \(id).\n"),
            ([id, "--latest"], "This replaced the one set at event 3 of session \(id).\n"),
            (["\(id)@1"], "This replaced the one set with --latest.\n"),
        ] {
            let set = try CommandProcess.run(["start-state", "set"] + options, server: server.url)
            #expect(set.status == 0 && (set.errors == said || said.hasPrefix("No")), "\(set)")
            #expect(set.errors.contains("replaced") == said.contains("replaced"))
        }
    }

    @Test("start-state names devices as sessions does")
    func devices() throws {
        let server = try ServerProcess()
        for (number, name) in ["Ana's phone", nil].enumerated() {
            let header = Header(
                session: "SESSION-000\(number)", app: .init(id: "com.example.shop"),
                device: .init(id: "device-\(number)", name: name), started: "2026-11-20T10:00:00.000Z")
            let line = EventLine(seq: 0, at: 0, kind: .`init`, members: [("state", ["n": 0])])
            try Data(header.json.bytes + [10] + line.bytes + [10]).write(to: server.file("a.tape"))
            #expect(try server.run("import", server.file("a.tape").path).status == 0)
            #expect(try server.run("start-state", "set", header.session).status == 0)
        }
        #expect(try server.run("start-state", "set", "SESSION-0000", "--all-devices").status == 0)
        let title = try #require(try server.run("start-state").output.split(separator: "\n").first)
        let column = title.distance(from: title.startIndex, to: try #require(title.range(of: "DEVICE")).lowerBound)
        let rows = try server.run("start-state").output.split(separator: "\n").dropFirst()
        let devices = rows.map { String($0.dropFirst(column).prefix(12)).trimmingCharacters(in: .whitespaces) }
        #expect(devices.sorted() == ["Ana's phone", "all", "device-1"], "\(rows)")
        #expect(try server.run("start-state", "--json").output.contains(#""device":"device-0""#))
    }

    @Test("An unknown session, launch state or label brings what is near to it")
    func suggestions() throws {
        let server = try ServerProcess()
        let file = server.file("a.tape")
        try tape("SESSION-0001", labels: ["branch": "main"]).write(to: file)
        _ = try server.run("import", file.path)
        let set = try server.run("start-state", "set", "SESSION-0001", "--label", "branch=mian", "--json")
        #expect(
            set.errors == "No session of com.example.shop has the label branch=mian. Did you mean branch=main?\n")
        #expect(try server.run("start-state", "set", "SESSION-0001", "--label", "branch=main").errors == "")
        #expect(try server.run("start-state", "set", "SESSION-0001", "--label", "beta=yes").errors == "")
        let id = try #require(try lines(set.output).first?["id"]?.string)
        let state = try server.run("start-state", "clear", String(id.dropLast()) + "?")
        #expect(
            state.status == 1 && state.errors.hasSuffix("lists the ids. Did you mean \(id)?\n"), "\(state.errors)")
        // `move` needs a folder that no server uses.
        try FileManager.default.copyItem(at: server.file("data"), to: server.file("copy"))
        let move = ["move", "--from", server.file("copy").path, "--to", server.file("new").path, "--session"]
        for arguments in [
            ["export"], ["push", "--seq", "0"], ["start-state", "set"], ["diff", "SESSION-0001"], move,
        ] {
            let near = try CommandProcess.run(arguments + ["SESSION-0010"], server: server.url)
            #expect(
                near.status != 0 && near.errors.contains(" Did you mean SESSION-0001?"),
                "\(arguments): \(near.errors)")
            let far = try CommandProcess.run(arguments + ["01JD3M8Q5R7V2X"], server: server.url)
            #expect(far.status != 0 && !far.errors.contains("Did you mean"), "\(arguments): \(far.errors)")
        }
    }

    @Test("import, verify, check and prune print JSON, too")
    func json() throws {
        let server = try ServerProcess()
        try tape("SESSION-0001").write(to: server.file("a.tape"))
        try Data("x".utf8).write(to: server.file("b.tape"))
        let (good, bad) = (server.file("a.tape").path, server.file("b.tape").path)
        let imported = try lines(server.run("import", good, "--json").output)
        #expect(imported.count == 1 && imported[0]["file"]?.string == good && imported[0]["added"]?.int == 1)
        for command in ["verify", "check"] {
            let result = try server.run(command, good, bad, "--json")
            let files = try lines(result.output)
            #expect(result.status == 1 && files.map { $0["file"]?.string } == [good, bad], "\(result.errors)")
            #expect(files[0]["events"]?.int == 1 && files[0]["problems"] == [])
            #expect(files[1]["problems"]?.array?.count == 1)
        }
        let archive = try lines(server.run("check", "--data", server.file("data").path, "--json").output)
        #expect(archive == [["sessions": 1, "events": 1, "problems": []]])
        let plan = try lines(server.run("prune", "--max-size", "1B", "--dry-run", "--all", "--json").output)
        #expect(plan.count == 1 && plan[0]["sessions"]?.array?.count == 1, "\(plan)")
        let pruned = try lines(server.run("prune", "--max-size", "1B", "--yes", "--all", "--json").output)
        #expect(pruned.count == 1 && pruned[0]["sessions"]?[0]?["session"]?.string == "SESSION-0001")
        #expect(try server.run("prune", "--max-size", "1B", "--json").status == 64)
    }
}
