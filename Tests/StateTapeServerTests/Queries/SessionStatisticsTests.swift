import Foundation
import SampleTapes
import TapeFormat
import Testing

@testable import StateTapeServer
@testable import TapeArchive
@testable import TapeEngine

@Suite(.timeLimit(.minutes(1))) struct SessionStatisticsTests {
    private let archive: TestArchive

    init() throws {
        archive = try TestArchive()
    }

    private func action(_ seq: Int, at: Double, _ type: String, took: Double) -> EventLine {
        EventLine(
            seq: seq, at: at, kind: .action,
            members: [
                ("action", ["type": .string(type)]), ("patch", []),
                ("took", JSON.Number(took).map(JSON.number) ?? 0),
            ])
    }

    private func overview(_ session: Session) throws -> JSON {
        try SessionStatistics(Searches(atOnce: 2)).overview(session) { archive.scan(session, from: $0) }
            .json(duration: session.duration, states: archive.states.latest(of: archive.tapes[session]))
    }

    @Test("An overview counts actions by type, with their share and duration")
    func types() throws {
        let lines =
            [Sample.start(0)]
            + (1...99).map { action($0, at: Double($0), $0 % 3 == 0 ? "b" : "a", took: Double($0)) }
        let actions = try overview(archive.record(lines))["actions"]
        #expect(actions?["count"] == 99)
        let types = try #require(actions?["types"]?.array)
        #expect(types.map { $0["type"] } == ["a", "b"] && types.map { $0["count"] } == [66, 33])
        #expect(types.map { $0["share"] } == [0.6667, 0.3333])
        // Within the width of a bin.
        let b = types[1]
        #expect(try abs(#require(b["median"]?.double) - 51) < 1 && abs(#require(b["p95"]?.double) - 96) < 2)
    }

    @Test("Percentiles of durations are exact when small, and at most 1.6 % off")
    func durations() {
        var durations = Durations()
        #expect(durations.quantile(0.5) == nil)
        for value in 0..<50 { durations.add(value) }
        #expect((0..<50).allSatisfy { durations.quantile(Double($0) / 50 + 0.001) == $0 })
        for value in [64, 65, 1_000, 123_456, 1 << 40, Int.max >> 1] {
            var one = Durations()
            one.add(value)
            let middle = one.quantile(0.5) ?? 0
            #expect(abs(middle - value) <= value / 64 + 1)
        }
    }

    @Test("An overview lists busy and slow moments, pushes, errors, warnings and gaps")
    func moments() throws {
        func note(_ seq: Int, _ level: String) -> EventLine {
            EventLine(
                seq: seq, at: 5_000, kind: .note, members: [("text", .string(level)), ("level", .string(level))])
        }
        let push = EventLine(
            seq: 24, at: 5_000, kind: .replace, members: [("state", ["n": 2]), ("cause", ["push": "p1"])])
        let lines =
            [Sample.start(0)]
            + (1...20).map { action($0, at: 1_000 + Double($0 % 2), "a", took: Double($0 % 7)) }
            + [note(21, "error"), note(22, "warning"), note(23, "info"), push, Sample.gap(30, count: 6)]
            + [Sample.action(31, type: "pay", ("patch", [])).setting("error", to: "Declined")]
        let overview = try overview(archive.record(lines))
        #expect(overview["committed"] == 32)
        #expect(overview["busiest"]?[0] == ["seq": 1, "at": 1_000, "count": 20])
        #expect(overview["slowest"]?[0] == ["seq": 6, "at": 1_000, "took": 6, "type": "a"])
        #expect(overview["slowest"]?.array?.count == 10)
        #expect(overview["pushes"] == ["count": 1, "events": [["seq": 24, "at": 5_000]]])
        #expect(
            overview["errors"]?["events"] == [
                ["seq": 21, "at": 5_000, "text": "error"],
                ["seq": 31, "at": 31, "type": "pay", "text": "Declined"],
            ])
        #expect(overview["warnings"]?["count"] == 1)
        #expect(
            overview["gaps"]
                == [
                    "count": 1, "lost": 6,
                    "events": [["seq": 30, "at": 30, "count": 6, "reason": "memory"]],
                ])
    }

    @Test("State sizes are listed for full states, with the largest parts of the last one")
    func sizes() throws {
        let state: JSON = ["small": 1, "list": .array(Array(repeating: "0123456789", count: 100))]
        let session = try archive.record([
            Sample.start(0), Sample.start(1, store: "side", state), Sample.count(2, to: 10),
        ])
        let stores = try overview(session)["stores"]
        #expect(stores?["main"]?["sizes"] == [["seq": 0, "at": 0, "bytes": 7]])
        #expect(stores?["main"]?["last"] == ["seq": 2, "bytes": 8])
        #expect(stores?["side"]?["largest"]?[0] == ["path": "/list", "bytes": 1_301])
    }

    @Test("Sizes of sealed states are listed at their keyframes, though no event has the full state")
    func keyframes() throws {
        func text(_ seq: Int) -> EventLine {
            let text = String(repeating: String(seq % 10), count: 10_000)
            return Sample.action(seq, ("patch", [["op": "replace", "path": "/text", "value": .string(text)]]))
        }
        let session = try archive.record([Sample.start(0, ["text": ""])] + (1..<80).map(text))
        try archive.seal(session)
        let sizes = try archive.archive.keyframeSizes(of: session.row)
        #expect(!sizes.isEmpty && sizes.allSatisfy { $0.store == "main" && $0.bytes == 10_011 })
    }

    @Test("The largest parts of a state are listed; a part with many small members is listed as a whole")
    func subtrees() {
        func text(_ count: Int) -> JSON { .string(String(repeating: "x", count: count - 2)) }
        let state: JSON = [
            "a": ["b": ["c": text(500), "d": text(300)]], "many": .array((0..<100).map { _ in text(9) }),
            "one": [text(400)], "n": 1,
        ]
        let parts = Subtrees.largest(4, of: state).map { "\($0.path) \($0.bytes)" }
        #expect(parts == ["/many 1001", "/a/b/c 500", "/one/0 400", "/a/b/d 300"])
        #expect(Subtrees.largest(10, of: 1) == [Subtrees.Part(path: Pointer(), bytes: 1)])
    }

    @Test("An overview continues from the previous one")
    func continued() throws {
        let lines = Sample.counting(to: 500)
        let statistics = SessionStatistics(Searches(atOnce: 2))
        let asked = Locked<[Int]>([])
        func overview(_ session: Session) throws -> JSON {
            try statistics.overview(session) { from in
                asked.withLock { $0.append(from) }
                return archive.scan(session, from: from)
            }.json(duration: session.duration, states: [:])
        }
        _ = try overview(archive.record(Array(lines[..<200])))
        let whole = try archive.record(Array(lines[200...]))
        let anew = try SessionStatistics(Searches(atOnce: 2)).overview(whole) { archive.scan(whole, from: $0) }.json(
            duration: whole.duration, states: [:])
        #expect(try overview(whole) == anew)
        #expect(asked.withLock { $0 } == [0, 200])
    }

    @Test("A histogram counts by time, and marks pushes and gaps")
    func histogram() {
        var histogram = Histogram(buckets: 4, duration: 100_000)
        let lines = [0, 10, 26, 99, 100].enumerated().map { action($0, at: Double($1), "a", took: 1) }
        let push = EventLine(
            seq: 5, at: 60, kind: .replace, members: [("state", 1), ("cause", ["push": "p"])])
        for line in lines + [push, Sample.gap(80, count: 75), action(81, at: 1_000, "a", took: 1)] {
            histogram.take(EventHead(line))
        }
        let json = JSON.object(JSON.Object(histogram.members))
        #expect(json["counts"] == [2, 1, 1, 3] && json["seqs"] == [0, 2, 5, 3])
        #expect(json["gaps"] == [[3, 75]] && json["pushes"] == [[2, 1]] && json["duration"] == 100)
    }

    @Test("An answer is cached until the next commit; each session is read by one request at a time")
    func kept() throws {
        let statistics = SessionStatistics(Searches(atOnce: 2))
        let session = try archive.record(Sample.counting(to: 5))
        let other = try archive.record(Sample.counting(to: 5), Sample.header("OTHER-SESSION"))
        let made = Locked(0)
        let answered = DispatchSemaphore(value: 0)
        let (entered, go) = (DispatchSemaphore(value: 0), DispatchSemaphore(value: 0))
        func ask(_ session: Session, _ request: String, _ make: @escaping @Sendable () -> Void = {}) throws {
            try statistics.answer(session, for: .all, request) {
                make()
                return (
                    .number(
                        .init(
                            made.withLock { made in
                                made += 1; return made
                            })), isLasting: true
                )
            } then: { _ in
                answered.signal()
            }
        }
        try ask(session, "one") {
            entered.signal()
            go.wait()
        }
        entered.wait()
        try ask(session, "one")
        try ask(session, "two")
        // It doesn't wait for the first one.
        try ask(other, "one")
        answered.wait()
        #expect(made.withLock { $0 } == 1)
        go.signal()
        for _ in 0..<3 { answered.wait() }
        #expect(made.withLock { $0 } == 3)
        try ask(session, "two")
        answered.wait()
        #expect(made.withLock { $0 } == 3)
        try ask(archive.record([Sample.count(5, to: 5)]), "two")
        answered.wait()
        #expect(made.withLock { $0 } == 4)
        statistics.stop()
        #expect(throws: Problem.self) { try ask(session, "three") }
    }

    @Test("Requests above the limit are refused with 503, and the waiting ones are answered")
    func full() throws {
        let statistics = SessionStatistics(Searches(atOnce: 2))
        let session = try archive.record(Sample.counting(to: 2))
        let go = DispatchSemaphore(value: 0)
        let answered = DispatchSemaphore(value: 0)
        var refused: Problem?
        var asked = 0
        while refused == nil, asked < 1_000 {
            do throws(Problem) {
                try statistics.answer(session, for: .all, "\(asked)") {
                    go.wait()
                    return (true, isLasting: false)
                } then: { _ in
                    answered.signal()
                }
                asked += 1
            } catch {
                refused = error
            }
        }
        #expect(refused?.status == 503 && asked == 64)
        for _ in 0..<asked {
            go.signal()
            answered.wait()
        }
    }
}
