import Foundation
import TapeFormat
import Testing

@testable import StateCapture
@testable import StateTape

@Suite("The overlay")
struct OverlayTests {
    struct Settings: Codable, Equatable {
        var theme = "light"
        var size = 12
        var font: String?
    }

    struct Item: Codable, Equatable {
        var id = 0
        var title = ""
        var note: String?
    }

    enum Screen: Codable, Equatable {
        case list
        case detail(id: Int, mode: String)
        case pair(Int, Item)
    }

    struct State: Codable, Equatable {
        var settings = Settings()
        var items: [Item] = []
        var named: [String: Item] = ["a": Item(id: 1, title: "one")]
        var screen = Screen.list
        var selected: Int?
    }

    private func decode(_ text: String, over initial: State? = State()) throws -> Overlay.Outcome<State> {
        try Overlay.decode(
            State.self, from: JSON(parsing: text), over: initial.map { try TreeEncoder().tree(of: $0) })
    }

    private func failure(_ text: String, over initial: State? = State()) throws -> Pushed.Failure? {
        do {
            _ = try decode(text, over: initial)
            return nil
        } catch let failure as Pushed.Failure {
            return failure
        }
    }

    /// Encoded as `@Observable` has it: a constant is encoded, and never decoded.
    final class Profile: Codable {
        let name: String

        private enum Key: String, CodingKey { case name, registrar = "_$observationRegistrar" }

        init(name: String) { self.name = name }
        init(from decoder: any Decoder) throws {
            name = try decoder.container(keyedBy: Key.self).decode(String.self, forKey: .name)
        }

        func encode(to encoder: any Encoder) throws {
            var container = encoder.container(keyedBy: Key.self)
            try container.encode(name, forKey: .name)
            _ = container.nestedContainer(keyedBy: Key.self, forKey: .registrar)
        }
    }

    @Test("What a macro adds to an observable class is not listed")
    func observable() throws {
        let tape = try TreeEncoder().tree(of: [Profile(name: "a")])
        #expect(tape == [["name": "a", "_$observationRegistrar": [:]]])
        let outcome = try Overlay.decode([Profile].self, from: tape, over: nil)
        #expect(outcome.value[0].name == "a")
        #expect(outcome.adjustments.ignored.isEmpty && outcome.adjustments.filled.isEmpty)
    }

    @Test("A complete state comes from the tape, with nothing filled in or ignored")
    func whole() throws {
        let state = State(
            settings: Settings(theme: "dark", size: 9, font: "x"), items: [Item(id: 1, title: "é", note: "n")],
            named: ["k": Item(id: 2)], screen: .pair(3, Item(id: 4)), selected: 5)
        let outcome = try Overlay.decode(
            State.self, from: TreeEncoder().tree(of: state), over: TreeEncoder().tree(of: State()))
        #expect(outcome.value == state)
        #expect(outcome.adjustments.filled.isEmpty && outcome.adjustments.ignored.isEmpty)
    }

    @Test("A required member that the tape lacks comes from the initial state and is reported")
    func filled() throws {
        let initial = State(settings: Settings(theme: "blue", size: 7))
        let outcome = try decode(#"{"settings":{"size":3},"items":[],"named":{}}"#, over: initial)
        #expect(outcome.value.settings == Settings(theme: "blue", size: 3))
        #expect(outcome.value.screen == .list)
        #expect(outcome.adjustments.filled == ["/settings/theme", "/screen"])
    }

    @Test("A subtree that the tape lacks comes from the initial state and is reported once")
    func subtree() throws {
        let initial = State(settings: Settings(theme: "blue", size: 7, font: "f"))
        let outcome = try decode(#"{"items":[],"named":{},"screen":{"list":{}}}"#, over: initial)
        #expect(outcome.value.settings == initial.settings)
        #expect(outcome.adjustments.filled == ["/settings"])
        #expect(outcome.adjustments.ignored.isEmpty)
    }

    @Test("A missing optional member is nil, even where the initial state has one")
    func optional() throws {
        let initial = State(settings: Settings(font: "serif"), selected: 8)
        let outcome = try decode(
            #"{"settings":{"theme":"t","size":1},"items":[],"named":{},"screen":{"list":{}}}"#, over: initial)
        #expect(outcome.value.settings.font == nil)
        #expect(outcome.value.selected == nil)
        #expect(outcome.adjustments.filled.isEmpty)
    }

    @Test("Dictionaries come from the tape alone")
    func dictionaries() throws {
        let missing = try failure(#"{"items":[],"named":{"a":{"id":5}},"screen":{"list":{}}}"#)
        #expect(missing?.path == "/named/a/title")
        let empty = try decode(#"{"items":[],"named":{},"screen":{"list":{}}}"#)
        #expect(empty.value.named.isEmpty)
    }

    @Test("A required member missing inside an element is an error with its path")
    func elements() throws {
        let initial = State(items: [Item(id: 1, title: "one")])
        let missing = try failure(#"{"items":[{"id":1,"title":"a"},{"id":2}],"named":{}}"#, over: initial)
        #expect(missing?.code == .decode)
        #expect(missing?.path == "/items/1/title")
        #expect(missing?.message.contains("title") == true)
    }

    @Test("Members that were not decoded are reported, inside elements and dictionaries too")
    func ignored() throws {
        let outcome = try decode(
            #"""
            {"items":[{"id":1,"title":"a","old":1}],"named":{"x/y":{"id":1,"title":"","gone":{"deep":1}}},
             "screen":{"list":{}},"settings":{"theme":"","size":1},"legacy":[1,2]}
            """#)
        #expect(outcome.adjustments.ignored == ["/items/0/old", "/legacy", "/named/x~1y/gone"])
    }

    @Test("An enum's case comes from the tape; the initial state fills in members only of the same case")
    func enums() throws {
        let rest = #""items":[],"named":{},"settings":{"theme":"","size":1}"#
        let same = try decode(
            "{\(rest),\"screen\":{\"detail\":{\"id\":4}}}", over: State(screen: .detail(id: 1, mode: "edit")))
        #expect(same.value.screen == .detail(id: 4, mode: "edit"))
        #expect(same.adjustments.filled == ["/screen/detail/mode"])
        let other = try failure("{\(rest),\"screen\":{\"detail\":{\"id\":4}}}")
        #expect(other?.path == "/screen/detail/mode")
    }

    @Test(
        "A value of another type is an error with its path",
        arguments: [
            (#"{"settings":{"theme":5}}"#, "/settings/theme"), (#"{"items":{}}"#, "/items"),
            (#"{"items":[7]}"#, "/items/0"),
            (#"{"selected":1.5}"#, "/selected"), (#"{"selected":1e30}"#, "/selected"), ("[]", ""), ("null", ""),
            (#"{"named":{"a/b":{"id":"x"}}}"#, "/named/a~1b/id"),
        ])
    func mismatches(_ text: String, _ path: String) throws {
        #expect(try failure(text)?.path == path)
    }

    @Test(
        "The name of a case where the case must stand is an error that says how it is written",
        arguments: [
            (#"{"screen":"list"}"#, #": a case without values is written {"list":{}}"#), (#"{"screen":"lis"}"#, ""),
            (#"{"screen":{"detail":"id"}}"#, ""), (#"{"settings":"theme"}"#, ""),
        ])
    func caseNames(_ text: String, _ hint: String) throws {
        #expect(try failure(text)?.message == "expected an object, found a string\(hint)")
    }

    // MARK: The inverse of the encoder

    struct Everything: Codable, Equatable {
        var data = Data([0, 255, 7])
        var url = URL(string: "https://example.com/a?b=c")
        var decimal = Decimal(string: "12345678901234567890.123456789")
        var date = Date(timeIntervalSinceReferenceDate: 12.5)
        var uuid = UUID()
        var big = UInt64.max
        var low = Int64.min
        var small = Int8(-128)
        var double = 0.1
        var float = Float(0.1)
        var infinite = -Double.infinity
        var huge = Double.greatestFiniteMagnitude
        var numbered: [Int: String] = [1: "a", -2: "b"]
        var keyed: [Item.Key: Int] = [.first: 1, .second: 2]
        var odd: [Pair: Int] = [Pair(a: 1): 2]
        var set: Set<String> = ["x", "é", "e\u{301}x"]
        var nested: [[Int?]] = [[1, nil], []]
        var optional: Item??
        var indirect = Tree.node(.leaf(1), .leaf(2))
        var range = 1..<5
        var text = "\u{1F600}\"\\/\n\u{0}"

        struct Pair: Codable, Hashable { var a: Int }
        enum Item: Codable, Equatable {
            enum Key: String, Codable, CodingKeyRepresentable { case first, second }
            case value
        }
        indirect enum Tree: Codable, Equatable {
            case leaf(Int)
            case node(Tree, Tree)
        }
    }

    @Test("Every kind of value decodes unchanged")
    func everything() throws {
        let value = Everything()
        let outcome = try Overlay.decode(Everything.self, from: TreeEncoder().tree(of: value), over: nil)
        #expect(outcome.value == value)
        #expect(outcome.adjustments.ignored.isEmpty)
        let nan = try Overlay.decode([Double].self, from: TreeEncoder().tree(of: [Double.nan]), over: nil)
        #expect(nan.value[0].isNaN)
    }

    class Base: Codable {
        var name = "base"
        init() {}
    }

    final class Derived: Base {
        var extra = 1
        override init() { super.init() }
        private enum CodingKeys: CodingKey { case extra }
        required init(from decoder: any Decoder) throws {
            let container = try decoder.container(keyedBy: CodingKeys.self)
            extra = try container.decode(Int.self, forKey: .extra)
            try super.init(from: container.superDecoder())
        }
        override func encode(to encoder: any Encoder) throws {
            var container = encoder.container(keyedBy: CodingKeys.self)
            try container.encode(extra, forKey: .extra)
            try super.encode(to: container.superEncoder())
        }
    }

    @Test("A superclass decodes its own part, with missing members filled in")
    func superclass() throws {
        let value = Derived()
        value.name = "changed"
        let tree = try TreeEncoder().tree(of: value)
        let outcome = try Overlay.decode(Derived.self, from: tree, over: nil)
        #expect(outcome.value.name == "changed" && outcome.adjustments.ignored.isEmpty)
        let filled = try Overlay.decode(Derived.self, from: ["extra": 2, "super": [:]], over: tree)
        #expect(filled.value.name == "changed" && filled.adjustments.filled == ["/super/name"])
    }

    /// Encodes nested containers by hand.
    struct Nested: Codable, Equatable {
        var values = [1, 2]
        var inner = "x"
        enum Keys: CodingKey { case outer, list }
        enum Inner: CodingKey { case inner }
        init() {}
        init(from decoder: any Decoder) throws {
            let container = try decoder.container(keyedBy: Keys.self)
            inner = try container.nestedContainer(keyedBy: Inner.self, forKey: .outer).decode(
                String.self, forKey: .inner)
            var list = try container.nestedUnkeyedContainer(forKey: .list)
            var pair = try list.nestedUnkeyedContainer()
            values = []
            while !pair.isAtEnd { values.append(try pair.decode(Int.self)) }
        }
        func encode(to encoder: any Encoder) throws {
            var container = encoder.container(keyedBy: Keys.self)
            var outer = container.nestedContainer(keyedBy: Inner.self, forKey: .outer)
            try outer.encode(inner, forKey: .inner)
            var list = container.nestedUnkeyedContainer(forKey: .list)
            var pair = list.nestedUnkeyedContainer()
            for value in values { try pair.encode(value) }
        }
    }

    @Test("Nested containers are decoded, and filled in if the tape lacks them")
    func nested() throws {
        var value = Nested()
        value.values = [4, 5, 6]
        let tree = try TreeEncoder().tree(of: value)
        #expect(try Overlay.decode(Nested.self, from: tree, over: nil).value == value)
        let filled = try Overlay.decode(Nested.self, from: ["list": [[9]], "outer": [:]], over: tree)
        #expect(filled.value.values == [9] && filled.value.inner == "x")
        #expect(filled.adjustments.filled == ["/outer/inner"])
    }

    @Test("A key matches by its bytes, not by canonical equivalence")
    func canonical() throws {
        let tree: JSON = ["\u{e9}": 1, "e\u{301}": 2]
        let outcome = try Overlay.decode(KeyReader.self, from: tree, over: nil)
        #expect(outcome.value.composed == 1)
        #expect(outcome.adjustments.ignored.map { Array($0.utf8) } == [Array("/e\u{301}".utf8)])
    }

    struct KeyReader: Codable {
        var composed: Int
        enum CodingKeys: String, CodingKey { case composed = "\u{e9}" }
    }
}
