import Foundation
import Observation
import TapeFormat

@testable import StateCapture

// States and actions of all shapes, with the text in which a page shows them. They are hidden in this file, so that their
// names have no outer type.

private struct Address: Codable {
    var street = "Main St"
    var zip = "1"
}

private enum Phase: Codable {
    case browsing
    case paying(Address)
    case failed(code: Int, String)
    case noted(text: String, by: String?)
    case counted(_ count: Int = 3)
}

private struct Cart: Codable {
    var phase: Phase
    var coupon: String?
    var isOpen = true
}

private struct Box<Value: Codable>: Codable { var value: Value }
private struct Leaves: Codable {
    var date = Date(timeIntervalSinceReferenceDate: 816_868_800)
    var id = UUID(uuidString: "E621E1F8-C36C-495A-93FC-0C247A3E6E5F")
    var bytes = Data([1, 2, 3, 4])
    var price = Decimal(string: "12.50")
    var page = URL(string: "https://example.com/a?b=1")
    var ratio = Double.nan
    var letter: [String] = ["é"]
}

private struct Collections: Codable {
    var names: Set<String> = ["a"]
    var many = [1, 2, 3, 4, 5]
    var byName = ["a": 1]
    var byNumber = [7: "x"]
    var byColor = [Color.inProgress: 2]
    var nothing: [String: Int] = [:]
}

private enum Color: String, Codable {
    case red
    case inProgress = "in_progress"
    case key = "another text"
}

private enum Level: Int, Codable { case low, high = 5 }
private struct Coloured: Codable {
    var color = Color.inProgress
    var hidden = Color.key
    var level = Level.high
}

private struct UserID: RawRepresentable, Codable { var rawValue: String }

private indirect enum Chain: Codable {
    case end
    case next(Chain, Int)
}

private struct Node: Codable {
    var name: String
    var children: [Node] = []
}

private struct RespelledName: Codable {
    var firstName = "Ana"
    enum CodingKeys: String, CodingKey { case firstName = "first_name" }
}

private struct Uncoded: Codable {
    var name = "a"
    var cache = 5
    var note: String?
    enum CodingKeys: CodingKey { case name }
}

private struct UnixDate: Codable {
    var date = Date(timeIntervalSince1970: 1_763_632_800)
    init() {}
    init(from decoder: any Decoder) throws { self.init() }
    func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encode(date.timeIntervalSince1970, forKey: .date)
    }
    enum CodingKeys: CodingKey { case date }
}

private struct Price: Codable {
    var cents = 5
    var name = "a"
    init() {}
    init(from decoder: any Decoder) throws { self.init() }
    func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encode(cents * 100, forKey: .cents)
        try container.encode(name, forKey: .name)
    }
    enum CodingKeys: CodingKey { case cents, name }
}

private struct Text: Codable {
    var cents = 5
    init() {}
    init(from decoder: any Decoder) throws { self.init() }
    func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode("0.05 €")
    }
}

private enum RenamedCase: Codable {
    case paying(Int)
    enum CodingKeys: String, CodingKey { case paying = "pays" }
}

@propertyWrapper private struct LimitedCount: Codable { var wrappedValue: Int }
@propertyWrapper private struct Bare: Codable {
    var wrappedValue: Int
    init(wrappedValue: Int) { self.wrappedValue = wrappedValue }
    init(from decoder: any Decoder) throws { wrappedValue = try Int(from: decoder) }
    func encode(to encoder: any Encoder) throws { try wrappedValue.encode(to: encoder) }
}

private struct WrappedCounts: Codable {
    @LimitedCount var count = 4
    @Bare var total = 5
}

private final class Model: Codable {
    var title = "x"
    var next: Model?
}

@Observable private final class Watched: Codable {
    var count = 1
    enum CodingKeys: String, CodingKey { case _count = "count" }
}

private struct AccountState: Codable {
    var name = "ana"
    var password = "s3cret"
}

private protocol Shape {}
private struct Circle: Shape { var radius = 2.0 }
private enum Tab { case home, detail(id: Int) }
private struct Plain {
    var shape: any Shape = Circle()
    var pair = (1, "a")
    var tab = Tab.home
    var other = Tab.detail(id: 3)
}

private enum Todos: Codable {
    case add(title: String, note: String?)
    case clear
}

private enum CheckoutAction: Codable {
    case todos(Todos)
    case pay(Address)
    case go
}

private struct Reset: Codable { var all = true }

struct TypeTableShape: Sendable {
    let kind: String
    let swift: JSON?
    let state: JSON
    let action: JSON?
    /// Nil where the page shows JSON only.
    let text: String?
    let actionText: String?

    private init<State: Codable>(_ kind: String, _ state: State, _ text: String?) throws {
        try self.init(kind, state, StateCodec<State>(), text)
    }

    private init<State>(_ kind: String, _ state: State, _ codec: StateCodec<State>, _ text: String?) throws {
        self.kind = kind
        let json = try JSON(parsing: codec.text(of: state, nil, DirectEncoder(.standard)))
        swift = TypeTable.json(state: State.self, action: Never.self, named: nil, example: (state, json))
        self.state = json
        (self.text, action, actionText) = (text, nil, nil)
    }

    private init<Action>(_ kind: String, _ action: Action, _ codec: ActionCodec<Action>, _ text: String?) throws {
        self.kind = kind
        swift = TypeTable.json(state: Int.self, action: Action.self, named: codec.named)
        state = 1
        self.action = try codec.capture(action, nil).record(DirectEncoder(.standard))
        (self.text, actionText) = ("1", text)
    }

    static func all() throws -> [TypeTableShape] { try states() + reflected() + actions() }

    private static func states() throws -> [TypeTableShape] {
        let address = #"Address(street: "Main St", zip: "1")"#
        return try [
            .init("a struct", Address(), address),
            .init("a case without values", Cart(phase: .browsing), "Cart(phase: .browsing, isOpen: true)"),
            .init(
                "a struct in a case", Cart(phase: .paying(Address()), coupon: "MAY"),
                #"Cart(phase: .paying(\#(address)), coupon: "MAY", isOpen: true)"#),
            .init("a value with a label and one without", Phase.failed(code: 4, "no"), #".failed(code: 4, "no")"#),
            .init("a label with nil", Phase.noted(text: "x", by: nil), #".noted(text: "x", by: nil)"#),
            .init("a default value", Phase.counted(), ".counted(3)"),
            .init("an optional", Optional(Address()), address),
            .init("nil", Address?.none, "nil"),
            .init("optionals in each other", Box<Int??>(value: 1), "Box<Optional<Optional<Int>>>(value: 1)"),
            .init(
                "generic types", Box(value: Box(value: [1])), "Box<Box<Array<Int>>>(value: Box<Array<Int>>(value: [1]))"
            ),
            .init(
                "types without parts", Leaves(),
                """
                Leaves(date: 20 Nov 2026, 12:00:00, id: E621E1F8-C36C-495A-93FC-0C247A3E6E5F, bytes: Data(4 bytes), \
                price: 12.5, page: https://example.com/a?b=1, ratio: .nan, letter: ["é"])
                """),
            .init(
                "collections", Collections(),
                """
                Collections(names: ["a"], many: [5 items], byName: ["a": 1], byNumber: [7: "x"], \
                byColor: [.inProgress: 2], nothing: [:])
                """),
            .init(
                "raw values", Coloured(), #"Coloured(color: .inProgress, hidden: "another text", level: .high)"#),
            .init("a struct with a raw value", UserID(rawValue: "u1"), #"UserID(rawValue: "u1")"#),
            .init("a recursive enum", Chain.next(.next(.end, 2), 1), ".next(.next(.end, 2), 1)"),
            .init(
                "a recursive struct", Node(name: "a", children: [Node(name: "b")]),
                #"Node(name: "a", children: [Node(name: "b", children: [])])"#),
            .init("a renamed member", RespelledName(), nil),
            .init("members that are not coded", Uncoded(), #"Uncoded(name: "a", …)"#),
            .init("a date that is a Unix time", UnixDate(), nil),
            .init("a value of its own form", Text(), nil),
            .init("an encoding of other values", Box(value: Price()), "Box<Price>(value: {…})"),
            .init("a renamed case", RenamedCase.paying(1), nil),
            .init(
                "property wrappers", WrappedCounts(), "WrappedCounts(count: LimitedCount(wrappedValue: 4), total: 5)"),
            .init("a class", Model(), #"Model(title: "x")"#),
            .init("an observable class", Watched(), "Watched(count: 1)"),
            .init("a secret", AccountState(), #"AccountState(name: "ana", password: <redacted>)"#),
        ]
    }

    private static func reflected() throws -> [TypeTableShape] {
        try [
            .init(
                "by reflection", Plain(), .reflecting, "Plain(shape: {…}, pair: {…}, tab: .home, other: .detail(id: 3))"
            )
        ]
    }

    private static func actions() throws -> [TypeTableShape] {
        try [
            .init("an action", CheckoutAction.go, ActionCodec(), ".go"),
            .init(
                "an action's struct", CheckoutAction.pay(Address()), ActionCodec(),
                #".pay(Address(street: "Main St", zip: "1"))"#),
            .init(
                "an action in an action", CheckoutAction.todos(.add(title: "Milk", note: nil)), ActionCodec(),
                #".todos(.add(title: "Milk", note: nil))"#),
            .init(
                "an action in an action, without values", CheckoutAction.todos(.clear), ActionCodec(), ".todos(.clear)"),
            .init("an action that is a struct", Reset(), ActionCodec(), "Reset(all: true)"),
            .init("an action of raw values", Color.red, ActionCodec(), ".red"),
            .init(
                "a struct behind a protocol", Reset() as Any, ActionCodec(decoding: [Reset.self, Todos.self]),
                "Reset(all: true)"),
            .init(
                "an enum behind a protocol", Todos.clear as Any, ActionCodec(decoding: [Reset.self, Todos.self]),
                "Todos.clear"),
            .init(
                "an action behind a protocol that is not listed", Reset() as Any, ActionCodec(decoding: [Todos.self]),
                nil),
            .init("an action by reflection", Tab.detail(id: 3), .reflecting(), ".detail(id: 3)"),
        ]
    }
}
