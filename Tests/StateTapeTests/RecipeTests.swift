#if os(Linux)
    import StateTape
    import TapeFormat
    import Testing

    @MainActor @Suite("The recipes", .timeLimit(.minutes(1)))
    struct RecipeTests {
        @Test("Each recipe's store is recorded, and accepts states and actions", arguments: Recipe.all)
        func recipe(_ name: String, _ make: Recipe.Make) async throws {
            let server = try TestServer()
            let tape = Recorder(.test(url: server.url))
            let recipe = make(tape)
            recipe.act()
            let events = await server.wait { $0.events.contains { $0.kind == .action } }.events
            let action = try #require(events.first { $0.kind == .action })
            let (store, type) = (action.store, try #require(action["action"]))
            #expect(try server.states(of: store).last?["count"] == 3)
            let played = await server.push("state", store: store, .state(["count": 40, "names": []]))
            guard case .played = played else { throw FormatError("\(name): \(String(describing: played))") }
            let dispatched = await server.push("action", store: store, .action(type))
            guard case .played = dispatched else { throw FormatError("\(name): \(String(describing: dispatched))") }
            #expect(try server.states(of: store).last?["count"] == 43)
            recipe.act()
            await server.wait { (try? $0.states(of: store).last?["count"]) == 46 }
        }

        @Test("Code in front of the reducer runs once, when the app is unlocked", arguments: Recipe.all)
        func held(_ name: String, _ make: Recipe.Make) async throws {
            let server = try TestServer()
            let tape = Recorder(.test(url: server.url))
            let recipe = make(tape)
            guard let later = recipe.later else { return }
            recipe.act()
            let store = try #require(
                await server.wait { $0.events.contains { $0.kind == .action } }.events.first { $0.kind == .action }
            ).store
            server.send(.control(Control(locked: true)))
            _ = await server.push("locked", store: "none", .state(1))
            later()
            // Applied on the store's queue, after its other work.
            _ = await server.push("state", store: store, .state(["count": 40, "names": []]))
            #expect(try server.states(of: store).last?["count"] == 40)
            server.send(.control(Control(locked: false, queue: .replay)))
            await server.wait { (try? $0.states(of: store).last?["count"]) == 50 }
            recipe.act()
            await server.wait { (try? $0.states(of: store).last?["count"]) == 53 }
        }

        @Test("An effect starts once, whether its action is queued, pushed or neither", arguments: Recipe.all)
        func effects(_ name: String, _ make: Recipe.Make) async throws {
            let server = try TestServer()
            let tape = Recorder(.test(url: server.url))
            let recipe = make(tape)
            guard let effects = recipe.effects else { return }
            recipe.act()
            let store = try #require(
                await server.wait { $0.events.contains { $0.kind == .action } }.events.first { $0.kind == .action }
            ).store
            #expect(effects.value == 1)
            server.send(.control(Control(locked: true)))
            _ = await server.push("locked", store: "none", .state(1))
            recipe.act()
            #expect(effects.value == 1)
            server.send(.control(Control(locked: false, queue: .replay)))
            await server.wait { (try? $0.states(of: store).last?["count"]) == 6 }
            // Pushed after the queue has run.
            _ = await server.push("state", store: store, .state(["count": 40, "names": []]))
            #expect(effects.value == 2)
        }

        @Test("A replayed action starts no effects, later ones do", arguments: Recipe.all)
        func replayed(_ name: String, _ make: Recipe.Make) async throws {
            let first = try TestServer()
            let old = Recorder(.test(url: first.url))
            make(old).act()
            let events = await first.wait { $0.events.contains { $0.kind == .action } }.events
            let event = try #require(events.first { $0.kind == .action })
            let start = Welcome.Start(id: "r", mode: .replay, states: [event.store: ["count": 40, "names": []]])
            let server = try TestServer(TestServer.Manners(start: start))
            let tape = Recorder(.test(url: server.url, startLimit: 20))
            let recipe = make(tape)
            guard let effects = recipe.effects else { return }
            server.send(.replay(Replay(id: "r", of: 1, store: event.store, action: event["action"])))
            server.send(.replay(Replay(id: "r")))
            await server.wait { !$0.pushed.isEmpty }
            #expect(try server.states(of: event.store).last?["count"] == 43)
            #expect(effects.value == 0)
            // Pushed after the app is unlocked.
            _ = await server.push("state", store: event.store, .state(["count": 50, "names": []]))
            recipe.act()
            #expect(effects.value == 1)
        }

        @Test("The tape names the line that dispatched", arguments: Recipe.all)
        func callSite(_ name: String, _ make: Recipe.Make) async throws {
            let server = try TestServer()
            let tape = Recorder(.test(url: server.url))
            let recipe = make(tape)
            recipe.act()
            let events = await server.wait { $0.events.contains { $0.kind == .action } }.events
            let action = try #require(events.first { $0.kind == .action })
            #expect(recipe.callSites.contains(try #require(action["caller"]?.string)))
            #expect(action["cause"] == nil)
            // Nobody's line dispatched a pushed action.
            _ = await server.push("p", store: action.store, .action(try #require(action["action"])))
            #expect(server.state.events.last { $0.kind == .action }?.raw("caller") == nil)
        }

        @Test("An action that an effect dispatches names the action that started the effect", arguments: Recipe.all)
        func cause(_ name: String, _ make: Recipe.Make) async throws {
            let server = try TestServer()
            let tape = Recorder(.test(url: server.url))
            let recipe = make(tape)
            guard let effects = recipe.effects else { return }
            effects.dispatching = 3
            recipe.act()
            let events = await server.wait { $0.events.filter { $0.kind == .action }.count == 4 }.events
            let actions = events.filter { $0.kind == .action }
            #expect(actions.map { $0["cause"]?["seq"]?.int } == [nil] + actions.map(\.seq).dropLast())
        }

        @Test("With the recorder off, they behave as without it")
        func off() {
            let tape = Recorder()
            #expect(!tape.isOn)
            let model = AppModel(tape) { _ in }
            model.send(.add(3))
            #expect(model.state.count == 3)
            for (_, make) in Recipe.all { make(tape).act() }
        }
    }
#endif
