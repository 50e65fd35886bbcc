#if os(Linux)
    import Foundation
    import TapeFormat
    import Testing

    @testable import StateTape
    @testable import TapeUplink

    @Suite("The folder of orphaned sessions", .timeLimit(.minutes(1)))
    struct SpoolFolderTests {
        private let scene = SpoolScene()
        private let names = ["01JD3M8Q5R7V2X9B4N6T0KZYW1", "01JD3M8Q5R7V2X9B4N6T0KZYW2", "01JD3M8Q5R7V2X9B4N6T0KZYW3"]

        /// Delivers the sessions in the spool, and waits for them.
        private func delivered(sessions: Int) async throws -> [String: [EventLine]] {
            let server = try TestServer()
            let tape = scene.recorder(server.url)
            await scene.delivered(sessions)
            tape.finish(timeout: .seconds(20))
            return server.state.tapes
        }

        @Test("Only one process has a session at a time")
        func locks() throws {
            try scene.leave(names[0], [0...0])
            let first = scene.folder.left(except: [], for: SessionServer())
            #expect(first != nil && scene.folder.left(except: [], for: SessionServer()) == nil)
            withExtendedLifetime(first) {}
        }

        @Test("A torn last record is cut without a message")
        func torn() async throws {
            try scene.leave(names[0], [0...3, 4...7])
            try scene.change("\(names[0])/00001.segment") { $0.removeLast(3) }
            let tapes = try await delivered(sessions: 1)
            #expect(tapes[names[0]]?.map(\.kind) == Array(repeating: .note, count: 7) + [.end])
            #expect(scene.told.isEmpty && scene.names().isEmpty)
        }

        @Test("A gap replaces damaged lines, and their segment is set aside with one message")
        func flipped() async throws {
            try scene.leave(names[0], [0...3, 4...7])
            try scene.change("\(names[0])/00000.segment") { $0[$0.count / 2] ^= 4 }
            let tapes = try await delivered(sessions: 1)
            let events = try #require(tapes[names[0]])
            #expect(events.map(\.count).reduce(0, +) == 9)
            #expect(events.filter { $0.kind == .gap }.map { $0["reason"] } == ["damaged"])
            #expect(scene.names(in: "set-aside") == ["\(names[0])-00000.segment"])
            #expect(scene.told.count == 2 && scene.told[1].contains("1 of its events can't be read"))
        }

        @Test("A session with an unreadable hello is set aside with one message, and the other one arrives")
        func unreadable() async throws {
            try scene.leave(names[0], [0...3])
            try scene.leave(names[1], [0...3])
            try scene.change("\(names[1])/hello") { $0 = Array("{}".utf8) }
            try scene.change("\(names[1])/lock") { $0 = SessionFolder.marker }
            let tapes = try await delivered(sessions: 1)
            #expect(tapes[names[0]]?.count == 5 && tapes[names[1]] == nil)
            #expect(scene.names() == ["set-aside"])
            #expect(scene.names(in: "set-aside") == [names[1]])
            #expect(scene.told.count == 1)
            // The next launch ignores items that were set aside.
            _ = try await delivered(sessions: 1)
            #expect(scene.told.count == 1)
        }

        @Test("At the limit, the oldest segments are dropped, then whole sessions, with a message each")
        func limit() async throws {
            for name in names { try scene.leave(name, [0...9, 10...19], size: 1_000) }
            scene.folder.tidy(limit: 36_000)
            #expect(scene.sessions == Array(names[1...]))
            #expect(scene.told.count == 3)
            let tapes = try await delivered(sessions: 2)
            #expect(tapes[names[1]]?.map { $0.first...$0.seq }.prefix(2) == [0...9, 10...10])
            #expect(tapes[names[1]]?.first?["reason"] == "memory")
            #expect(tapes[names[2]]?.count == 21)
        }

        @Test("A dead process's session takes no more space than its contents")
        func compact() throws {
            let tape = scene.recorder("http://127.0.0.1:9/")
            // Its folder exists.
            tape.settle()
            let track = tape.track(TestState(), TestAction.self)
            var (state, found): (TestState, SpoolScene?) = (track.start, nil)
            try track.record(.increment, &state) { _ in found = try scene.asLeft() }
            let left = try #require(found)
            left.folder.tidy(limit: 1 << 20)
            let folder = try #require(left.folder.left(except: [], for: SessionServer(address: "ws://localhost:9")))
            #expect(folder.size < 4_096)
            var orphan = OrphanedTape(folder)
            #expect(orphan.pending().map(\.action) == [["type": "increment"]])
        }

        @Test("Unfinished and half-deleted folders of dead processes are deleted")
        func sweep() throws {
            try scene.leave(names[0], [0...3])
            for prefix in ["new-", "gone-"] {
                try FileManager.default.copyItem(
                    at: scene.place.appendingPathComponent(names[0]),
                    to: scene.place.appendingPathComponent(prefix + names[1]))
            }
            // A folder without its name has no events yet.
            try FileManager.default.removeItem(
                at: scene.place.appendingPathComponent("new-\(names[1])/00000.segment"))
            scene.folder.tidy(limit: 1 << 20)
            #expect(scene.names() == [names[0]])
            #expect(scene.told.isEmpty)
        }

        @Test("A session that the server refuses is set aside; one that it deleted is deleted here too")
        func refused() async throws {
            for name in names { try scene.leave(name, [0...3]) }
            let server = try TestServer(TestServer.Manners(refuses: [names[0]: 4006, names[1]: 4010]))
            let tape = scene.recorder(server.url)
            await scene.delivered()
            tape.finish(timeout: .seconds(20))
            #expect(scene.names() == ["set-aside"])
            #expect(scene.names(in: "set-aside") == [names[0]])
        }
    }
#endif
