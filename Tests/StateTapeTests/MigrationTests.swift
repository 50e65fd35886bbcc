#if os(Linux)
    import TapeFormat
    import Testing

    @testable import StateTape

    @MainActor @Suite("States of older builds", .timeLimit(.minutes(1)))
    struct MigrationTests {
        private func patched(_ text: String, _ patch: (JSON) -> Patch) throws -> JSON {
            let state = try JSON(parsing: text)
            return try patch(state).applied(to: state)
        }

        private func pointer(_ text: String) throws -> Pointer { try Pointer(parsing: text) }

        @Test("A renamed member keeps its value, in each element too")
        func renamed() throws {
            let (old, new) = (try pointer("/items/*/qty"), try pointer("/items/*/amount/value"))
            let state = try patched(#"{"items":[{"qty":1},{"amount":{"value":2},"qty":3},{}]}"#) {
                Patch.renaming(old, to: new, in: $0)
            }
            #expect(
                try state == JSON(parsing: #"{"items":[{"amount":{"value":1}},{"amount":{"value":2},"qty":3},{}]}"#))
        }

        @Test("An added member takes its value where the state lacks it")
        func added() throws {
            let path = try pointer("/items/*/quantity")
            let state = try patched(#"{"items":[{"quantity":5},{}, 3],"more":1}"#) {
                Patch.adding(1, at: path, in: $0)
            }
            #expect(try state == JSON(parsing: #"{"items":[{"quantity":5},{"quantity":1},3],"more":1}"#))
        }

        @Test("An app's changes apply to the pushed states of its store, in order")
        func pushed() async throws {
            let server = try TestServer()
            let tape = Recorder(.test(url: server.url, launch: Launch(environment: [:])) { _ in })
            tape.renamed("/number", to: "/amount")
            tape.renamed("/amount", to: "/count")
            tape.renamed("/title", to: "/filter", store: "other")
            tape.added("/todos/*/done", true)
            let store = MainStore(tape)
            store.connect()
            await server.wait(forEvents: 1)
            let pushed = await server.push("p", .state(["number": 4, "todos": [["title": "a"]], "title": "b"]))
            #expect(pushed == .played(seq: 1, Adjustments(filled: ["/filter"], ignored: ["/title"])))
            #expect(store.state.count == 4 && store.state.todos == [Todo(title: "a", done: true)])
        }

        @Test(
            "A place that is no pointer, or a “*” outside of the shared part, has no effect and is logged",
            arguments: [("count", "/b"), ("", "/b"), ("/a/*", "/b"), ("/a", "/b/*"), ("/a", "/a/b")])
        func malformed(old: String, new: String) {
            let logged = Locked<[String]>([])
            let tape = Recorder(
                .test(launch: Launch(environment: [:])) { text in
                    logged.withLock { $0.append(text) }
                })
            tape.renamed(old, to: new)
            #expect(logged.withLock { $0 }.contains { $0.contains("has no effect") })
            #expect(tape.migrations.migrate(["a": 1], of: "main") == ["a": 1])
        }
    }
#endif
