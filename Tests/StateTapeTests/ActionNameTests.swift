import TapeFormat
import Testing

@testable import StateCapture
@testable import StateTape

private enum TodoAction: Codable, Equatable {
    case add(title: String, due: Int?)
    case toggle(Int)
    case clear
    case both(Int, String)
    case sort(Order)
    case nested(Deeper)

    enum Order: String, Codable { case up, down }
    enum Deeper: Codable, Equatable { case x(String) }
}

private enum NestingAction: Codable, Equatable {
    case todos(TodoAction)
    case sync
    case maybe(TodoAction?)
    case labelled(action: TodoAction)
}

private enum Key: String, Codable { case up, down }
private enum Level: Int, Codable { case low = 1, high }
private struct SetName: Codable, Equatable { var name: String }
private struct Reset: Codable, Equatable {}

/// Hand-written coding, in its own shape.
private enum Custom: Codable, Equatable {
    case move(Int)
    case stop

    private enum Keys: CodingKey { case kind, by }
    init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: Keys.self)
        self =
            try container.decode(String.self, forKey: .kind) == "stop"
            ? .stop : .move(container.decode(Int.self, forKey: .by))
    }
    func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: Keys.self)
        switch self {
        case .move(let by):
            try container.encode("move", forKey: .kind)
            try container.encode(by, forKey: .by)
        case .stop: try container.encode("stop", forKey: .kind)
        }
    }
}

private protocol Action {}
extension SetName: Action {}
extension TodoAction: Action {}
extension Key: Action {}
extension Custom: Action {}
extension Reset: Action {}
private struct Silent: Action {}
private final class ClassAction: Action, Codable { var n = 3 }

@Suite("Actions as type and payload")
struct ActionNameTests {
    private func expect<Value: Codable & Equatable>(
        _ action: Value, _ type: String, _ payload: JSON?, sourceLocation: SourceLocation = #_sourceLocation
    ) throws {
        let codec = ActionCodec<Value>()
        let record = try codec.capture(action, Layouts()).record(DirectEncoder())
        #expect(record["type"]?.string == type, sourceLocation: sourceLocation)
        #expect(record["payload"] == payload, sourceLocation: sourceLocation)
        let maker = try codec.read(record)
        #expect(maker.make() == action, sourceLocation: sourceLocation)
        #expect(maker.record() == record, sourceLocation: sourceLocation)
    }

    @Test("An enum's type is the path of its cases, and every action decodes")
    func enums() throws {
        try expect(NestingAction.sync, "sync", nil)
        try expect(NestingAction.todos(.clear), "todos/clear", nil)
        try expect(NestingAction.todos(.add(title: "a", due: nil)), "todos/add", ["title": "a"])
        try expect(NestingAction.todos(.toggle(4)), "todos/toggle", ["_0": 4])
        try expect(NestingAction.todos(.both(1, "b")), "todos/both", ["_0": 1, "_1": "b"])
        try expect(NestingAction.todos(.nested(.x("deep"))), "todos/nested/x", ["_0": "deep"])
    }

    @Test("The path ends at the first value that is not an enum case")
    func ends() throws {
        try expect(NestingAction.todos(.sort(.up)), "todos/sort", ["_0": "up"])
        try expect(NestingAction.maybe(.clear), "maybe", ["_0": ["clear": [:]]])
        try expect(NestingAction.labelled(action: .clear), "labelled", ["action": ["clear": [:]]])
    }

    @Test("Raw values, structs and hand-written coding decode too")
    func others() throws {
        try expect(Key.down, "down", nil)
        try expect(Level.high, "2", nil)
        try expect(SetName(name: "n"), "SetName", ["name": "n"])
        try expect(Reset(), "Reset", nil)
        try expect(Custom.move(3), "Custom/move", ["kind": "move", "by": 3])
        try expect(Custom.stop, "Custom/stop", ["kind": "stop"])
    }

    @Test("Actions behind a protocol carry the name of their type, and decode")
    func existential() throws {
        let codec = ActionCodec<any Action>(decoding: [
            SetName.self, TodoAction.self, Key.self, Custom.self, Reset.self, ClassAction.self,
        ])
        func record(_ action: any Action) throws -> JSON {
            try codec.capture(action, Layouts()).record(DirectEncoder())
        }
        func back(_ action: any Action) throws -> (any Action)? { try codec.read(record(action)).make() }
        #expect(try record(SetName(name: "x")) == ["type": "SetName", "payload": ["name": "x"]])
        #expect(try record(TodoAction.toggle(1)) == ["type": "TodoAction/toggle", "payload": ["_0": 1]])
        #expect(try record(Key.up) == ["type": "Key/up"])
        #expect(try record(Silent()) == ["type": "Silent"])
        #expect(try back(SetName(name: "x")) as? SetName == SetName(name: "x"))
        #expect(try back(TodoAction.toggle(1)) as? TodoAction == .toggle(1))
        #expect(try back(Key.up) as? Key == .up)
        #expect(try back(Custom.move(2)) as? Custom == .move(2))
        #expect(try back(Reset()) is Reset)
        #expect((try back(ClassAction()) as? ClassAction)?.n == 3)
        #expect(throws: Pushed.Failure.self) { try codec.read(["type": "Silent"]) }
    }

    @Test(
        "A pushed action that can't be decoded names the place",
        arguments: [
            (["type": "nope"], "/type"), ([:], "/type"), (["type": "todos/nope"], "/type"),
            (["type": "todos"], "/payload/_0"),
            (["type": "todos/add"], "/payload/title"),
            (["type": "todos/toggle", "payload": ["_0": "x"]], "/payload/_0"),
            (["type": "todos/add", "payload": ["title": 1]], "/payload/title"),
            (["type": "todos/nested/x", "payload": ["_0": []]], "/payload/_0"),
        ] as [(JSON, String)])
    func errors(_ action: JSON, _ path: String) throws {
        do {
            _ = try ActionCodec<NestingAction>().read(action)
            Issue.record("it was read")
        } catch {
            #expect(error.code == .decode)
            #expect(error.path == path, "\(error.message)")
        }
    }

    @Test("A slash in a case's own key does not look like a path")
    func slash() {
        #expect(ActionName.split(ActionName.join(["a/b", "c~d"])) == ["a/b", "c~d"])
        #expect(ActionName.join(["todos", "add"]) == "todos/add")
    }
}
