import Testing

@testable import TodoExample

@Suite struct ScriptTests {
    @Test("A script is commands, pauses and waits, a line each; comments and empty lines are left out")
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
        "What is wrong is named with its line",
        arguments: [
            ("sync\n\nfoo", "line 3: There is no command “foo”. Type help for all that there are"),
            ("pause 3", "line 1: Type it like this: pause 300ms, or pause 1.5s"),
            ("pause -1s", "line 1: Type it like this: pause 300ms, or pause 1.5s"),
            ("wait-for godot", "line 1: Type it like this: wait-for sync"),
            ("stay\nsync", "line 2: Nothing is run after stay"),
            ("sync\nloop", "line 2: A loop needs a pause or wait-for sync in it"),
        ])
    func errors(text: String, message: String) {
        #expect { try Script(parsing: text, today: saturday) } throws: { "\($0)" == message }
    }

    @Test("The demo runs to its end without a complaint, and leaves the lists as they were but for what is shared")
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
