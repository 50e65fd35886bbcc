import Foundation
import SampleTapes
import TapeFormat
import Testing

@testable import StateTapeServer
@testable import TapeArchive
@testable import TapeEngine

@Suite struct StatesTests {
    private let folder = TemporaryFolder()
    private let archive: any Archive
    private let tapes: Tapes
    private let states = States()
    private let session: Session
    private let broken = Broken()

    private final class Broken: Sendable {
        let seqs = Locked<[Int]>([])
    }

    init() throws {
        archive = try Engine.chosen.open(folder.url)
        let broken = broken
        tapes = Tapes(archive) { _, one in
            broken.seqs.withLock { $0.append(one.seq) }
        }
        let opening = SessionOpening(header: Sample.header(), keyHash: [1], owner: "one")
        guard case .opened(let session)? = try archive.commit([.open(opening)], received: 0).first else {
            throw Problem(500, "refused", "")
        }
        self.session = session
    }

    /// Appends the lines, each row of `rows` as one batch, and returns the resulting session.
    private func tape(_ lines: [EventLine]) throws -> Session {
        _ = try archive.commit(
            [.append(Batch(session: session.row, owner: "one", lines: lines))], received: 0)
        return try #require(try archive.session(session.id))
    }

    private func text(_ session: Session, _ seq: Int, store: String = "main") throws -> String {
        switch try states.state(of: tapes[session], store: store, after: seq) {
        case .state(let state): try state.json().text
        case .skipped(let before, let after): "skipped \(before ?? -1) \(after ?? -1)"
        case .broken(let before, let after): "broken \(before ?? -1) \(after ?? -1)"
        case .absent: "absent"
        }
    }

    @Test("States are built from the nearest full one and the patches after it, in any order of requests")
    func patches() throws {
        let session = try tape(Sample.counting(to: 2_000))
        for seq in Array(0..<1_500) + [1_999, 3, 1_000, 0, 1_998, 1_997] {
            #expect(try text(session, seq) == #"{"n":\#(seq)}"#)
        }
        #expect(broken.seqs.withLock { $0 }.isEmpty)
    }

    @Test("The states of many stores, made in one walk, are those that each has by itself")
    func manyStores() throws {
        var random = Chance(7)
        var lines: [EventLine] = []
        var attached: Set<String> = []
        while lines.count < 900 {
            let seq = (lines.last?.seq ?? -1) + 1
            let store = "store-\(random.below(60))"
            let choice = random.below(40)
            switch choice {
            case 0:
                lines.append(Sample.gap(seq + 2, count: 3))
            case 1...3 where attached.contains(store):
                lines.append(Sample.detach(seq, store: store))
                attached.remove(store)
            case 4...5 where attached.contains(store):
                lines.append(
                    EventLine(
                        seq: seq, at: Double(seq), kind: .action, store: store,
                        members: [("action", ["type": "a"]), ("skipped", true)]))
            // A patch for another state.
            case 6 where attached.contains(store):
                lines.append(
                    EventLine(
                        seq: seq, at: Double(seq), kind: .action, store: store,
                        members: [
                            ("action", ["type": "a"]), ("patch", [["op": "remove", "path": "/none"]]),
                        ]))
            case 7...10: lines.append(Sample.full(seq, store: store, ["n": .number(.init(seq))]))
            case _ where attached.contains(store): lines.append(Sample.count(seq, to: seq, store: store))
            default:
                lines.append(Sample.start(seq, store: store))
                attached.insert(store)
            }
        }
        let session = try tape(lines)
        let tape = tapes[session]
        for seq in [10, 100, 333, 600, session.next - 1] {
            let all = try states.states(of: tape, after: seq)
            for store in try tape.stores(upTo: seq) {
                let one: JSON? =
                    if case .state(let state) = try States().state(of: tape, store: store, after: seq) {
                        try state.json()
                    } else {
                        nil
                    }
                #expect(all[store] == one, "\(store) after \(seq)")
            }
        }
        // The last known state, also of a store whose last event has none.
        let latest = try states.latest(of: tape)
        for store in try tape.stores(upTo: session.next - 1) {
            switch try States().state(of: tape, store: store, after: session.next - 1) {
            case .state(let state): #expect(try latest[store] == state.json())
            case .skipped(let before?, _):
                guard case .state(let state) = try States().state(of: tape, store: store, after: before) else {
                    break
                }
                #expect(try latest[store] == state.json())
            case .absent: #expect(latest[store] == nil)
            default: break
            }
        }
    }

    @Test("A state that alone is larger than all may be stays for a short time")
    func large() throws {
        let session = try tape([Sample.start(0, ["text": .string(String(repeating: "x", count: 1_000))])])
        let states = States(maxCost: 500)
        _ = try states.state(of: tapes[session], store: "main", after: 0)
        #expect(states.cost > 1_000)
        states.forgetLarge(unusedFor: .seconds(600))
        #expect(states.cost > 1_000)
        states.forgetLarge(unusedFor: .zero)
        #expect(states.cost == 0)
        let small = States(maxCost: 5_000)
        _ = try small.state(of: tapes[session], store: "main", after: 0)
        small.forgetLarge(unusedFor: .zero)
        #expect(small.cost > 1_000)
    }

    @Test("A state of many megabytes is held as text, and gives the same answers")
    func text() throws {
        let rows = JSON.array((0..<1_000).map { .string("\u{7}\($0)" + String(repeating: "“row” ", count: 130)) })
        let lines = (1...5).map { Sample.action($0, ("patch", Patch([.add(Pointer(["rows\($0)"]), rows)]).json)) }
        let last = Patch([.replace(Pointer(["rows3", "7"]), ["changed": rows])])
        let session = try tape([Sample.start(0, [:])] + lines + [Sample.action(6, ("patch", last.json))])
        let states = States(largeState: LargeState.shown)
        for seq in [5, 6, 2, 6] {
            var expected = JSON.Object((1...min(seq, 5)).map { ("rows\($0)", rows) })
            if seq == 6, var third = rows.array {
                third[7] = ["changed": rows]
                expected["rows3"] = .array(third)
            }
            guard case .state(let state) = try states.state(of: tapes[session], store: "main", after: seq) else {
                Issue.record("no state after \(seq)")
                continue
            }
            if case .text = state { #expect(seq > 3) } else { #expect(seq < 4) }
            #expect(try state.json() == .object(expected))
            #expect(try Zstd.decompress(Zstd.compress(state)) == JSON.object(expected).bytes)
            #expect(try Zstd.size(of: Zstd.compress(state)) == JSON.object(expected).bytes.count)
        }
    }

    @Test("Stores are independent, and absent before their init and after their detach")
    func stores() throws {
        let session = try tape([
            Sample.start(0), Sample.start(1, store: "detail", ["n": 10]), Sample.count(2, to: 1),
            Sample.count(3, to: 11, store: "detail"), Sample.detach(4, store: "detail"), Sample.count(5, to: 2),
            Sample.start(6, store: "detail", ["n": 20]),
        ])
        #expect(
            try (0..<7).map { try text(session, $0) }.map { String($0.suffix(2).first ?? " ") }.joined()
                == "0011122")
        #expect(
            try (0..<7).map { try text(session, $0, store: "detail") } == [
                "absent", #"{"n":10}"#, #"{"n":10}"#, #"{"n":11}"#, "absent", "absent", #"{"n":20}"#,
            ])
        #expect(try text(session, 6, store: "never") == "absent")
        #expect(try states.states(of: tapes[session], after: 3) == ["main": ["n": 1], "detail": ["n": 11]])
        #expect(try states.states(of: tapes[session], after: 5) == ["main": ["n": 2]])
    }

    @Test("A skipped state is reported with its neighbours, and the next patch is relative to the one before")
    func skipped() throws {
        let session = try tape([
            Sample.start(0), Sample.action(1, ("skipped", true)), Sample.action(2, ("skipped", true)),
            Sample.count(3, to: 3), Sample.action(4, ("skipped", true)),
        ])
        #expect(try text(session, 1) == "skipped 0 3")
        #expect(try text(session, 2) == "skipped 0 3")
        #expect(try text(session, 3) == #"{"n":3}"#)
        #expect(try text(session, 4) == "skipped 3 -1")
        #expect(try states.latest(of: tapes[session]) == ["main": ["n": 3]])
    }

    @Test("After a gap states are broken until the next full one")
    func gap() throws {
        let session = try tape([
            Sample.start(0), Sample.count(1, to: 1), Sample.gap(4, count: 3), Sample.count(5, to: 5),
            Sample.full(6, ["n": 6]), Sample.count(7, to: 7),
        ])
        for seq in 2...5 { #expect(try text(session, seq) == "broken 1 6") }
        #expect(try text(session, 7) == #"{"n":7}"#)
        #expect(try text(session, 1) == #"{"n":1}"#)
    }

    @Test("A store that was attached inside a gap is broken, not absent, from its first patch on")
    func attachedInGap() throws {
        let session = try tape([Sample.gap(2, count: 3), Sample.count(3, to: 3), Sample.full(4, ["n": 4])])
        #expect(try text(session, 2) == "absent")
        #expect(try text(session, 3) == "broken -1 4")
        #expect(try text(session, 4) == #"{"n":4}"#)
    }

    @Test("A patch that doesn't apply never gives a wrong state: it is reported once, and later states are broken")
    func brokenPatch() throws {
        let bad = Sample.action(2, ("patch", [["op": "remove", "path": "/nothing"]]))
        let session = try tape([
            Sample.start(0), Sample.count(1, to: 1), bad, Sample.count(3, to: 3), Sample.full(4, ["n": 4]),
        ])
        for _ in 0..<2 {
            #expect(try text(session, 3) == "broken 1 4")
            #expect(try text(session, 2) == "broken 1 4")
            #expect(try text(session, 1) == #"{"n":1}"#)
            #expect(try text(session, 4) == #"{"n":4}"#)
        }
        #expect(broken.seqs.withLock { $0 } == [2])
    }
}
