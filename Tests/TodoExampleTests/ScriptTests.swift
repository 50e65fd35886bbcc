import Testing

@testable import TodoExample

@Suite struct ScriptTests {
    @Test("A script has one command, pause or wait per line; comments and empty lines are skipped")
    func steps() throws {
        let script = try Script(
            parsing: "# first\nadd Buy milk #home\n\n  pause 300ms\npause 1.5s\nsync\nwait-for sync\nloop\n",
            today: saturday)
        #expect(
            script.steps == [
                .command("add Buy milk #home"), .pause(.milliseconds(300)), .pause(.milliseconds(1_500)),
                .command("sync"), .waitForSync, .loop,
            ])
    }

    @Test(
        "An invalid script's error has the line number",
        arguments: [
            ("sync\n\nfoo", "line 3: Unknown command “foo”. Type help to list all commands"),
            ("pause 3", "line 1: Usage: pause 300ms, or pause 1.5s"),
            ("pause -1s", "line 1: Usage: pause 300ms, or pause 1.5s"),
            ("wait-for godot", "line 1: Usage: wait-for sync"),
            ("stay\nsync", "line 2: Commands after stay never run. Remove them"),
            ("sync\nloop", "line 2: A loop needs a pause or wait-for sync in it"),
        ])
    func errors(text: String, message: String) {
        #expect { try Script(parsing: text, today: saturday) } throws: { "\($0)" == message }
    }

    @Test("The demo script has no errors, and leaves the lists unchanged except for shared todos")
    func demo() throws {
        let script = try Script(parsing: Script.demo, today: saturday)
        #expect(script.steps.last == .loop)
        var state = AppState()
        for _ in 1...20 {
            for case .command(let line) in script.steps {
                state = try result(of: line, from: state)
            }
            #expect(state.lists.map(\.name) == ["Inbox", "Work"])
            #expect(state.lists.flatMap(\.todos).count < 12)
        }
    }
}
