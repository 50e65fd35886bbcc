import SampleTapes
import TapeFormat
import Testing

@testable import StateTapeServer

@Suite struct ViewerStateTests {
    private let full = ViewerState.bound + 1

    /// `#expect` doesn't accept a mutating call.
    private func expect<Value: Equatable>(
        _ value: Value, _ expected: Value, at place: SourceLocation = #_sourceLocation
    ) {
        #expect(value == expected, sourceLocation: place)
    }

    /// A viewer that watches sessions from their start.
    private func watching(_ next: [String: Int]) -> ViewerState {
        var viewer = ViewerState()
        for session in next.keys { _ = viewer.watch(session) }
        _ = viewer.takeAsked()
        _ = viewer.found(next)
        return viewer
    }

    @Test("A viewer that reads gets the events of its sessions and nothing else")
    func live() {
        var viewer = watching(["a": 7])
        expect(viewer.publish("a", 7..<8, outstanding: 0), 7)
        expect(viewer.publish("b", 7..<8, outstanding: 0), nil)
        viewer.unwatch("a")
        expect(viewer.publish("a", 8..<9, outstanding: 0), nil)
    }

    @Test("A viewer with a full queue misses events, and learns up to which seq once it has read")
    func behind() {
        var viewer = watching(["a": 0, "b": 0])
        expect(viewer.publish("a", 4..<5, outstanding: full), nil)
        // It stays behind until it has read everything, so that there is only one hole.
        expect(viewer.publish("a", 5..<6, outstanding: 0), nil)
        expect(viewer.publish("b", 2..<3, outstanding: 0), 2)
        #expect(viewer.isBehind)
        expect(viewer.drained().lines, [.behind(session: "a", next: 6)])
        #expect(!viewer.isBehind)
        expect(viewer.publish("a", 6..<7, outstanding: 0), 6)
        expect(viewer.drained().lines, [])
    }

    @Test("The starting point is read after the registration; events in the meantime are neither lost nor doubled")
    func asking() {
        var viewer = ViewerState()
        expect(viewer.watch("a"), true)
        expect(viewer.publish("a", 4..<5, outstanding: 0), nil)
        expect(viewer.takeAsked(), ["a"])
        expect(viewer.takeAsked(), [])
        expect(viewer.publish("a", 6..<7, outstanding: 0), nil)
        // Read before the last commit was published, or after one that is published later: the higher one counts.
        expect(viewer.found(["a": 6]), [.watching(session: "a", next: 7)])
        expect(viewer.publish("a", 7..<8, outstanding: 0), 7)
        _ = viewer.watch("a")
        expect(viewer.takeAsked(), ["a"])
        expect(viewer.found(["a": 10]), [.watching(session: "a", next: 10)])
        expect(viewer.publish("a", 9..<10, outstanding: 0), nil)
        expect(viewer.publish("a", 10..<11, outstanding: 0), 10)
    }

    @Test("A viewer that began to watch in the middle of what is sent gets only the rest")
    func middle() {
        var viewer = watching(["a": 5])
        expect(viewer.publish("a", 3..<8, outstanding: 0), 5)
        expect(viewer.publish("a", 8..<9, outstanding: 0), 8)
    }

    @Test("The answer to a cancelled watch is not used for the next one")
    func askingAgain() {
        var viewer = ViewerState()
        _ = viewer.watch("a")
        expect(viewer.takeAsked(), ["a"])
        viewer.unwatch("a")
        _ = viewer.watch("a")
        expect(viewer.found(["a": 3]), [])
        expect(viewer.takeAsked(), ["a"])
        expect(viewer.found(["a": 9]), [.watching(session: "a", next: 9)])
    }

    @Test("A viewer can watch a limited number of sessions")
    func bound() {
        var viewer = ViewerState()
        for number in 0..<ViewerState.maxSessions { expect(viewer.watch("\(number)"), true) }
        expect(viewer.watch("one more"), false)
        expect(viewer.watch("0"), true)
        viewer.unwatch("0")
        expect(viewer.watch("one more"), true)
    }

    @Test("Missed summaries are listed once the viewer has read")
    func summaries() {
        var viewer = ViewerState()
        expect(viewer.publish(summaryOf: "a", outstanding: 0), true)
        expect(viewer.publish(summaryOf: "b", outstanding: full), false)
        expect(viewer.drained().missed, ["b"])
        expect(viewer.drained().missed, [])
    }

    @Test("An event is sent to viewers unchanged, except that members over 16 KiB are left out and listed")
    func messages() throws {
        let long = JSON.string(String(repeating: "x", count: 20_000))
        let lines = [Sample.start(0), Sample.full(1, ["text": long]), Sample.count(2, to: 2)]
        let read = try EventMessages.make("SESSION-0001", lines)
            .flatMap { $0.split(separator: UInt8(ascii: "\n")) }
            .map { try ViewerLine(parsing: Array($0)) }
        let expected: [ViewerLine] = [
            .event(session: "SESSION-0001", line: try JSON(parsing: lines[0].bytes), large: []),
            .event(
                session: "SESSION-0001", line: ["seq": 1, "at": 1, "event": "replace", "cause": ["set": true]],
                large: ["state"]),
            .event(session: "SESSION-0001", line: try JSON(parsing: lines[2].bytes), large: []),
        ]
        #expect(read == expected)
    }
}
