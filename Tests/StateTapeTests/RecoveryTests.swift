#if os(Linux)
    import Foundation
    import TapeFormat
    import Testing

    @testable import StateTape
    @testable import TapeUplink

    @MainActor @Suite("Recovery of a dead process's session", .timeLimit(.minutes(1)))
    struct RecoveryTests {
        /// An address without a server.
        private let nowhere = "http://127.0.0.1:9/"

        /// Waits until the tape of a session has ended and its folder is deleted.
        private func ended(_ server: TestServer, _ recorder: Recorder, sessions: Int = 1) async -> [[EventLine]] {
            let state = await server.wait { state in
                state.tapes.values.filter { $0.last?.kind == .end }.count >= sessions
            }
            return state.tapes.sorted { $0.key < $1.key }.map(\.value).filter { $0.last?.kind == .end }
        }

        @Test("All recorded events arrive at the next launch, and the session ends as interrupted")
        func interrupted() async throws {
            let scene = SpoolScene()
            let tape = scene.recorder(nowhere)
            let store = MainStore(tape)
            for title in ["milk", "bread"] { store.send(.todos(.add(title: title))) }
            tape.note("here")
            tape.settle()
            let left = try scene.asLeft()

            let server = try TestServer()
            let next = left.recorder(server.url)
            let events = try #require(await ended(server, next).first)
            #expect(events.map(\.kind) == [.`init`, .action, .action, .note, .end])
            #expect(events.map(\.seq) == Array(0...4))
            #expect(events.last?["reason"] == "interrupted")
            let hello = try #require(server.state.recoveries.first)
            #expect(hello.recovered && !hello.fresh && hello.next == 0)
            #expect(hello.header.session != server.state.hellos.first?.header.session)
            #expect(left.told.isEmpty)
            await left.delivered()
            // Of the earlier session nothing but its delivery concerns anybody.
            #expect(left.connections == 1)
            #expect(left.sessions.count == 1)
            next.finish(timeout: .seconds(20))
            #expect(left.sessions.isEmpty)
        }

        @Test("The action in whose reducer the process died arrives as unfinished, and the session ends as crashed")
        func crashed() async throws {
            let scene = SpoolScene()
            let tape = scene.recorder(nowhere)
            let track = tape.track(TestState(), TestAction.self)
            var state = track.start
            var left: SpoolScene?
            track.record(.increment, &state) { reduce(&$0, .increment) }
            tape.settle()
            try track.record(.todos(.add(title: "bomb")), &state, fileID: #fileID, line: #line) { _ in
                left = try scene.asLeft()
            }

            let server = try TestServer()
            let next = try #require(left?.recorder(server.url))
            let events = try #require(await ended(server, next).first)
            try #require(events.map(\.kind) == [.`init`, .action, .action, .end])
            #expect(events[2]["action"] == ["type": "todos/add", "payload": ["title": "bomb"]])
            #expect(events[2]["unfinished"] == true && events[2].raw("skipped") == nil)
            #expect(events[2]["caller"]?.string?.hasPrefix("StateTapeTests/RecoveryTests.swift:") == true)
            #expect(events[3]["reason"] == "crashed")
            #expect(events.map(\.at.double) == events.map(\.at.double).sorted())
        }

        @Test("An action that was reduced and not written yet arrives without its state")
        func waiting() async throws {
            let scene = SpoolScene()
            let tape = scene.recorder(nowhere)
            let store = MainStore(tape)
            store.send(.increment)
            tape.settle()
            let left = try tape.whileBusy {
                store.send(.todos(.add(title: "milk")))
                store.send(.increment)
                return try scene.asLeft()
            }
            let server = try TestServer()
            let next = left.recorder(server.url)
            let events = try #require(await ended(server, next).first)
            try #require(events.map(\.type) == [nil, "increment", "todos/add", "increment", nil])
            #expect(events[2...3].allSatisfy { $0["skipped"] == true && $0.raw("unfinished") == nil })
            #expect(events.last?["reason"] == "interrupted")
        }

        @Test("Events that the server has are not sent twice, acknowledged or not")
        func once() async throws {
            let scene = SpoolScene()
            let server = try TestServer(TestServer.Manners(acknowledges: false))
            let tape = scene.recorder(server.url)
            let store = MainStore(tape)
            for _ in 0..<5 { store.send(.increment) }
            await server.wait(forEvents: 6)
            let left = try scene.asLeft()
            let session = try #require(server.state.hellos.first).header.session
            let second = try TestServer(tapes: [session: server.state.events])
            let next = left.recorder(second.url)
            let events = try #require(await ended(second, next).first)
            #expect(events.map(\.seq) == Array(0...6))
            #expect(events.last?["reason"] == "interrupted")
        }

        @Test("A server that has more events than the disk gets the end after them")
        func more() async throws {
            let scene = SpoolScene()
            try scene.leave("01JD3M8Q5R7V2X9B4N6T0KZYWE", [0...3])
            let server = try TestServer(tapes: ["01JD3M8Q5R7V2X9B4N6T0KZYWE": (0...9).map { SpoolScene.note($0) }])
            let next = scene.recorder(server.url)
            let events = try #require(await ended(server, next).first)
            #expect(events.map(\.seq) == Array(0...10))
        }

        @Test("A session that had ended gets no second end, and is deleted once the server has it")
        func ended() async throws {
            let scene = SpoolScene()
            let tape = scene.recorder(nowhere)
            MainStore(tape).send(.increment)
            #expect(!tape.finish(timeout: .zero))
            tape.settle()
            #expect(scene.sessions.count == 1)
            let server = try TestServer()
            let next = scene.recorder(server.url)
            let events = try #require(await ended(server, next).first)
            #expect(events.filter { $0.kind == .end }.count == 1 && events.last?.raw("reason") == nil)
        }

        @Test("Sessions are sent one at a time, the oldest first, and a server that starts late gets all")
        func several() async throws {
            let scene = SpoolScene()
            let names = ["01JD3M8Q5R7V2X9B4N6T0KZYW1", "01JD3M8Q5R7V2X9B4N6T0KZYW2", "01JD3M8Q5R7V2X9B4N6T0KZYW3"]
            for name in names.reversed() { try scene.leave(name, [0...3, 4...5, 6...9]) }
            let first = try TestServer()
            let port = first.port
            first.stop()
            let next = scene.recorder("http://127.0.0.1:\(port)/")
            let server = try TestServer(port: port)
            let tapes = await ended(server, next, sessions: 3)
            #expect(server.state.recoveries.map(\.header.session) == names)
            #expect(tapes.map { $0.map(\.seq) } == Array(repeating: Array(0...10), count: 3))
        }

        /// The spool of a process that dies in its first reducer.
        private func leftInReducer() throws -> SpoolScene {
            let scene = SpoolScene()
            let tape = scene.recorder(nowhere)
            let track = tape.track(TestState(), TestAction.self)
            var state = track.start
            tape.settle()
            return try track.record(.increment, &state) { _ in try scene.asLeft() }
        }

        @Test("A server that restarts in between gets the rest, and nothing twice")
        func away() async throws {
            let spool = try leftInReducer()
            // It accepts everything and never acknowledges.
            let first = try TestServer(TestServer.Manners(acknowledges: false))
            let port = first.port
            let next = spool.recorder(first.url)
            let session = try #require(await first.wait { !$0.recoveries.isEmpty }.recoveries.first).header.session
            let kept = await first.wait { $0.tapes[session]?.isEmpty == false }.tapes
            first.stop()
            let second = try TestServer(port: port, tapes: kept)
            let events = try #require(await ended(second, next).first)
            #expect(events.map(\.kind) == [.`init`, .action, .end])
        }

        @Test("A session that a later launch began to deliver keeps its numbers")
        func sealed() async throws {
            let spool = try leftInReducer()
            let session = try #require(spool.sessions.first)
            let folder = try #require(try SessionFolder.take(spool.place.appendingPathComponent(session)))
            var reader = OrphanedTape(folder)
            while reader.nextLines() != nil {}
            let pending = reader.pending()
            try #require(pending.map(\.isReduced) == [false])
            let file = try Data(contentsOf: folder.pending)
            try reader.seal([SpoolScene.note(1)], tickets: [pending[0].ticket])
            // The process dies before it deletes the folder.
            try file.write(to: folder.pending)
            var again = OrphanedTape(folder)
            var seqs: [Int] = []
            while let lines = again.nextLines() { seqs += lines.map(\.seq) }
            let isEmpty = again.pending().isEmpty
            #expect(seqs == [0, 1] && isEmpty)
        }

        @Test("After the app was given another address of its server, the sessions go there, with the new token")
        func moved() async throws {
            let scene = SpoolScene()
            try scene.leave("01JD3M8Q5R7V2X9B4N6T0KZYWE", [0...3])
            let first = try TestServer(TestServer.Manners(acknowledges: false, archive: "A"))
            let tape = scene.recorder(first.url + "#token=mine")
            let hello = await first.wait { !$0.recoveries.isEmpty }.recoveries.first
            #expect(hello?.token == "mine")
            first.stop()
            let second = try TestServer(TestServer.Manners(archive: "A"))
            let link = try #require(URL(string: "app://statetape?url=\(second.url)&token=other"))
            #expect(tape.open(link) { _ in true })
            let tokens = await second.wait { !$0.recoveries.isEmpty }.recoveries.map(\.token)
            #expect(tokens == ["other"])
            let events = try #require(await ended(second, tape).first)
            #expect(events.map(\.seq) == Array(0...4))
            await scene.delivered()
        }

        @Test("A recovered session plays no pushes")
        func deaf() async throws {
            let scene = SpoolScene()
            try scene.leave("01JD3M8Q5R7V2X9B4N6T0KZYWE", [0...3])
            let start = Welcome.Start(
                id: "p1", mode: .state, states: ["main": ["todos": [], "count": 7, "filter": ""]])
            let server = try TestServer(TestServer.Manners(start: start))
            let tape = scene.recorder(server.url)
            let store = MainStore(tape)
            store.connect()
            _ = await ended(server, tape)
            await store.wait { $0.count == 7 }
            tape.finish(timeout: .seconds(20))
            #expect(server.state.pushed.map(\.id) == ["p1"])
        }
    }
#endif
