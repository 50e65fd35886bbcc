import CShapes
import Foundation
import TapeFormat
import Testing

@testable import StateCapture
@testable import StateTape

@Suite("Values without Codable")
struct ReflectedTests {
    private func text(_ value: Any) throws -> String {
        let buffer = ByteBuffer()
        try DirectEncoder().encode(Reflected(value), to: buffer)
        return String(decoding: buffer.array(from: 0), as: UTF8.self)
    }

    private func expect(_ value: Any, _ expected: String, _ location: SourceLocation = #_sourceLocation) throws {
        #expect(try JSON(parsing: text(value)) == JSON(parsing: expected), sourceLocation: location)
    }

    struct Item {
        var id = 1
        var title = "milk"
        var due: Date? = Date(timeIntervalSinceReferenceDate: 5)
        var none: Int?
        var tags: Set<String> = ["b", "a"]
        var kind = Kind.plain
    }

    indirect enum Kind {
        case plain
        case one(Int)
        case named(title: String)
        case two(Int, unit: String)
        case nested(Kind)
    }

    @Test("A struct is an object of its fields, with dates and sets as with Codable")
    func structs() throws {
        try expect(
            Item(), #"{"id":1,"title":"milk","due":5,"none":null,"tags":["a","b"],"kind":"plain"}"#)
    }

    @Test("An enum has the shape that Codable would give it")
    func enums() throws {
        try expect(Kind.one(1), #"{"one":{"_0":1}}"#)
        try expect(Kind.named(title: "x"), #"{"named":{"title":"x"}}"#)
        try expect(Kind.two(1, unit: "kg"), #"{"two":{"_0":1,"unit":"kg"}}"#)
        try expect(Kind.nested(.plain), #"{"nested":{"_0":"plain"}}"#)
    }

    @Test("Dictionaries are objects whatever their keys, sorted by key")
    func dictionaries() throws {
        struct Key: Hashable { var x = 1 }
        #expect(try text(["b": Item?.none as Any, "a": Kind.plain as Any]) == #"{"a":"plain","b":null}"#)
        try expect([Key(): Kind.plain], #"{"{\"x\":1}":"plain"}"#)
    }

    class Base { var inherited = 1 }

    final class Node: Base {
        var name = "n"
        var next: Node?
        weak var parent: Node?
        unowned var owner: Base
        lazy var big = 5

        init(_ owner: Base) { self.owner = owner }
    }

    @Test("An instance has its superclass's fields too; cycles are cut, weak and unowned fields not followed")
    func instances() throws {
        let base = Base()
        let node = Node(base)
        node.next = node
        node.parent = node
        try expect(
            node,
            """
            {"inherited":1,"name":"n","next":{"$cycle":"Node"},"parent":{"$reference":"Optional<Node>"},
             "owner":{"$reference":"Base"},"big":null}
            """)
        node.next = nil
        _ = node.big
        #expect(try JSON(parsing: text(node))["big"] == 5)
    }

    @Test("An unowned field whose object is gone is not touched")
    func dangling() throws {
        struct Holder { unowned let object: Base }
        var base: Base? = Base()
        let holder = base.map { Holder(object: $0) }
        base = nil
        #expect(try holder.map { try text($0) } == #"{"object":{"$reference":"Base"}}"#)
    }

    @Test("Functions and types are named, and values beyond the depth bound are cut")
    func odd() throws {
        struct Odd {
            var type: Any.Type = Int.self
            var run: () -> Void = {}
            var never: Never?
            var tuple = (1, name: "x")
        }
        try expect(
            Odd(),
            #"{"type":{"$opaque":"Int.Type"},"run":{"$opaque":"() -> ()"},"never":null,"tuple":{"0":1,"name":"x"}}"#)
        var deep = Kind.plain
        for _ in 0..<1_000 { deep = .nested(deep) }
        #expect(try text(deep).contains(#"{"$deep":"Kind"}"#))
        #expect(try text((0..<200_000).map { Optional(Kind.one($0)) }).contains(#""$more""#))
    }

    @Test("An actor is named, and its isolated fields are not read")
    func actors() throws {
        actor Cache {
            private var names = ["a": "b"]
            func add() { names["c"] = "d" }
        }
        struct State {
            var cache = Cache()
            var other: Cache? = Cache()
            var all: [any Actor] = [Cache()]
        }
        try expect(
            State(), #"{"cache":{"$opaque":"Cache"},"other":{"$opaque":"Cache"},"all":[{"$opaque":"Cache"}]}"#)
        try expect(Cache(), #"{"$opaque":"Cache"}"#)
    }

    @Test("A custom mirror is used unchanged")
    func custom() throws {
        struct Custom: CustomReflectable {
            var customMirror: Mirror { Mirror(self, children: ["x": 1, "y": Kind.plain]) }
        }
        try expect(Custom(), #"{"x":1,"y":"plain"}"#)
    }

    @Test("Patches are as small as with Codable, and lead to the next state")
    func patches() throws {
        struct State {
            var items = (0..<100).map { Item(id: $0) }
            var count = 0
        }
        let old = State()
        var new = old
        new.items[7].title = "bread"
        new.count = 1
        let buffer = ByteBuffer()
        try Differ(layouts: Layouts()).difference(from: Reflected(old), to: Reflected(new), to: buffer)
        let patch = try Patch(JSON(parsing: buffer.array(from: 0)))
        #expect(
            patch.operations == [.replace(Pointer(["items", "7", "title"]), "bread"), .replace(Pointer(["count"]), 1)])
        var tree = try JSON(parsing: text(old))
        try patch.apply(to: &tree)
        #expect(try tree == JSON(parsing: text(new)))
    }

    private func patch(_ old: Any, _ new: Any) throws -> Patch {
        let buffer = ByteBuffer()
        try Differ(layouts: Layouts()).difference(from: Reflected(old), to: Reflected(new), to: buffer)
        return try Patch(JSON(parsing: buffer.array(from: 0)))
    }

    protocol Shape {}
    enum Figure: Shape { case circle, square, sized(Int) }

    @Test("A case behind a protocol is written by its name, and replacing it is a change")
    func existentialCases() throws {
        struct State {
            var shape: any Shape = Figure.circle
            var maybe: (any Shape)? = Figure.square
            var list: [any Shape] = [Figure.circle, Figure.sized(1)]
            var named: [String: any Shape] = ["a": Figure.square]
            var any: Any = Figure.circle as Any as Any
            var both: any Shape & Sendable = Figure.square
        }
        let old = State()
        try expect(
            old,
            """
            {"shape":"circle","maybe":"square","list":["circle",{"sized":{"_0":1}}],"named":{"a":"square"},
             "any":"circle","both":"square"}
            """)
        var new = old
        new.shape = Figure.square
        new.list[0] = Figure.square
        new.any = Figure.square
        #expect(
            try patch(old, new).operations == [
                .replace(Pointer(["shape"]), "square"), .replace(Pointer(["list", "0"]), "square"),
                .replace(Pointer(["any"]), "square"),
            ])
    }

    @Test("An inline array shows its elements")
    @available(macOS 26, iOS 26, *)
    func inlineArrays() throws {
        struct State {
            var numbers: [3 of Int] = [1, 2, 3]
            var items: [2 of Kind] = [.plain, .one(1)]
            var empty: [0 of String] = []
            var nested: [2 of [2 of Bool]] = [[true, false], [false, true]]
        }
        let old = State()
        try expect(
            old,
            """
            {"numbers":[1,2,3],"items":["plain",{"one":{"_0":1}}],"empty":[],"nested":[[true,false],[false,true]]}
            """)
        var new = old
        new.numbers[1] = 5
        new.nested[1][0] = true
        #expect(
            try patch(old, new).operations == [
                .replace(Pointer(["numbers", "1"]), 5), .replace(Pointer(["nested", "1", "0"]), true),
            ])
    }

    @Test("If a C struct has members that no mirror shows, a marker says so")
    func hiddenMembers() throws {
        try expect(cs_flags(), #"{"number":0,"$opaque":"cs_flags"}"#)
        try expect(cs_bits(), #"{"$opaque":"cs_bits"}"#)
        try expect(CGPoint(x: 1, y: 2), "[1,2]")
        struct State { var row = cs_named_union() }
        try expect(State(), #"{"row":{"kind":0,"value":{"$opaque":"__Unnamed_union_value"}}}"#)
    }

    @Test("Actions are named as with Codable, and can't be dispatched from the server")
    func actions() throws {
        let codec = ActionCodec<Kind>.reflecting()
        func record(_ action: Kind) throws -> JSON { try codec.capture(action, Layouts()).record(DirectEncoder()) }
        #expect(try record(.plain) == ["type": "plain"])
        #expect(try record(.nested(.named(title: "x"))) == ["type": "nested/named", "payload": ["title": "x"]])
        #expect(throws: Pushed.Failure.self) { try codec.read(["type": "plain"]) }
    }
}

@Suite("track(reflecting:)")
struct TrackReflectingTests {
    private struct Plain { var count = 0 }
    private struct Coded: Codable { var count = 0 }

    @Test("A part that is neither Codable nor named is told, and recorded all the same")
    func told() {
        let log = Locked<[String]>([])
        let file = FileManager.default.temporaryDirectory.appendingPathComponent("\(UUID().uuidString).tape")
        defer { try? FileManager.default.removeItem(at: file) }
        let tape = Recorder(.test(file: file.path, log: { text in log.withLock { $0.append(text) } }))
        let tracks: [Any] = [
            tape.track(reflecting: .state, initial: Plain(), Coded.self, name: "a"),
            tape.track(reflecting: .state, .actions, initial: Plain(), Plain.self, name: "b"),
            tape.track(reflecting: .actions, initial: Coded(), Plain.self, name: "c"),
            tape.track(reflecting: .state, initial: Plain(), Plain.self, name: "d"),
            tape.track(reflecting: .actions, initial: Plain(), Coded.self, name: "e"),
        ]
        tape.finish()
        let told = log.withLock { $0 }.filter { $0.contains("is not Codable") }
        #expect(tracks.count == 5 && told.count == 2, "\(told)")
        #expect(told.first?.contains("the actions of its store") == true && told.last?.contains("`.state`") == true)
    }
}
