import Foundation
import GRDB
import SampleTapes
import TapeFormat
import Testing

@testable import StateTapeServer
@testable import TapeArchive
@testable import TapeArchivePostgres
@testable import TapeEngine

@Suite struct SealTests {
    private let folder = TemporaryFolder()
    private let archive: any Archive
    private let session: Session

    init() throws {
        archive = try Engine.chosen.open(folder.url)
        let opening = SessionOpening(header: Sample.header(), keyHash: [1], owner: "one")
        guard case .opened(let session)? = try archive.commit([.open(opening)], received: 0).first else {
            throw Problem(500, "refused", "")
        }
        self.session = session
    }

    /// All data of a session, as readers with empty caches get it.
    private struct Snapshot {
        var lines: [[UInt8]] = []
        var heads: [String] = []
        var states: [String] = []
    }

    private func now() throws -> Session { try #require(try archive.session(session.id)) }

    private func append(_ lines: [EventLine]) throws {
        let outcome = try archive.commit(
            [.append(Batch(session: session.row, owner: "one", lines: lines))], received: 0)
        guard case .appended? = outcome.first else { throw Problem(500, "not-appended", "") }
    }

    /// Follows the tape after its sealed part, and seals full chunks or everything.
    @discardableResult
    private func seal(rest: Bool) throws -> [Seal] {
        let session = try now()
        let tape = Tapes(archive)[session]
        let states = States()
        var followed = try FollowedTape(tape, archive, states)
        var seals: [Seal] = []
        try tape.each(in: followed.next..<session.next) { line in
            seals += try followed.take(line, tape, states).map { [$0] } ?? []
            return true
        }
        if rest { seals += try followed.seal(session).map { [$0] } ?? [] }
        for outcome in try archive.commit(seals.map { .seal($0) }, received: 0) {
            guard case .sealed = outcome else { throw Problem(500, "not-sealed", "") }
        }
        return seals
    }

    @Test("That servers ended while they sealed a session counts once, however often its lines are listed")
    func ends() throws {
        try append(Sample.counting(to: 10))
        let file = folder.url.appendingPathComponent("marker")
        try Data("\(session.row) 0 15 ----\n".utf8).write(to: file)
        let committer = Committer(
            archive, pace: .zero, retry: .seconds(1), on: TestCommitHost(), logger: PrivatePostgres.logger)
        // Its app is connected to another server, so that nothing is sealed.
        let remote = RemoteApps()
        let app = LiveApp(recording: true, locked: false, queued: 0)
        _ = remote.replace(nil, by: [session.id: RemoteApps.App(server: "other", status: app)])
        let sealer = Sealer(
            archive, Tapes(archive), States(), committer, apps: LiveApps(remote: remote),
            retry: .seconds(1), marker: try CrashMarker(file.path), logger: PrivatePostgres.logger)
        for _ in 0..<3 { sealer.sealLeft() }
        #expect(try archive.troubles()[session.row]?.count == 1)
    }

    private func snapshot(stores: [String]) throws -> Snapshot {
        let session = try now()
        let tape = Tapes(archive)[session]
        var snapshot = Snapshot()
        try tape.each(in: 0..<session.next) { line in
            snapshot.lines.append(line.bytes)
            return true
        }
        var scan = EventScan(tape)
        try scan.run { head, _ in
            var bytes: [UInt8] = []
            head.write(to: &bytes)
            snapshot.heads.append(String(decoding: bytes, as: UTF8.self))
            return true
        }
        for seq in stride(from: 0, to: session.next, by: 13) {
            let states = States()
            for store in stores {
                let answer = try states.state(of: tape, store: store, after: seq)
                if case .state(let state) = answer {
                    snapshot.states.append("\(seq) \(store) \(try state.json().text)")
                } else {
                    snapshot.states.append("\(seq) \(store) \(answer)")
                }
            }
        }
        return snapshot
    }

    /// Reads every state, so that the patches that don't apply are marked.
    private func findBroken(stores: [String]) throws {
        let tape = Tapes(archive)[try now()]
        let states = States()
        for seq in tape.seqs {
            for store in stores { _ = try states.state(of: tape, store: store, after: seq) }
        }
    }

    private var pool: DatabasePool { get throws { try #require(archive as? SQLiteArchive).pool } }

    private func count(_ table: String) throws -> Int {
        try pool.read { try Int.fetchOne($0, sql: "SELECT count(*) FROM \(table)") ?? 0 }
    }

    @Test(
        "A sealed tape is read the same as an unsealed one", arguments: 0..<5)
    func sealed(_ seed: UInt64) throws {
        var chance = Chance(seed)
        var tape = RandomTape()
        for _ in 0..<8 {
            try append((0..<Int.random(in: 1...300, using: &chance)).map { _ in tape.next(&chance) })
            if Bool.random(using: &chance) { try seal(rest: Bool.random(using: &chance)) }
        }
        try findBroken(stores: RandomTape.stores)
        let before = try snapshot(stores: RandomTape.stores)
        try seal(rest: true)
        let after = try snapshot(stores: RandomTape.stores)
        #expect(after.lines == before.lines)
        for (after, before) in zip(after.heads + after.states, before.heads + before.states) {
            #expect(after == before)
        }
        #expect(try now().sealed == now().next)
        if Engine.isSQLite { #expect(try count("batch") == 0) }
    }

    @Test("Full states become patches where the patch restores them exactly")
    func fullStates() throws {
        func state(_ n: String, _ text: String) throws -> JSON {
            try JSON(
                parsing:
                    #"{"n":\#(n),"text":"\#(text)","list":[\#((0..<200).map(String.init).joined(separator: ","))]}"#
            )
        }
        let states = try [state("1", "a"), state("2", "a"), state("2", "b"), state("2.0", "c"), state("2.0", "d")]
        let lines = try [Sample.start(0, state("0", "a"))] + states.enumerated().map { Sample.full($0 + 1, $1) }
        try append(lines)
        try seal(rest: true)
        let tape = Tapes(archive)[try now()]
        let kept = try (0..<6).map { try #require(try tape.line(at: $0)) }
        #expect(kept.map { $0.raw("state") != nil } == [true, false, false, false, true, false])
        #expect(kept[1]["patch"] == [["op": "replace", "path": "/n", "value": 1]])
        #expect(kept[1].members == ["seq", "at", "event", "patch", "cause"])
        for (index, state) in states.enumerated() {
            let answer = try States().state(of: tape, store: "main", after: index + 1)
            guard case .state(let found) = answer else { return #expect(Bool(false), "\(answer)") }
            #expect(try found.json().bytes == state.bytes)
        }
    }

    @Test(
        "A state far from any full one is built from a keyframe, without the lines before it",
        .enabled(if: Engine.isSQLite))
    func keyframes() throws {
        let filler = JSON.string(String(repeating: "x", count: 2_000))
        let lines = (0..<1_000).map { seq in
            seq == 0
                ? Sample.start(0)
                : Sample.action(
                    seq,
                    (
                        "patch",
                        [
                            ["op": "replace", "path": "/n", "value": .number(.init(seq))],
                            ["op": "add", "path": "/filler", "value": filler],
                        ]
                    ))
        }
        try append(lines)
        let seals = try seal(rest: true)
        let keyframes = seals.flatMap(\.keyframes)
        #expect(keyframes.count >= 5)
        // Everything before the last keyframe is deleted, so nothing of it can be read.
        let last = try #require(keyframes.last?.seq)
        try pool.write { db in try db.execute(sql: "DELETE FROM chunk WHERE next <= \(last + 1)") }
        let tape = Tapes(archive)[try now()]
        guard case .state(let state) = try States().state(of: tape, store: "main", after: 999) else {
            return #expect(Bool(false), "no state")
        }
        #expect(try state.json() == ["n": 999, "filler": filler])
    }

    @Test("Types and notes are words of their session, each type once", .enabled(if: Engine.isSQLite))
    func words() throws {
        let note = EventLine(seq: 300, at: 1, kind: .note, members: [("text", "Paid twice")])
        try append(Sample.counting(to: 300) + [note, Sample.action(301, type: "cart/pay", ("skipped", true))])
        try seal(rest: true)
        let words = try pool.read { try String.fetchAll($0, sql: "SELECT text FROM word ORDER BY row") }
        #expect(words == ["counter/add", "cart/pay", "Paid twice"])
    }

    @Test("Only the start of a long note or type is a word", .enabled(if: Engine.isSQLite))
    func longWords() throws {
        let long = String(repeating: "e\u{301}", count: 100_000)
        let note = EventLine(seq: 1, at: 1, kind: .note, members: [("text", .string(long))])
        try append([Sample.start(0), note, Sample.action(2, type: long, ("skipped", true))])
        try seal(rest: true)
        let words = try pool.read { try String.fetchAll($0, sql: "SELECT text FROM word ORDER BY row") }
        #expect(words == Array(repeating: String(repeating: "e\u{301}", count: 2_048), count: 2))
    }

    @Test("A seal deletes the batches whose lines are all sealed; one that reaches further stays for the next seal")
    func batches() throws {
        func firsts() throws -> [Int] {
            let sql = "SELECT first FROM batch ORDER BY first"
            if let postgres = archive as? PostgresArchive {
                return try postgres.read { try $0.run(sql).map { try $0.int("first") } }
            }
            return try pool.read { try Int.fetchAll($0, sql: sql) }
        }
        let lines = Sample.counting(to: 700)
        for first in stride(from: 0, to: 600, by: 100) { try append(Array(lines[first..<first + 100])) }
        #expect(try seal(rest: false).map(\.covers) == [0..<256, 256..<512])
        #expect(try firsts() == [500])
        try append(Array(lines[600...]))
        #expect(try seal(rest: true).map(\.covers) == [512..<700])
        #expect(try firsts().isEmpty)
    }

    @Test("Lines are sealed once: a second seal of the same events stores nothing")
    func twice() throws {
        try append(Sample.counting(to: 256))
        let seals = try seal(rest: false)
        #expect(seals.count == 1)
        let outcome = try archive.commit([.seal(seals[0])], received: 0)
        guard case .dropped? = outcome.first else { return #expect(Bool(false), "\(outcome)") }
        if Engine.isSQLite { #expect(try count("chunk") == 1 && count("head") == 1) }
    }
}
