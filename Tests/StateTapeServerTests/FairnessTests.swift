import Foundation
import SampleTapes
import TapeEngine
import TapeFormat
import TapeSockets
import Testing

@testable import StateTapeServer

extension Requester {
    /// A person with control, on this machine.
    static let all = Requester(role: .control, peer: "127.0.0.1")
    static let stranger = Requester(role: .view, peer: "203.0.113.7")
}

@Suite("Fair shares", .timeLimit(.minutes(1))) final class FairnessTests {
    private let folder = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString)

    init() throws { try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: false) }

    deinit { try? FileManager.default.removeItem(at: folder) }

    private let other = Requester(role: .view, peer: "203.0.113.8")

    @Test("Clients take turns, whatever each has waiting")
    func turns() {
        var turns = Turns<String>()
        for number in 0..<3 { turns.add("a\(number)", for: .stranger) }
        turns.add("b0", for: other)
        turns.add("c0", for: .all)
        turns.add("b1", for: other)
        var order: [String] = []
        while let next = turns.next() { order.append(next) }
        #expect(order == ["a0", "b0", "c0", "a1", "b1", "a2"])
        #expect(turns.isEmpty && turns.count == 0)
    }

    @Test("A network's addresses are one client, and its roles are not")
    func clients() {
        #expect(Requester(role: .view, peer: "2001:db8::1") == Requester(role: .view, peer: "2001:db8::2"))
        #expect(Requester(role: .view, peer: "2001:db8:0:1::1") != Requester(role: .view, peer: "2001:db8::2"))
        #expect(Requester(role: .control, peer: "10.0.0.1") != Requester(role: .view, peer: "10.0.0.1"))
    }

    private func body(_ answer: HTTPAnswer) throws -> (status: Int, body: [UInt8], isInMemory: Bool) {
        switch answer {
        case .whole(let response): return (response.status, response.body, true)
        case .stream(let head, let next):
            var body: [UInt8] = []
            while let piece = try next() { body += piece }
            return (head.status, body, false)
        }
    }

    private func answer(_ count: Int) -> HTTPAnswer {
        .whole(HTTPResponse(status: 200, body: (0..<count).map { UInt8(truncatingIfNeeded: $0 &* 31) }))
    }

    @Test("Answers wait in memory up to a share, then in files; then the client is told to come back")
    func pending() throws {
        let pending = PendingAnswers(in: folder, memory: 8 << 20, disk: 16 << 20)
        var kept: [HTTPAnswer] = []
        // Each has a MiB; a stranger's share is an eighth.
        for _ in 0..<4 { kept.append(pending.keep(answer(1 << 20), for: .stranger)) }
        #expect(pending.bytes.memory == 1 << 20 && pending.bytes.disk == 2 << 20)
        #expect(throws: Problem.self) { try pending.check(.stranger) }
        let found = try kept.map(body)
        #expect(found.map(\.status) == [200, 200, 200, 503])
        #expect(found.map(\.isInMemory) == [true, false, false, true])
        #expect(found[0].body == found[1].body && found[1].body.count == 1 << 20)
        // The files have no names.
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path).isEmpty)

        // Others are not affected, and control may take what is left.
        try pending.check(other)
        #expect(try body(pending.keep(answer(1 << 20), for: other)).isInMemory)
        let control = (0..<6).map { _ in pending.keep(answer(1 << 20), for: .all) }
        #expect(try control.map(body).allSatisfy { $0.status == 200 && $0.isInMemory })
        // Small answers are not counted.
        #expect(try body(pending.keep(answer(1_000), for: .stranger)).isInMemory)
        kept = []
        try pending.check(.stranger)
    }

    @Test("An answer larger than a share waits in a file, if it is the client's only one")
    func large() throws {
        let pending = PendingAnswers(in: folder, memory: 1 << 20, disk: 2 << 20)
        let first = pending.keep(answer(3 << 20), for: .stranger)
        #expect(try body(first).body.count == 3 << 20)
        #expect(try body(pending.keep(answer(1 << 20), for: .stranger)).status == 503)
        withExtendedLifetime(first) {}
    }

    @Test("A large value becomes text in a file, which counts while somebody reads it")
    func files() throws {
        let pending = PendingAnswers(in: folder, memory: 1, disk: 8 << 20)
        let value = JSON.array(Array(repeating: .string(String(repeating: "é", count: 500)), count: 1_000))
        let size = JSON.Footprint.text(of: value)
        var file: AnswerFile? = try pending.file(of: .value(value), size: size, for: .stranger)
        #expect(pending.bytes.disk == size && pending.bytes.memory == 0)
        #expect(throws: Problem.self) { try pending.file(of: .value(value), size: size, for: .stranger) }
        var text: [UInt8] = []
        while let piece = try file?.next() { text += piece }
        #expect(text == value.bytes && file?.count == text.count)
        file = nil
        #expect(pending.bytes.disk == 0)
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path).isEmpty)
    }

    @Test("A large piece of a stream takes room until it was read, no longer")
    func largePieces() throws {
        let pending = PendingAnswers(in: folder, memory: 8 << 20, disk: 8 << 20)
        let pieces = Locked([[UInt8](repeating: 1, count: 1 << 20), [2], [3]])
        let answer = pending.keep(
            .stream(HTTPResponseHead(status: 200, headers: [])) {
                pieces.withLock { $0.isEmpty ? nil : $0.removeFirst() }
            }, for: .stranger)
        guard case .stream(_, let next) = answer else { throw Problem(500, "refused", "") }
        var read = 0
        while read < 1 << 20 { read += try #require(try next()).count }
        #expect(pending.bytes.disk == 1 << 20)
        #expect(try next() == [2] && pending.bytes.disk == 0)
        #expect(try next() == [3])
        #expect(try next() == nil)
    }

    @Test("One at a time works on a key, and others on other keys")
    func oneAtATime() async {
        let gate = OneAtATime<Int>()
        let inside = Locked<[Int: Int]>([:])
        let most = Locked(0)
        await withTaskGroup(of: Void.self) { group in
            for number in 0..<8 {
                group.addTask {
                    for _ in 0..<1_000 {
                        gate.run(number % 2) {
                            let now = inside.withLock { inside in
                                inside[number % 2, default: 0] += 1
                                return inside[number % 2, default: 0]
                            }
                            most.withLock { $0 = max($0, now) }
                            inside.withLock { $0[number % 2, default: 0] -= 1 }
                        }
                    }
                }
            }
        }
        #expect(most.withLock { $0 } == 1)
        // A key that is taken keeps no other one waiting.
        #expect(gate.run(1) { gate.run(2) { 3 } } == 3)
    }

    @Test("A stream counts while it is read")
    func streams() throws {
        let pending = PendingAnswers(in: folder, memory: 8 << 20, disk: 1)
        func stream() -> HTTPAnswer { .stream(HTTPResponseHead(status: 200, headers: [])) { nil } }
        var kept = (0..<3).map { _ in pending.keep(stream(), for: .stranger) }
        #expect(try kept.map { try body($0).status } == [200, 200, 503])
        kept = []
        #expect(pending.bytes.memory == 0)
        #expect(try body(pending.keep(stream(), for: .stranger)).status == 200)
    }

    @Test("No client takes all places, and control finds one beside the others")
    func places() {
        var places = Places(10, withoutControl: 6, ofClient: 4)
        func take(_ client: Requester) -> Int {
            var count = 0
            while places.take(client) { count += 1 }
            return count
        }
        #expect(take(.stranger) == 4 && take(other) == 2 && take(.all) == 4)
        places.give(back: .stranger)
        #expect(take(other) == 1 && take(.stranger) == 0 && take(.all) == 0)
    }
}
