import Foundation
import TapeFormat
import Testing

@testable import StateTape
@testable import TapeUplink

@Suite("The spool of a session")
struct SpoolTests {
    private let scene = SpoolScene()
    private let session = "01JD3M8Q5R7V2X9B4N6T0KZYWE"

    private func spool() throws -> Spool {
        let header = Header(session: session, app: Header.App(id: "app"), started: "2026-01-01T00:00:00Z")
        let log = scene.log
        return Spool(try scene.folder.make(LinkState.SessionIdentity(header: header, key: "k", token: "secret"))) {
            log($0)
        }
    }

    private func left() throws -> OrphanedTape {
        OrphanedTape(try #require(scene.folder.left(except: [], for: SessionServer())))
    }

    private func seqs(_ tape: inout OrphanedTape) -> [[ClosedRange<Int>]] {
        var found: [[ClosedRange<Int>]] = []
        while let lines = tape.nextLines() { found.append(lines.map { $0.first...$0.seq }) }
        return found
    }

    @Test("Acknowledged segments are deleted, except the one that shows how far the session went")
    func release() throws {
        let spool = try spool()
        for seq in 0..<9 {
            spool.append(SpoolScene.note(seq))
            if seq % 3 == 2 { spool.cut() }
        }
        #expect(scene.names(in: session).filter { $0.hasSuffix("segment") }.count == 3)
        spool.release(below: 5)
        #expect(scene.names(in: session).filter { $0.hasSuffix("segment") } == ["00001.segment", "00002.segment"])
        spool.release(below: 9)
        #expect(scene.names(in: session).filter { $0.hasSuffix("segment") } == ["00002.segment"])
        spool.append(SpoolScene.note(9))
        spool.release(below: 9)
        #expect(scene.names(in: session).filter { $0.hasSuffix("segment") } == ["00003.segment"])
        spool.remove()
        #expect(scene.names().isEmpty)
    }

    @Test("One gap replaces all dropped segments, also at the next launch")
    func gap() throws {
        do {
            let spool = try spool()
            for seq in 0..<12 {
                spool.append(SpoolScene.note(seq))
                if seq % 3 == 2 { spool.cut() }
                if seq == 8 { spool.give(up: Outbox.gap(from: 0, through: 2, at: 0, .memory)) }
                if seq == 11 { spool.give(up: Outbox.gap(from: 0, through: 5, at: 0, .memory)) }
            }
        }
        var tape = try left()
        #expect(seqs(&tape) == [[0...5, 6...6, 7...7, 8...8], [9...9, 10...10, 11...11]])
    }

    @Test("The next launch knows the session's header and key, and no token is on disk")
    func hello() throws {
        do { try spool().append(SpoolScene.note(0)) }
        let folder = try #require(scene.folder.left(except: [], for: SessionServer()))
        let sessionIdentity = try folder.sessionIdentity(token: "new")
        #expect(
            sessionIdentity.header.session == session && sessionIdentity.key == "k" && sessionIdentity.token == "new")
        for name in scene.names(in: session) {
            let bytes = try Data(contentsOf: folder.place.appendingPathComponent(name))
            #expect(bytes.range(of: Data("secret".utf8)) == nil)
        }
    }

    @Test("A renamed session keeps its folder and its lines")
    func rename() throws {
        do {
            let spool = try spool()
            for seq in 0..<4 { spool.append(SpoolScene.note(seq)) }
            let header = Header(session: "01JD3M8Q5R7V2X9B4N6T0KZYW2", app: Header.App(id: "app"), started: "x")
            spool.identify(as: LinkState.SessionIdentity(header: header, key: "k2", token: nil))
            spool.append(SpoolScene.note(4))
        }
        var tape = try left()
        #expect(try tape.folder.sessionIdentity(token: nil).key == "k2")
        #expect(seqs(&tape) == [(0...4).map { $0...$0 }])
    }

    @Test("An unwritable folder is logged once, and events stay in memory")
    func unwritable() throws {
        // A file takes the folder's place, because root ignores file modes.
        try Data("here".utf8).write(to: scene.place)
        let tape = scene.recorder("http://127.0.0.1:9/")
        let track = tape.track(TestState(), TestAction.self)
        var state = track.start
        for _ in 0..<10 { track.record(.increment, &state) { reduce(&$0, .increment) } }
        tape.settle()
        #expect(scene.told.filter { $0.contains("in memory only") }.count == 1)
        #expect(try Data(contentsOf: scene.place) == Data("here".utf8))
        #expect(state.count == 10)
    }

    @Test("A folder that is deleted during use is logged once, at the next segment")
    func gone() throws {
        let spool = try spool()
        spool.append(SpoolScene.note(0))
        try FileManager.default.removeItem(at: scene.place)
        for seq in 1..<10 {
            spool.append(SpoolScene.note(seq))
            spool.cut()
        }
        #expect(scene.told.count == 1)
    }

    @Test("With crashSafe off, nothing is on disk")
    func off() throws {
        let tape = scene.recorder("http://127.0.0.1:9/", crashSafe: false)
        let track = tape.track(TestState(), TestAction.self)
        var state = track.start
        track.record(.increment, &state) { reduce(&$0, .increment) }
        tape.settle()
        #expect(!FileManager.default.fileExists(atPath: scene.place.path))
    }

    @Test("Each store's first event in a segment carries its full state")
    func fullStates() throws {
        let tape = scene.recorder("http://127.0.0.1:9/", bounds: Outbox.Bounds(count: 800, bytes: 1 << 20))
        let (one, two) = (
            tape.track(TestState(), TestAction.self), tape.track(TestState(), TestAction.self, name: "two")
        )
        var states = (one.start, two.start)
        for index in 0..<400 {
            one.record(.increment, &states.0) { reduce(&$0, .increment) }
            if index % 10 == 0 { two.record(.increment, &states.1) { reduce(&$0, .increment) } }
            // Slow enough that no states are skipped.
            tape.settle()
        }
        let left = try scene.asLeft()
        let folder = try #require(left.folder.left(except: [], for: SessionServer(address: "ws://localhost:9")))
        #expect(folder.segments.count == 5)
        for number in folder.segments {
            let lines = try Segment.read(folder.segment(number)).lines
            for store in ["main", "two"] {
                let first = try #require(lines.first { $0.store == store })
                #expect(first.raw("state") != nil)
            }
            #expect(lines.filter { $0.raw("state") != nil }.count == 2)
        }
    }
}
