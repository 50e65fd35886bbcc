#if os(Linux)
    import StateTape
    import TapeFormat
    import Testing

    @Suite("A store that is an actor", .timeLimit(.minutes(1)))
    struct TapedActorTests {
        @Test("Nothing retains it, and its name is free again")
        func released() async throws {
            let server = try TestServer()
            let tape = Recorder(.test(url: server.url))
            for _ in 0..<2 {
                weak var gone: ActorRecipe.AppStore?
                do {
                    let store = ActorRecipe.AppStore(tape)
                    gone = store
                    await store.send(.add(3))
                }
                while gone != nil {
                    try Task.checkCancellation()
                    await Task.yield()
                }
            }
            let events = await server.wait { $0.events.filter { $0.kind == .action }.count == 2 }.events
            #expect(Set(events.compactMap(\.store)) == ["main"])
        }

        @Test("It launches with the server's state, and takes states before its first action")
        func launched() async throws {
            let start = Welcome.Start(id: "s", mode: .state, states: ["main": ["count": 7]])
            let server = try TestServer(TestServer.Manners(start: start))
            let tape = Recorder(.test(url: server.url, startLimit: 20))
            let store = ActorRecipe.AppStore(tape)
            #expect(await store.state.count == 7)
            guard case .played = await server.push("p", .state(["count": 9])) else { throw FormatError("not applied") }
            #expect(await store.state.count == 9)
        }
    }
#endif
