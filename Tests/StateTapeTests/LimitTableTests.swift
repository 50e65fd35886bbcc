import Foundation
import TapeFormat
import Testing

@testable import StateCapture
@testable import StateTape
@testable import TapeUplink

/// Each limit in bytes on an event's way out of the app, with one thing of about its size between small neighbours.
@Suite("One thing as large as a limit", .timeLimit(.minutes(2)))
struct LimitTableTests {
    struct Row: CustomTestStringConvertible, Sendable {
        let name: String
        let bytes: Int
        let percent: Int
        /// In the first state, in a later one, or in an action.
        let place: Place

        enum Place: String, CaseIterable, Sendable { case initial, patch, action }

        var size: Int { bytes * percent / 100 }
        var testDescription: String { "\(name), \(percent) %, \(place)" }
    }

    private static let spoolLimit = 1 << 20

    private static let rows: [Row] = [
        ("a pending action", PendingActions.longest), ("a short pending action", PendingActions.shortSize),
        ("a batch of lines", LinkState.batch), ("the transport's window", LinkState.window),
        ("a segment", spoolLimit / 8), ("the spool", spoolLimit), ("twice the spool", 2 * spoolLimit),
    ].flatMap { name, bytes in
        [50, 99, 101].flatMap { percent in
            Row.Place.allCases.map { Row(name: name, bytes: bytes, percent: percent, place: $0) }
        }
    }

    enum Upload: Codable, Sendable { case text(String), step(Int) }

    /// Records ten small actions, the large thing, and ten small actions.
    private func record(_ row: Row, _ tape: Recorder) {
        let large = String(repeating: "x", count: row.size)
        var initial = TestState()
        if row.place == .initial { initial.filter = large }
        let track = tape.track(initial, Upload.self)
        var state = track.start
        for index in 0..<20 {
            if index == 10 {
                track.record(row.place == .action ? .text(large) : .text(""), &state) {
                    if row.place == .patch { $0.filter = large }
                }
            }
            track.record(.step(index), &state) { $0.count += 1 }
            // Slow enough that no states are skipped.
            tape.settle()
        }
        #expect(tape.session != nil)
        withExtendedLifetime(track) {}
    }

    private func check(_ events: [EventLine], _ row: Row, isBounded: Bool) throws {
        #expect(events.map(\.first) == Array(0..<events.count) && !events.contains { $0.kind == .gap })
        #expect(events.filter { $0.kind == .note }.isEmpty)
        let actions = events.filter { $0.kind == .action }
        #expect(actions.compactMap { $0["action"]?["payload"]?["_0"]?.int } == Array(0..<20))
        #expect(actions.count == 21 && actions.allSatisfy { $0.raw("skipped") == nil })
        if row.place == .action {
            #expect(actions[10]["action"]?["payload"]?["_0"]?.string?.utf8.count == row.size)
        }
        // The patches have the size of what changed.
        let states = events.filter { $0.size("state") ?? 0 > row.size || $0.size("patch") ?? 0 > row.size }
        #expect(states.count <= (row.place == .action || row.size < 1_024 ? 21 : 2))
        var base: JSON?
        for event in events {
            if let state = event["state"] { base = state }
            if let patch = event["patch"], let before = base { base = try Patch(patch).applied(to: before) }
        }
        #expect(base?["count"] == 20)
        #expect(base?["filter"]?.string?.utf8.count == (row.place == .action ? 3 : row.size))
    }

    @Test("With a server, each event arrives whole", arguments: rows)
    func connected(row: Row) throws {
        let transport = FakeTransport()
        let tape = Recorder(
            .test(
                url: "http://127.0.0.1:9/", launch: Launch(environment: [:], arguments: ["/bin/test-app"]),
                bounds: Outbox.Bounds(bytes: Self.spoolLimit), log: { _ in }, transport: { transport }))
        tape.settle()
        transport.say(.welcome(Welcome(session: "s", have: 0, server: "t")))
        record(row, tape)
        try check(transport.events, row, isBounded: false)
    }

    @Test("Without a server, each event below the spool's limit is on disk", arguments: rows)
    func spooled(row: Row) throws {
        let scene = SpoolScene()
        let tape = scene.recorder("http://127.0.0.1:9/", bounds: Outbox.Bounds(bytes: Self.spoolLimit))
        tape.settle()
        record(row, tape)
        let left = try scene.asLeft()
        // The next launch tidies up before it delivers.
        left.folder.tidy(limit: Self.spoolLimit)
        var orphan = OrphanedTape(try left.oldest())
        var lines: [EventLine] = []
        while let more = orphan.nextLines() { lines += more }
        #expect(lines.first?.first == 0 && lines.last { $0.kind == .action }?.type == "step")
        let whole = lines.reduce(0) { $0 + $1.bytes.count }
        guard lines.contains(where: { $0.kind == .gap }) else { return try check(lines, row, isBounded: true) }
        // A full state and what follows it replace what was dropped.
        #expect(whole + row.size > Self.spoolLimit)
        #expect(lines.count { $0.kind == .gap } == 1 && lines[0].kind == .gap && lines[0]["reason"] == "memory")
        #expect(lines.count > 1 && lines.contains { $0.raw("state") != nil })
    }
}
