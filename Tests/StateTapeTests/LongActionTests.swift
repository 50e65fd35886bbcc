import Foundation
import TapeFormat
import Testing

@testable import StateCapture
@testable import StateTape
@testable import TapeUplink

@Suite("Long actions", .serialized, .timeLimit(.minutes(1)))
struct LongActionTests {
    /// Counts how many of its values were encoded.
    private struct Part: Encodable {
        static let encoded = Locked(0)

        func encode(to encoder: any Encoder) throws {
            Self.encoded.withLock { $0 += 1 }
            var container = encoder.singleValueContainer()
            try container.encode("part")
        }
    }

    /// Writes each part into a container of its own, and goes on after errors.
    private struct Nested: Encodable {
        func encode(to encoder: any Encoder) throws {
            var outer = encoder.unkeyedContainer()
            for _ in 0..<30_000 {
                var inner = outer.nestedContainer(keyedBy: DirectKey.self)
                try inner.encode(Part(), forKey: DirectKey(index: 0))
            }
        }
    }

    private struct Careless: Encodable {
        func encode(to encoder: any Encoder) throws {
            var container = encoder.unkeyedContainer()
            for _ in 0..<1_000 { try? container.encode(String(repeating: "x", count: 1_000)) }
            try? container.encode(Data(count: 1 << 20))
        }
    }

    private static let limit = 64 << 10

    enum Long: String, CaseIterable, Sendable {
        case data, text, escaped, numbers, doubles, texts, parts, dictionary, pairs, set, containers, caughtErrors
        case datas, dates, bools, nothing, deepText

        var value: any Encodable {
            switch self {
            case .data: Data(count: 1 << 20)
            case .text: String(repeating: "é", count: 1 << 20)
            case .escaped: String(repeating: "\"", count: 1 << 20)
            case .numbers: Array(0..<100_000)
            case .doubles: (0..<20_000).map { Double($0) / 7 }
            case .texts: [String](repeating: "text", count: 20_000)
            case .parts: (0..<30_000).map { _ in Part() }
            case .dictionary: Dictionary(uniqueKeysWithValues: (0..<20_000).map { ("key \($0)", $0) })
            case .pairs: Dictionary(uniqueKeysWithValues: (0..<20_000).map { ([$0], $0) })
            case .set: Set(0..<20_000)
            case .containers: Nested()
            case .caughtErrors: Careless()
            case .datas: [Data](repeating: Data(count: 1_000), count: 1_000)
            case .dates: [Date](repeating: Date(timeIntervalSince1970: 0.1), count: 20_000)
            case .bools: [Bool](repeating: true, count: 20_000)
            case .nothing: [Int?](repeating: nil, count: 20_000)
            case .deepText: ["a": ["b": ["c": String(repeating: "x", count: 1 << 20)]]]
            }
        }
    }

    @Test("Whatever a long action holds, its encoding stops at the limit", arguments: Long.allCases)
    func stops(kind: Long) throws {
        let value = kind.value
        let encoder = DirectEncoder(.standard)
        let buffer = ByteBuffer()
        buffer.append("before")
        Part.encoded.withLock { $0 = 0 }
        #expect(throws: EncodingError.self) {
            try encoder.encoding(atMost: Self.limit) { try encoder.encode(value, to: buffer) }
        }
        #expect(buffer.bytes == Array("before".utf8))
        #expect(Part.encoded.withLock { $0 } < 20_000, "the rest is not visited")
        // The same encoder writes the whole value without the limit.
        try encoder.encode(value, to: buffer)
        #expect(buffer.count > Self.limit)
        #expect((try? JSON(parsing: buffer.array(from: 6))) != nil)
    }

    @Test("A value of exactly the limit is written", arguments: [50, 99, 100, 101])
    func exact(percent: Int) throws {
        let encoder = DirectEncoder(.standard)
        let text = String(repeating: "x", count: Self.limit * percent / 100 - 2)
        let buffer = ByteBuffer()
        let isWritten = (try? encoder.encoding(atMost: Self.limit) { try encoder.encode(text, to: buffer) }) != nil
        #expect(isWritten == (percent <= 100))
        #expect(buffer.count == (isWritten ? text.utf8.count + 2 : 0))
    }

    // MARK: Recording

    private enum Upload: Codable {
        case data(Data), text(String), numbers([Int]), note
        case slow(Slow)
    }

    /// Its encoding takes a while, which the test measures.
    private struct Slow: Codable {
        static let spent = Locked(Duration.zero)

        func encode(to encoder: any Encoder) throws {
            let start = ContinuousClock.now
            while ContinuousClock.now - start < .milliseconds(30) {}
            Self.spent.withLock { $0 += ContinuousClock.now - start }
            var container = encoder.singleValueContainer()
            try container.encode("slow")
        }

        init() {}
        init(from decoder: any Decoder) throws {}
    }

    private let scene = SpoolScene()

    @Test("`took` is the reducer's time, without that of encoding the action")
    func took() throws {
        let tape = scene.recorder("http://127.0.0.1:9/")
        tape.settle()
        let track = tape.track(TestState(), Upload.self)
        var state = track.start
        Slow.spent.withLock { $0 = .zero }
        let start = ContinuousClock.now
        try #require(tape.session).queue.suspend()
        track.record(.slow(Slow()), &state) { $0.count += 1 }
        let (whole, encoding) = (ContinuousClock.now - start, Slow.spent.withLock { $0 })
        try #require(tape.session).queue.resume()
        tape.settle()
        #expect(encoding >= .milliseconds(30), "the action is encoded where it is dispatched")
        let left = try scene.asLeft()
        let folder = try left.oldest()
        let line = try #require(try Segment.read(folder.segment(0)).lines.last { $0.kind == .action })
        let took = try #require(line["took"]?.double)
        #expect(took <= (whole - encoding).milliseconds)
    }

    @Test("A long action is on disk by its name before its reducer runs, and whole on the tape")
    func name() throws {
        let tape = scene.recorder("http://127.0.0.1:9/")
        tape.settle()
        let track = tape.track(TestState(), Upload.self)
        var state = track.start
        let all: [(String, Upload)] = [
            ("data", .data(Data(count: 300_000))), ("text", .text(String(repeating: "x", count: 300_000))),
            ("numbers", .numbers(Array(0..<100_000))), ("note", .note),
        ]
        for (name, action) in all {
            var found: SpoolScene?
            try track.record(action, &state) { state in
                state.count += 1
                found = try scene.asLeft()
            }
            let left = try #require(found)
            let folder = try left.oldest()
            var tape = OrphanedTape(folder)
            // One that is not encoded is named with its type.
            let known = name == "note" ? name : "Upload/\(name)"
            #expect(tape.pending().map(\.action).last == ["type": .string(known)])
        }
        tape.settle()
        let left = try scene.asLeft()
        let folder = try left.oldest()
        let lines = try Segment.read(folder.segment(0)).lines.filter { $0.kind == .action }
        #expect(lines.map { $0["action"]?["payload"] != nil } == [true, true, true, false])
        #expect(lines.allSatisfy { $0.raw("patch") != nil })
        #expect(lines.first?.size("action") ?? 0 > 400_000)
    }

    // MARK: Too long for the server

    private let transport = FakeTransport()

    private func recorder() -> Recorder {
        let tape = Recorder(
            .test(
                url: "http://127.0.0.1:9/", launch: Launch(environment: [:], arguments: ["/bin/test-app"]),
                log: { _ in }, transport: { [transport] in transport }))
        tape.settle()
        transport.say(.welcome(Welcome(session: "s", have: 0, server: "t", maxMessage: 10_000)))
        tape.settle()
        return tape
    }

    @Test(
        "An action at the server's limit keeps its state; a longer one loses its payload only, with a note",
        arguments: [50, 99, 101, 400])
    func tooLong(percent: Int) throws {
        let tape = recorder()
        let track = tape.track(TestState(), Upload.self)
        var state = track.start
        track.record(.note, &state) { $0.count = 1 }
        let text = String(repeating: "x", count: 10_000 * percent / 100 - 100)
        track.record(.text(text), &state) { $0.count = 2 }
        track.record(.note, &state) { $0.count = 3 }
        tape.settle()
        let events = transport.events
        let actions = events.filter { $0.kind == .action }
        #expect(events.map(\.seq) == Array(0..<events.count) && events.allSatisfy { $0.kind != .gap })
        #expect(actions.map(\.type) == ["note", "text", "note"])
        #expect(actions.allSatisfy { $0.raw("patch") != nil }, "each state is there")
        let payload = actions[1]["action"]?["payload"]
        let notes = events.filter { $0.kind == .note }.compactMap { $0["text"]?.string }
        guard percent > 100 else {
            #expect(payload?["_0"]?.string == text && notes.isEmpty)
            return
        }
        #expect(payload?["$long"]?.int ?? 0 > text.utf8.count)
        #expect(notes.count == 1)
        let note = try #require(notes.first)
        for part in ["action “text”", "10000 bytes", "--max-line"] { #expect(note.contains(part), "\(note)") }
    }

    @Test("Where a full state is due, an action that fits beside a patch keeps its payload")
    func beside() throws {
        let tape = recorder()
        var initial = TestState()
        initial.filter = String(repeating: "s", count: 4_000)
        let track = tape.track(initial, Upload.self)
        var state = track.start
        for index in 0..<8 {
            let session = try #require(tape.session)
            session.wait { session in for store in session.attached { store.writeFullNext(in: session) } }
            let text = String(repeating: "\(index)", count: index.isMultiple(of: 2) ? 8_000 : 1)
            track.record(.text(text), &state) { $0.count += 1 }
            tape.settle()
        }
        let actions = transport.events.filter { $0.kind == .action }
        let sizes = actions.compactMap { $0["action"]?["payload"]?["_0"]?.string?.utf8.count }
        #expect(sizes == (0..<8).map { $0.isMultiple(of: 2) ? 8_000 : 1 })
        #expect(actions.allSatisfy { $0.raw("state") ?? $0.raw("patch") != nil })
        #expect(transport.events.allSatisfy { $0.kind != .note }, "\(transport.events)")
    }

    @Test("A state that is too long is left out with one note, which names the limit; the actions keep their payloads")
    func longState() throws {
        let tape = recorder()
        let track = tape.track(TestState(), Upload.self)
        var state = track.start
        for index in 0..<5 {
            track.record(.text("\(index)"), &state) { $0.filter = String(repeating: "\(index)", count: 20_000) }
        }
        track.record(.text("5"), &state) { $0.filter = "short" }
        tape.settle()
        let events = transport.events
        let actions = events.filter { $0.kind == .action }
        #expect(actions.compactMap { $0["action"]?["payload"]?["_0"]?.string } == (0...5).map { "\($0)" })
        let notes = events.filter { $0.kind == .note }.compactMap { $0["text"]?.string }
        #expect(notes.count == 1)
        let note = try #require(notes.first)
        #expect(note.contains("10000 bytes") && note.contains("--max-line") && note.contains("except"), "\(note)")
    }

    @Test("An action whose payload is missing is refused, not dispatched without it")
    func refused() {
        let action: JSON = ["type": "text", "payload": ["$long": 18_874_420]]
        let codec = ActionCodec<Upload>()
        #expect {
            _ = try codec.read(action)
        } throws: { error in
            "\((error as? Pushed.Failure)?.message ?? "")".contains("18874420 bytes")
        }
    }
}
