#if os(Linux)
    import Foundation
    import TapeFormat
    import Testing

    @testable import StateTape
    @testable import TapeUplink

    /// What a power failure, a full disk or a person leaves of a dead process's session.
    @MainActor @Suite("Damage to the files of a session", .timeLimit(.minutes(2)))
    struct SpoolDamageTests {
        enum File: String, CaseIterable, Sendable {
            case lock, hello, pending
            case first = "00000.segment"
            case middle = "00001.segment"
            case last = "00002.segment"
        }

        enum Damage: String, CaseIterable, Sendable {
            case empty, missing, cut, zeros, garbage, unreadable, pipe, folder
        }

        private let files = FileManager.default

        /// The spool of a process that died in the reducer of its twelfth action: three segments of four events, and the
        /// action.
        private func left(for server: TestServer) throws -> SpoolScene {
            let scene = SpoolScene()
            let tape = scene.recorder(server.url, bounds: Outbox.Bounds(count: 32))
            let track = tape.track(TestState(), TestAction.self)
            var state = track.start
            for _ in 0..<11 { track.record(.increment, &state) { reduce(&$0, .increment) } }
            tape.settle()
            return try track.record(.increment, &state) { _ in try scene.asLeft() }
        }

        /// The spool of a process that died with seven lines on the disk, and six actions that had none yet.
        private func leftWithPending(for server: TestServer) throws -> SpoolScene {
            let scene = SpoolScene()
            let tape = scene.recorder(server.url)
            let track = tape.track(TestState(), TestAction.self)
            var state = track.start
            for _ in 0..<6 { track.record(.increment, &state) { reduce(&$0, .increment) } }
            tape.settle()
            let queue = try #require(tape.session).queue
            queue.suspend()
            defer { queue.resume() }
            for _ in 0..<6 { track.record(.increment, &state) { reduce(&$0, .increment) } }
            return try scene.asLeft()
        }

        private func damage(_ file: URL, _ damage: Damage) throws {
            let bytes = try Data(contentsOf: file)
            switch damage {
            case .empty: try Data().write(to: file)
            case .missing: try files.removeItem(at: file)
            case .cut: try bytes.prefix(bytes.count / 2).write(to: file)
            case .zeros: try Data(count: bytes.count).write(to: file)
            case .garbage:
                try Data((0..<max(bytes.count, 8)).map { UInt8(truncatingIfNeeded: $0 &* 37 &+ 11) }).write(to: file)
            case .unreadable: chmod(file.path, 0)
            case .pipe:
                try files.removeItem(at: file)
                mkfifo(file.path, 0o600)
            case .folder:
                try files.removeItem(at: file)
                try files.createDirectory(at: file, withIntermediateDirectories: false)
            }
        }

        /// How many of the twelve events with a line the file costs, at least and at most.
        private func lost(_ file: File, _ damage: Damage) -> ClosedRange<Int> {
            switch (file, damage) {
            case (.lock, _), (.hello, _), (.pending, _): 0...0
            case (_, .cut): 1...3
            // Root reads everything.
            case (_, .unreadable): getuid() == 0 ? 0...0 : 4...4
            default: 4...4
            }
        }

        @Test(
            "All events in intact files are delivered, and a message says what is lost",
            arguments: File.allCases, Damage.allCases)
        func table(_ file: File, _ damage: Damage) async throws {
            let first = try TestServer(TestServer.Manners(welcomes: false))
            let (port, scene) = (first.port, try left(for: first))
            first.stop()
            let name = try #require(scene.sessions.first)
            #expect(
                scene.names(in: name) == [
                    "00000.segment", "00001.segment", "00002.segment", "hello", "lock", "pending",
                ])
            try self.damage(scene.place.appendingPathComponent("\(name)/\(file.rawValue)"), damage)

            let server = try TestServer(port: port)
            let tape = scene.recorder(server.url, isTheirs: false)
            await scene.delivered()
            tape.finish(timeout: .seconds(20))
            let events = try #require(server.state.tapes[name])
            #expect(scene.sessions.isEmpty, "\(scene.sessions)")

            let lost = lost(file, damage)
            let kept = events.filter { [.`init`, .action].contains($0.kind) && $0.raw("unfinished") == nil }
            #expect(lost.contains(12 - kept.count), "\(events.map(\.kind))")
            #expect(events.last?.kind == .end)
            // The action that died is in the file of pending actions only.
            let isPendingLost = file == .pending && damage != .cut && (damage != .unreadable || getuid() != 0)
            #expect(events.contains { $0.raw("unfinished") != nil } != isPendingLost)
            #expect(events.last?["reason"] == (isPendingLost ? "interrupted" : "crashed"))
            // A gap stands for lines that are missing before others, or before an action that has no line.
            let isSilent = damage == .missing && file == .pending
            let gaps = events.filter { $0.kind == .gap }
            #expect(gaps.map(\.count).reduce(0, +) == 12 - kept.count)
            if !isSilent, lost.lowerBound > 0 || isPendingLost { #expect(!scene.told.isEmpty) }
            if file == .pending, damage == .cut { #expect(scene.told.count == 1) }
            if isSilent || file != .pending && lost.upperBound == 0 && ![.folder, .pipe].contains(damage) {
                #expect(scene.told.isEmpty, "\(scene.told)")
            }
        }

        @Test(
            "Actions that have no line yet keep their numbers, behind a gap for the lines that are lost",
            arguments: [Damage.empty, .cut, .zeros, .pipe, .folder])
        func numbers(_ damage: Damage) async throws {
            let first = try TestServer(TestServer.Manners(welcomes: false))
            let (port, left) = (first.port, try leftWithPending(for: first))
            first.stop()
            let name = try #require(left.sessions.first)
            try self.damage(left.place.appendingPathComponent("\(name)/\(File.first.rawValue)"), damage)

            let server = try TestServer(port: port)
            let next = left.recorder(server.url, isTheirs: false)
            await left.delivered()
            next.finish(timeout: .seconds(20))
            let events = try #require(server.state.tapes[name])
            let kept = events.prefix { $0.kind != .gap }.count
            try #require(kept < events.count)
            #expect(damage == .cut ? 1...5 ~= kept : kept == 0)
            let behind = [.gap] + Array(repeating: EventKind.action, count: 6) + [.end]
            #expect(events[kept...].map(\.kind) == behind)
            #expect(events[kept]["reason"] == "damaged" && events[kept].first == kept && events[kept].seq == 6)
            #expect(events[(kept + 1)...].map(\.seq) == Array(7...13))
            #expect(left.told.contains { $0.contains("\(7 - kept) of its events can't be read") }, "\(left.told)")
        }

        /// Actions without a line: the ticket of each, and how many are lost before it.
        struct Holes: Sendable {
            /// How many lines are left: the first state and actions with the tickets from 1 on.
            let lines: Int
            let tickets: [(UInt64, lost: Int)]
        }

        @Test(
            "Tickets tell how many actions are lost before each that has no line, and a false ticket tells none",
            arguments: [
                Holes(lines: 4, tickets: [(4, 0), (5, 0)]),
                Holes(lines: 4, tickets: [(6, 2), (7, 0), (10, 2), (11, 0)]),
                Holes(lines: 0, tickets: [(5, 5), (6, 0)]), Holes(lines: 4, tickets: [(.max - 1, 0), (.max, 0)]),
                Holes(lines: 0, tickets: [(.max, 0)]), Holes(lines: 1, tickets: [(3, 2), (1 << 60, 0), (.max, 0)]),
            ])
        func holes(_ holes: Holes) throws {
            let scene = SpoolScene()
            let name = "01JD3M8Q5R7V2X9B4N6T0KZYW1"
            try scene.leave(name, [0...0])
            try scene.change("\(name)/00000.segment") { bytes in
                bytes = Segment.signature
                for seq in 0..<holes.lines {
                    bytes += SpoolRecord.bytes(.line, ticket: UInt64(seq), SpoolScene.note(seq).bytes)
                }
            }
            var tape = OrphanedTape(try scene.oldest())
            while tape.nextLines() != nil {}
            var next = holes.lines
            for (ticket, lost) in holes.tickets {
                #expect(tape.lose(before: ticket, at: next) == lost, "before \(ticket)")
                next += lost + 1
            }
            #expect(tape.lost == holes.tickets.map(\.lost).reduce(0, +))
        }

        @Test(
            "Without marker and identity, the session is set aside with one message",
            arguments: [Damage.empty, .zeros, .garbage], [Damage.empty, .zeros, .missing, .garbage])
        func both(_ damage: Damage, _ other: Damage) async throws {
            let scene = SpoolScene()
            try scene.leave("01JD3M8Q5R7V2X9B4N6T0KZYW1", [0...3])
            try scene.leave("01JD3M8Q5R7V2X9B4N6T0KZYW2", [0...3])
            let folder = scene.place.appendingPathComponent("01JD3M8Q5R7V2X9B4N6T0KZYW1")
            try self.damage(folder.appendingPathComponent("lock"), damage)
            try self.damage(folder.appendingPathComponent("hello"), other)
            let server = try TestServer()
            let tape = scene.recorder(server.url)
            await scene.delivered()
            tape.finish(timeout: .seconds(20))
            #expect(scene.names() == ["set-aside"])
            #expect(scene.names(in: "set-aside") == ["01JD3M8Q5R7V2X9B4N6T0KZYW1"])
            #expect(scene.told.count == 1)
        }

        @Test(
            "A running process keeps its session, whatever happens to the marker",
            arguments: [Damage.empty, .missing, .cut, .zeros, .unreadable, .pipe, .folder])
        func living(_ damage: Damage) throws {
            let scene = SpoolScene()
            let header = Header(
                session: "01JD3M8Q5R7V2X9B4N6T0KZYW1", app: Header.App(id: "app"), started: "2026-01-01T00:00:00Z")
            let folder = try scene.folder.make(LinkState.SessionIdentity(header: header, key: "k", token: nil))
            try self.damage(folder.place.appendingPathComponent("lock"), damage)
            #expect(scene.folder.left(except: [], for: SessionServer()) == nil)
            scene.folder.tidy(limit: 0)
            #expect(scene.sessions == [header.session] && scene.told.isEmpty)
            withExtendedLifetime(folder) {}
        }

        @Test("A session whose folder did not get its name before the power failed is delivered")
        func unnamed() async throws {
            let (scene, name) = (SpoolScene(), "01JD3M8Q5R7V2X9B4N6T0KZYW1")
            try scene.leave(name, [0...3])
            try files.moveItem(
                at: scene.place.appendingPathComponent(name), to: scene.place.appendingPathComponent("new-" + name))
            scene.folder.tidy(limit: 1 << 20)
            #expect(scene.sessions == [name] && scene.told.isEmpty)
        }
    }
#endif
