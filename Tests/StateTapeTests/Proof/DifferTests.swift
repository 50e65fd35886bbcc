import Foundation
import TapeFormat
import Testing

@testable import StateCapture
@testable import StateTape

@Suite("Patches from two values")
struct DifferTests {
    struct Todo: Codable, Identifiable {
        var id: Int
        var title = "Buy milk and bread"
        var isDone = false
    }

    private let todos = (0..<4_000).map { Todo(id: $0) }

    /// The patch, which must turn the old value's JSON into the new one's.
    private func patch<Value: Encodable>(from old: Value, to new: Value) throws -> JSON {
        let output = ByteBuffer()
        try Differ(layouts: Layouts()).difference(from: old, to: new, to: output)
        let patch = try JSON(parsing: output.bytes)
        var tree = try TreeEncoder().tree(of: old)
        try Patch(patch).apply(to: &tree)
        #expect(try tree == TreeEncoder().tree(of: new))
        return patch
    }

    /// The patch from a value to the edited one.
    private func patch<Value: Encodable>(_ value: Value, edit: (inout Value) -> Void) throws -> JSON {
        var new = value
        edit(&new)
        return try patch(from: value, to: new)
    }

    // MARK: Arrays

    @Test("One toggled element of thousands is one operation")
    func toggled() throws {
        let patch = try patch(todos) { $0[1_234].isDone.toggle() }
        #expect(patch == [["op": "replace", "path": "/1234/isDone", "value": true]])
    }

    @Test("An element inserted in front is added there")
    func inserted() throws {
        let patch = try patch(todos) { $0.insert(Todo(id: -1, title: ""), at: 0) }
        #expect(patch == [["op": "add", "path": "/0", "value": ["id": -1, "title": "", "isDone": false]]])
    }

    @Test("An element removed from the middle is removed there")
    func removed() throws {
        #expect(try patch(todos) { $0.remove(at: 2_000) } == [["op": "remove", "path": "/2000"]])
    }

    @Test("A moved element is one move operation", arguments: [(10, 30), (30, 10), (0, 3_999), (3_999, 0)])
    func moved(from: Int, to: Int) throws {
        let patch = try patch(todos) { $0.insert($0.remove(at: from), at: to) }
        #expect(patch == [["op": "move", "from": .string("/\(from)"), "path": .string("/\(to)")]])
    }

    @Test("Elements with an id are followed through insertions, removals and moves")
    func followed() throws {
        let patch = try patch(todos) {
            $0.swapAt(5, 9)
            $0.remove(at: 7)
            $0.insert(Todo(id: -1), at: 2)
            $0[5].isDone = true
        }
        let steps = try Patch(patch).operations
        #expect(steps.count <= 5)
        #expect(steps.count { if case .replace = $0 { true } else { false } } == 1)
    }

    @Test("Elements without an id can be inserted and removed too")
    func plain() throws {
        let words = ["a", "b", "c", "d", "e", "f"]
        #expect(try patch(words) { $0.insert("x", at: 2) } == [["op": "add", "path": "/2", "value": "x"]])
        #expect(try patch(words) { $0.remove(at: 0) } == [["op": "remove", "path": "/0"]])
        #expect(try patch(words) { $0[3] = "x" } == [["op": "replace", "path": "/3", "value": "x"]])
    }

    // MARK: Patches that a reader would refuse, because they move too many elements

    @Test("An array that loses or gets many elements in front is replaced")
    func manyInFront() throws {
        let numbers = Array(0..<60_000)
        #expect(try patch(numbers) { $0.removeFirst(12_000) }.array?.count == 1)
        #expect(try patch(Array(numbers[12_000...])) { $0 = numbers }.array?.count == 1)
        // The element's rest is compared as before.
        #expect(try patch(numbers) { $0.removeLast(12_000) }.array?.count == 12_000)
    }

    @Test("The arrays and texts of a state share the limit")
    func sharedLimit() throws {
        struct State: Encodable {
            var numbers = Array(0..<60_000)
            var text = String(repeating: "x", count: 4_096)
        }
        let arrays = try patch([State().numbers, State().numbers]) {
            for index in $0.indices { $0[index].removeFirst(6_000) }
        }
        #expect(arrays.array?.count == 6_001)
        // This leaves 4 096 of the limit.
        let all = try patch(State()) { state in
            state.numbers.removeFirst(10_944)
            state.text += "!"
        }
        #expect(all[10_944]?["op"] == "splice")
        let rest = try patch(State(text: State().text + "x")) { state in
            state.numbers.removeFirst(10_944)
            state.text += "!"
        }
        #expect(rest[10_944]?["op"] == "replace")
    }

    @Test("A set, a dictionary with other keys than texts and an own container are replaced as well")
    func manyUnordered() throws {
        struct List: Encodable {
            var numbers = Array(0..<60_000)
            func encode(to encoder: any Encoder) throws {
                var container = encoder.unkeyedContainer()
                for number in numbers { try container.encode(number) }
            }
        }
        struct State: Encodable {
            var list = List()
            var set = Set(0..<60_000)
            var pairs = Dictionary(uniqueKeysWithValues: (0..<30_000).map { (Double($0), 0) })
        }
        let old = State()
        var new = old
        new.list.numbers.removeFirst(12_000)
        new.set = old.set.filter { !String($0).hasPrefix("1") }
        new.pairs = old.pairs.filter { !String($0.key).hasPrefix("1") }
        // Other encoders vary the order of sets and dictionaries.
        let encoder = DirectEncoder()
        func tree(_ state: State) throws -> JSON {
            let text = ByteBuffer()
            try encoder.encode(state, to: text)
            return try JSON(parsing: text.bytes)
        }
        for (old, new) in [(old, new), (new, old)] {
            let output = ByteBuffer()
            try Differ(layouts: Layouts()).difference(from: old, to: new, to: output)
            let patch = try JSON(parsing: output.bytes)
            #expect(patch.array?.map { $0["path"] } == ["/list", "/set", "/pairs"])
            #expect(try Patch(patch).applied(to: tree(old)) == tree(new))
        }
    }

    // MARK: Texts

    @Test("A keystroke in a long text is a splice, in a short one a replacement")
    func keystroke() throws {
        let text = String(repeating: "löng ", count: 20)
        #expect(
            try patch([text]) { $0[0].insert("é", at: $0[0].index($0[0].startIndex, offsetBy: 7)) }
                == [["op": "splice", "path": "/0", "at": 9, "remove": 0, "insert": "é"]])
        #expect(try patch(["tea"]) { $0[0] += "!" } == [["op": "replace", "path": "/0", "value": "tea!"]])
    }

    @Test("Texts that are equal in Swift are distinguished by their bytes")
    func canonical() throws {
        #expect(
            try patch(from: ["é"], to: ["e\u{301}"]) == [["op": "replace", "path": "/0", "value": "e\u{301}"]])
        #expect(try patch(from: ["é": 1, "a": 0], to: ["e\u{301}": 1, "a": 0]).array?.count == 2)
    }

    // MARK: Unordered collections

    @Test("Each key of a dictionary keeps its value, whatever it means and however many there are", arguments: [3, 40])
    func names(count: Int) throws {
        var old = Dictionary(uniqueKeysWithValues: (0..<count).map { ("key \($0)", [$0]) })
        (old["id"], old["value"]) = ([-1], [-2])
        let patch = try patch(old) { new in
            new["id"] = [1]
            for key in old.keys where key != "id" { new[key]?.append(7) }
        }
        #expect(patch.array?.count == count + 2)
    }

    @Test("A changed entry of a dictionary is one operation, at its key")
    func entry() throws {
        let names = Dictionary(uniqueKeysWithValues: (0..<200).map { ("a/\($0)", $0) })
        #expect(try patch(names) { $0["a/7"] = -1 } == [["op": "replace", "path": "/a~17", "value": -1]])
        #expect(try patch(names) { $0["~"] = 1 } == [["op": "add", "path": "/~0", "value": 1]])
        #expect(try patch(names) { $0["a/9"] = nil } == [["op": "remove", "path": "/a~19"]])
        #expect(try patch([5: true, 6: true]) { $0[6] = false } == [["op": "replace", "path": "/6", "value": false]])
    }

    @Test("An entry whose key is not a text is one operation")
    func pairs() throws {
        // One entry, since other encoders vary the order.
        let id = UUID()
        #expect(try patch([id: 1]) { $0[id] = 2 } == [["op": "replace", "path": "/1", "value": 2]])
    }

    @Test("A key that replaces another of the same name keeps its place")
    func sameName() throws {
        struct Key: Hashable, Encodable, CodingKeyRepresentable {
            var name: String
            var version: Int
            init(_ name: String, version: Int) { (self.name, self.version) = (name, version) }
            init?(codingKey: some CodingKey) { self.init(codingKey.stringValue, version: 0) }
            var codingKey: any CodingKey { Field(stringLiteral: name) }
        }
        let steps = try patch(from: [Key("a", version: 0): 1], to: [Key("a", version: 1): 2])
        #expect(steps != [])
    }

    @Test("Keys with the same text are in the order of their values")
    func sameText() throws {
        // The order of such keys varies with the dictionary.
        let encoder = DirectEncoder()
        for count in 1...8 {
            var old: [Double: Int] = [:]
            for value in (0..<count).reversed() { old.updateValue(value, forKey: .nan) }
            var new = old
            new.updateValue(count, forKey: .nan)
            let (output, before, after) = (ByteBuffer(), ByteBuffer(), ByteBuffer())
            try Differ(layouts: Layouts()).difference(from: old, to: new, to: output)
            try encoder.encode(old, to: before)
            try encoder.encode(new, to: after)
            var tree = try JSON(parsing: before.bytes)
            try Patch(JSON(parsing: output.bytes)).apply(to: &tree)
            #expect(try tree == JSON(parsing: after.bytes))
        }
    }

    @Test("Elements added to or removed from a set are added and removed in the patch")
    func set() throws {
        #expect(try patch(Set<String>()) { $0.insert("b") } == [["op": "add", "path": "/0", "value": "b"]])
        #expect(try patch(Set(["b"])) { $0.remove("b") } == [["op": "remove", "path": "/0"]])
    }

    // MARK: Numbers

    @Test("A changed wide integer is one operation, wherever it is")
    func wide() throws {
        guard #available(macOS 15, iOS 18, *) else { return }
        struct State: Codable {
            var member: Int128 = 1
            var optional: UInt128?
            var list: [Int128] = [1, 2]
        }
        #expect(try patch(State()) { $0.member = .max }.array?.count == 1)
        #expect(try patch(State()) { $0.optional = 5 } == [["op": "add", "path": "/optional", "value": 5]])
        #expect(try patch(State()) { $0.list[1] = 7 } == [["op": "replace", "path": "/list/1", "value": 7]])
        struct Elements: Encodable {
            var number: Int128
            func encode(to encoder: any Encoder) throws {
                var container = encoder.unkeyedContainer()
                try container.encode(number)
                try container.encode(UInt128(2))
            }
        }
        #expect(try patch(Elements(number: 1)) { $0.number = 3 } == [["op": "replace", "path": "/0", "value": 3]])
    }

    // MARK: Optionals and enums

    struct Form: Codable {
        var due: Date?
        var phase = Phase.idle

        enum Phase: Codable {
            case idle
            case running(done: Int, of: Int)
        }
    }

    @Test("A nil member is left out")
    func optional() throws {
        let date = Date(timeIntervalSinceReferenceDate: 5)
        #expect(try patch(Form()) { $0.due = date } == [["op": "add", "path": "/due", "value": 5]])
        #expect(try patch(Form(due: date)) { $0.due = nil } == [["op": "remove", "path": "/due"]])
        #expect(try patch([1, nil]) { $0[1] = 2 } == [["op": "replace", "path": "/1", "value": 2]])
        #expect(try patch([1, nil]) { $0[0] = nil } == [["op": "replace", "path": "/0", "value": .null]])
    }

    @Test("Another case of an enum is one operation, and so is another value of the same case")
    func cases() throws {
        let running = Form.Phase.running(done: 1, of: 9)
        #expect(
            try patch(Form()) { $0.phase = running }
                == [["op": "replace", "path": "/phase", "value": ["running": ["done": 1, "of": 9]]]])
        #expect(
            try patch(Form(phase: running)) { $0.phase = .running(done: 2, of: 9) }
                == [["op": "replace", "path": "/phase/running/done", "value": 2]])
    }

    // MARK: Equal values, other encodings

    @Test("An equal value in its own storage changes nothing")
    func equal() throws {
        struct State: Encodable {
            var todos: [Todo]
            var names: [String: [Double]]
            var tags: Set<String>
            var text: String
            var ratio: Double
        }
        func make(_ capacity: Int, _ payload: UInt64) -> State {
            var names = [String: [Double]](minimumCapacity: capacity)
            for number in 0..<8 { names["name \(number)"] = [Double(number), Double(bitPattern: payload)] }
            return State(
                todos: (0..<9).map { Todo(id: $0) }, names: names, tags: ["one tag of three bytes"],
                text: String(repeating: "löng", count: 20), ratio: Double(bitPattern: payload))
        }
        // Two of the bit patterns of NaN.
        #expect(try patch(from: make(8, 0x7ff8_0000_0000_0000), to: make(90, 0x7ff8_0000_0000_0001)) == [])
    }

    @Test("Members are compared by their coding keys")
    func renamed() throws {
        struct State: Encodable {
            var name = "a"
            var cache = 0
            enum CodingKeys: String, CodingKey { case name = "the/name" }
        }
        #expect(try patch(State()) { $0.name = "b" } == [["op": "replace", "path": "/the~1name", "value": "b"]])
        #expect(try patch(State()) { $0.cache = 1 } == [])
    }

    @Test("A change in a nested container is one operation, at its path")
    func nested() throws {
        struct State: Encodable {
            var number = 1
            func encode(to encoder: any Encoder) throws {
                var container = encoder.container(keyedBy: Field.self)
                var list = container.nestedUnkeyedContainer(forKey: "list")
                try list.encode("first")
                var object = list.nestedContainer(keyedBy: Field.self)
                try object.encode(number, forKey: "number")
                try container.encode("last", forKey: "last")
            }
        }
        #expect(
            try patch(State()) { $0.number = 2 } == [["op": "replace", "path": "/list/1/number", "value": 2]])
    }

    @Test("Temporary values are compared by value, not by their former storage")
    func temporary() throws {
        struct State: Encodable {
            var words: [String]
            func encode(to encoder: any Encoder) throws {
                var container = encoder.unkeyedContainer()
                for word in words { try container.encode([word + " in storage of its own"]) }
            }
        }
        let words = (0..<100).map(String.init)
        #expect(
            try patch(State(words: words)) { $0.words[50] = "x" }
                == [["op": "replace", "path": "/50/0", "value": "x in storage of its own"]])
    }

    @Test("Temporary instances of several classes are compared by their encoding")
    func instances() throws {
        class Base: Encodable {
            let number: Int
            init(_ number: Int) { self.number = number }
        }
        final class Special: Base {
            override func encode(to encoder: any Encoder) throws {
                var container = encoder.singleValueContainer()
                try container.encode("special")
            }
        }
        struct State: Encodable {
            var numbers: [Int]
            func encode(to encoder: any Encoder) throws {
                var container = encoder.singleValueContainer()
                try container.encode(numbers.map { $0 < 0 ? Special($0) : Base($0) })
            }
        }
        #expect(try patch(State(numbers: [-1, 1])) { $0.numbers[1] = 2 } != [])
        #expect(try patch(State(numbers: [-1])) { $0.numbers = [3] } != [])
    }
}
