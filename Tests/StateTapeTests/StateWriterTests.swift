import Foundation
import TapeFormat
import Testing

@testable import StateCapture
@testable import StateTape

@Suite("States as patches")
struct StateWriterTests {
    struct Item: Codable, Equatable {
        var id = 0
        var title = ""
        var tags: Set<String> = []
        var due: Date?
        var kind = Kind.plain
        enum Kind: Codable, Equatable {
            case plain
            case timed(minutes: Int)
            case nested([Int])
        }
    }

    struct State: Codable, Equatable {
        var items: [Item] = []
        var named: [String: Item] = [:]
        var numbered: [Int: Double] = [:]
        var text = ""
        var selected: Int?
        var data = Data()
        var ratio = 0.5
        var matrix: [[Int?]] = []
    }

    private func edit(_ state: inout State, _ random: inout some RandomNumberGenerator) {
        let words = ["", "a", "é", "e\u{301}", "😀", "a/b", "m~n", String(repeating: "long ", count: 20)]
        func number(_ limit: Int) -> Int { Int.random(in: 0..<limit, using: &random) }
        switch number(12) {
        case 0: state.items.insert(Item(id: number(1_000)), at: number(state.items.count + 1))
        case 1: if !state.items.isEmpty { state.items.remove(at: number(state.items.count)) }
        case 2: if !state.items.isEmpty { state.items[number(state.items.count)].title = words[number(8)] }
        case 3: if !state.items.isEmpty { state.items[number(state.items.count)].tags = ["t\(number(5))"] }
        case 4: if !state.items.isEmpty { state.items[number(state.items.count)].due = Date(timeIntervalSince1970: 5) }
        case 5:
            if !state.items.isEmpty {
                state.items[number(state.items.count)].kind =
                    [.plain, .timed(minutes: number(9)), .nested([1, number(3)])][number(3)]
            }
        case 6: state.named[words[number(8)]] = number(3) == 0 ? nil : Item(id: number(9))
        case 7: state.numbered[number(5)] = number(2) == 0 ? nil : Double(number(100)) / 7
        case 8: state.text += words[number(8)]
        case 9: state.selected = number(2) == 0 ? nil : number(9)
        case 10: state.ratio = [Double.nan, .infinity, 1e300, -0.0, 0][number(5)]
        default:
            state.matrix.append([number(3), nil])
            state.data.append(UInt8(number(256)))
            if state.matrix.count > 4 { state.matrix.removeAll() }
        }
    }

    private func writer<Value: Codable>(_ type: Value.Type) -> StateWriter<Value> {
        StateWriter(StateCodec(), nil, Layouts())
    }

    private func apply<Value>(_ written: StateWriter<Value>.Written, to tree: inout JSON) throws {
        switch written {
        case .full(let text): tree = try JSON(parsing: text)
        case .patch(let text): try Patch(JSON(parsing: text)).apply(to: &tree)
        }
    }

    @Test("After thousands of random edits, the patched tree equals the encoder's, for values and encoded trees")
    func property() throws {
        var random = Seeded(7)
        for round in 0..<20 {
            var state = State()
            var writer = writer(State.self)
            var tree = JSON.null
            for _ in 0..<150 {
                for _ in 0...Int.random(in: 0..<3, using: &random) { edit(&state, &random) }
                let text = try StateCodec<State>().text(of: state, nil, DirectEncoder())
                try writer.write(round % 4 == 0 ? .json(text) : .value(state)) { written, _ in
                    #expect(throws: Never.self) { try apply(written, to: &tree) }
                    return true
                }
                #expect(try tree == JSON(parsing: text))
            }
        }
    }

    @Test("A state that was not accepted does not change the base")
    func refused() throws {
        var writer = writer([Int].self)
        try writer.write(.value([1])) { _, _ in true }
        try writer.write(.value([1, 2])) { _, _ in false }
        #expect(try writer.whole() == Array("[1]".utf8))
        try writer.write(.value([1, 2, 3])) { written, _ in
            guard case .patch = written else { return false }
            var tree: JSON = [1]
            #expect(throws: Never.self) { try apply(written, to: &tree) }
            #expect(tree == [1, 2, 3])
            return true
        }
        writer.forget()
        try writer.write(.value([1])) { written, _ in
            if case .full(let text) = written {
                #expect(text == Array("[1]".utf8))
            } else {
                Issue.record("a patch without a base")
            }
            return true
        }
    }

    @Test("If the patch is longer than the state, the state is written")
    func shorter() throws {
        var writer = writer([String: Int].self)
        func entries(_ name: String) -> [String: Int] {
            Dictionary(uniqueKeysWithValues: (0..<500).map { ("\(name) \($0)", $0) })
        }
        try writer.write(.value(entries("one"))) { _, _ in true }
        try writer.write(.value(entries("other"))) { written, _ in
            if case .full = written { return true }
            Issue.record("a patch that is longer than the state")
            return true
        }
    }

    @Test("If an encoding catches an error of a part, each state is encoded whole")
    func caught() throws {
        struct Part: Encodable {
            var fails = true
            func encode(to encoder: any Encoder) throws { if fails { throw CancellationError() } }
        }
        struct Catching: Codable {
            var part = Part()
            var fallback = "a"
            init() {}
            init(from decoder: any Decoder) {}
            func encode(to encoder: any Encoder) throws {
                var container = encoder.container(keyedBy: PlainKey.self)
                // A comparison would not find the value that it writes instead.
                do { try container.encode(part, forKey: PlainKey("part")) } catch {
                    try container.encode(fallback, forKey: PlainKey("caught"))
                }
            }
        }
        var (state, tree, writer) = (Catching(), JSON.null, writer(Catching.self))
        for (fallback, fails) in [("a", true), ("b", true), ("c", false), ("d", false), ("e", true), ("f", true)] {
            (state.fallback, state.part.fails) = (fallback, fails)
            try writer.write(.value(state)) { written, _ in
                #expect(throws: Never.self) { try apply(written, to: &tree) }
                return true
            }
            #expect(tree == (fails ? ["caught": .string(fallback)] : ["part": [:]]))
        }
    }

    @Test("A verifying writer finds a wrong patch and its place")
    func verified() throws {
        struct Pair: Codable {
            var first = 1
            var second = 2
        }
        var state = [Pair(), Pair()]
        // A comparison that ignores the second field misses a changed element.
        let blind = Layouts { type, field in type == Pair.self && field == 1 }
        var writer = StateWriter<[Pair]>(StateCodec(), nil, blind, isVerifying: true)
        try writer.write(.value(state)) { _, _ in true }
        state[1].first = 3
        try writer.write(.value(state)) { _, _ in true }
        state[1].second = 4
        let failure = #expect(throws: PatchCheck.Failure.self) { try writer.write(.value(state)) { _, _ in true } }
        #expect(failure?.description.contains("“/1/second”") == true)
        try writer.write(.value(state), full: true) { _, _ in true }
        state[0].first = 5
        try writer.write(.value(state)) { _, _ in true }
    }
}
