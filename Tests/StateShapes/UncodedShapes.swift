import Foundation
import Observation

/// States with stored members that their coding leaves out.
package enum UncodedShapes {
    package static let all: [UncodedShape] = members + places + computed + references + instances + observed

    private static let members: [UncodedShape] = [
        UncodedShape(
            "values of every kind", recorded: Plain(count: 5), app: Plain(filled: 1), { $0.text },
            gives: "5 [1] movies 1 x nil failed app 7 on 1 t",
            kept: ["/genres", "/cache", "/note", "/gone", "/service", "/run", "/error", "/mode", "/pair"]),
        UncodedShape(
            "members that are the default anyway; a closure can't be compared", recorded: Plain(count: 5),
            app: Plain(count: 9), { "\($0.count)" }, gives: "5", kept: ["/run"]),
        UncodedShape(
            "an id and a date that are new each time", recorded: Fresh(name: "tape"), app: Fresh.known,
            { "\($0.name) \($0.id == Fresh.known.id) \($0.began == Fresh.known.began)" }, gives: "tape true true",
            kept: ["/id", "/began"]),
        UncodedShape(
            "keys with other names", recorded: Renamed(firstName: "tape"), app: Renamed(firstName: "app", draft: "d"),
            { "\($0.firstName) \($0.draft)" }, gives: "tape d", kept: ["/draft"]),
        UncodedShape(
            "a property wrapper that is not coded", recorded: Wrapped(text: "tape"),
            app: Wrapped(text: "app", draft: "d"),
            { "\($0.text) \($0.draft)" }, gives: "tape d", kept: ["/draft"]),
        UncodedShape(
            "a generic struct", recorded: Generic(coded: 1, other: "tape"), app: Generic(coded: 2, other: "app"),
            { "\($0.coded) \($0.other)" }, gives: "1 app", kept: ["/other"]),
        UncodedShape(
            "structs that store one value", recorded: Newtypes(id: Name(rawValue: "tape")),
            app: Newtypes(id: Name(rawValue: "app")), { "\($0.id.rawValue) \($0.range)" }, gives: "tape 1..<3"),
    ]

    private static let places: [UncodedShape] = [
        UncodedShape(
            "nested structs, optional ones too", recorded: Outer(inner: Inner(a: 1), other: Inner(a: 2), none: nil),
            app: Outer(inner: Inner(a: 3, b: 4), other: Inner(a: 5, b: 6), none: Inner(a: 7, b: 8)),
            { "\($0.inner) \($0.other.map { "\($0)" } ?? "nil") \($0.none == nil)" }, gives: "1/4 2/6 true",
            kept: ["/inner/b", "/other/b"]),
        UncodedShape(
            "elements, by their id", recorded: Rows(rows: [Row(id: 1), Row(id: 3), Row(id: 2)]),
            app: Rows(rows: [Row(id: 2, isOpen: true, inner: Inner(a: 0, b: 5)), Row(id: 1), Row(id: 4, isOpen: true)]),
            { $0.rows.map { "\($0.id)\($0.isOpen)\($0.inner.b)" }.joined(separator: " ") },
            gives: "1false0 3false0 2true5", kept: ["/rows/2/isOpen", "/rows/2/inner/b"]),
        UncodedShape(
            "elements of one id", recorded: Rows(rows: [Row(id: 1)]),
            app: Rows(rows: [Row(id: 1, isOpen: true), Row(id: 1)]), { "\($0.rows[0].isOpen)" }, gives: "false"),
        UncodedShape(
            "entries, by their key",
            recorded: Entries(named: ["a": Inner(a: 1), "b": Inner(a: 2)], numbered: [7: Inner(a: 3)]),
            app: Entries(named: ["b": Inner(a: 0, b: 4), "c": Inner(a: 0, b: 5)], numbered: [7: Inner(a: 0, b: 6)]),
            { "\($0.named["a"]?.b ?? -1) \($0.named["b"]?.b ?? -1) \($0.named.count) \($0.numbered[7]?.b ?? -1)" },
            gives: "0 4 2 6", kept: ["/named/b/b", "/numbered/7/b"]),
        UncodedShape(
            "elements without an id", recorded: Plains(all: [Inner(a: 1), Inner(a: 2)]),
            app: Plains(all: [Inner(a: 1, b: 5), Inner(a: 2)]), { "\($0.all)" }, gives: "[1/0, 2/0]", lost: ["/all/*/b"]
        ),
        UncodedShape(
            "elements with an id that is not coded", recorded: Ids(all: [Ided(name: "a")]),
            app: Ids(all: [Ided(name: "a")]),
            { "\($0.all.map(\.name))" }, gives: "[\"a\"]", lost: ["/all/*/id"]),
        UncodedShape(
            "a tree", recorded: Tree(id: 1, children: [Tree(id: 2, children: [Tree(id: 3)])]),
            app: Tree(id: 1, children: [Tree(id: 2, children: [Tree(id: 3, isOpen: true)])]),
            { "\($0.children[0].children[0].isOpen)" }, gives: "true", kept: ["/children/0/children/0/isOpen"]),
        UncodedShape(
            "a case of an enum",
            recorded: Screens(screen: .detail(Inner(a: 1)), other: .pair(Inner(a: 1), Inner(a: 1))),
            app: Screens(screen: .detail(Inner(a: 1, b: 2)), other: .pair(Inner(a: 1), Inner(a: 1, b: 2))),
            { "\($0)" },
            gives: "Screens(screen: StateShapes.Screen.detail(1/0), other: StateShapes.Screen.pair(1/0, 1/0))",
            lost: ["/screen/detail/_0/b", "/other/pair/_1/b"]),
        UncodedShape(
            "another case", recorded: Screens(screen: .list, other: .list),
            app: Screens(screen: .detail(Inner(a: 1, b: 2)), other: .list), { "\($0.screen)" }, gives: "list"),
    ]

    private static let computed: [UncodedShape] = [
        UncodedShape(
            "a member that init(from:) computes", recorded: Indexed(items: ["a", "b"]), app: Indexed(items: ["c"]),
            { "\($0.items) \($0.index.keys.sorted())" }, gives: "[\"a\", \"b\"] [\"a\", \"b\"]"),
        UncodedShape(
            "coding of its own, with other names", recorded: Own(date: 5.25, text: "tape"),
            app: Own(date: 7.75, text: "app"),
            { "\($0.date) \($0.text)" }, gives: "5.0 tape"),
        UncodedShape(
            "coding without keys", recorded: Unkeyed(x: 1, y: 2), app: Unkeyed(x: 3, y: 4), { "\($0.x) \($0.y)" },
            gives: "1.0 2.0"),
        UncodedShape(
            "a lazy member", recorded: Lazy(items: [1, 2]), app: Lazy.computed([3]),
            {
                var lazy = $0; return "\(lazy.sum)"
            },
            gives: "3"),
    ]

    private static let references: [UncodedShape] = [
        UncodedShape(
            "a weak reference", recorded: Weak(name: "tape"), app: Weak(name: "app", owner: Service.shared),
            { "\($0.name) \($0.owner == nil)" }, gives: "tape true", lost: ["/owner"]),
        UncodedShape(
            "an unowned reference", recorded: Unowned(name: "tape"), app: Unowned(name: "app"), { "\($0.name)" },
            gives: "tape", lost: ["/owner"]),
    ]

    private static let instances: [UncodedShape] = [
        UncodedShape(
            "a class", recorded: Model("tape"), app: Model("app", draft: "d", inner: Inner(a: 1, b: 2)),
            { "\($0.name) \($0.draft) \($0.inner)" }, gives: "tape  0/0", lost: ["/draft", "/inner/b"]),
        UncodedShape(
            "a class with a superclass", recorded: Derived(), app: Derived(base: "b", extra: "e"),
            { "\($0.base)\($0.extra)" },
            gives: "", lost: ["/extra", "/base"]),
        UncodedShape(
            "a class in a struct", recorded: ModelHolder(model: Model("tape")),
            app: ModelHolder(model: Model("app", draft: "d")),
            { "\($0.model.name) \($0.model.draft)" }, gives: "tape ", lost: ["/model/draft"]),
    ]

    private static var observed: [UncodedShape] {
        guard #available(macOS 14, iOS 17, *) else { return [] }
        return [
            UncodedShape(
                "an @Observable class", recorded: Observed("tape"), app: Observed("app", draft: "d"),
                { "\($0.name) \($0.draft)" }, gives: "tape ", lost: ["/draft"])
        ]
    }
}

final class Service: Sendable {
    static let shared = Service("app")
    let name: String
    init(_ name: String) { self.name = name }
}

struct Plain: Codable {
    struct Movie { var rank: Int }
    enum Mode {
        case off
        case on(Int?)
    }
    var count: Int
    var genres: [Int] = []
    var title = "movies"
    var cache: [String: Movie] = [:]
    var note: String?
    var gone: Int? = 3
    var service = Service("default")
    var run: @Sendable () -> Int = { 0 }
    var error: (any Error)?
    var mode = Mode.off
    var pair = (0, "")
    enum CodingKeys: CodingKey { case count, title }

    init(count: Int) { self.count = count }

    init(filled: Int) {
        count = 0
        title = "app"
        genres = [filled]
        cache = ["a": Movie(rank: filled)]
        note = "x"
        gone = nil
        service = Service.shared
        run = { 7 + filled - 1 }
        error = CocoaError(.fileNoSuchFile)
        mode = .on(filled)
        pair = (filled, "t")
    }

    var text: String {
        var parts = ["\(count)", "\(genres)", title, "\(cache["a"]?.rank ?? 0)", note ?? "none"]
        parts += [gone.map { "\($0)" } ?? "nil", error == nil ? "fine" : "failed", service.name, "\(run())"]
        if case .on(let number) = mode { parts.append("on \(number ?? 0)") } else { parts.append("off") }
        return (parts + [pair.1]).joined(separator: " ")
    }
}

struct Fresh: Codable {
    static let known = Fresh(name: "app")
    let id = UUID()
    var began = Date()
    var name: String
    enum CodingKeys: CodingKey { case name }
}

struct Renamed: Codable {
    var firstName: String
    var draft = ""
    enum CodingKeys: String, CodingKey { case firstName = "first_name" }
}

@propertyWrapper struct NotCoded<Value> {
    var wrappedValue: Value
}

extension NotCoded: Codable where Value: ExpressibleByStringLiteral {
    init(from decoder: any Decoder) { wrappedValue = "" }
    func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encodeNil()
    }
}

struct Wrapped: Codable {
    var text: String
    @NotCoded var draft = ""
}

struct Generic<Coded: Codable & Sendable, Other: ExpressibleByStringLiteral & Sendable>: Codable {
    var coded: Coded
    var other: Other = ""
    enum CodingKeys: CodingKey { case coded }
}

struct Name: RawRepresentable, Codable { var rawValue: String }

struct Newtypes: Codable {
    var id: Name
    var range = 1..<3
}

struct Inner: Codable, CustomStringConvertible {
    var a: Int
    var b = 0
    enum CodingKeys: CodingKey { case a }
    var description: String { "\(a)/\(b)" }
}

struct Outer: Codable {
    var inner: Inner
    var other: Inner?
    var none: Inner?
}

struct Row: Codable, Identifiable {
    var id: Int
    var isOpen = false
    var inner = Inner(a: 0)
    enum CodingKeys: CodingKey { case id, inner }
}

struct Rows: Codable { var rows: [Row] }

struct Entries: Codable {
    var named: [String: Inner]
    var numbered: [Int: Inner]
}

struct Plains: Codable { var all: [Inner] }

struct Ided: Codable, Identifiable {
    let id = UUID()
    var name: String
    enum CodingKeys: CodingKey { case name }
}

struct Ids: Codable { var all: [Ided] }

struct Tree: Codable, Identifiable {
    var id: Int
    var children: [Tree] = []
    var isOpen = false
    enum CodingKeys: CodingKey { case id, children }
}

enum Screen: Codable {
    case list
    case detail(Inner)
    case pair(Inner, Inner)
}

struct Screens: Codable {
    var screen: Screen
    var other: Screen
}

struct Indexed: Codable {
    struct Place { var index: Int }
    var items: [String]
    private(set) var index: [String: Place]
    enum CodingKeys: CodingKey { case items }

    init(items: [String]) {
        self.items = items
        index = Dictionary(uniqueKeysWithValues: items.enumerated().map { ($1, Place(index: $0)) })
    }

    init(from decoder: any Decoder) throws {
        self.init(items: try decoder.container(keyedBy: CodingKeys.self).decode([String].self, forKey: .items))
    }
}

/// Its numbers lose their fractions.
struct Own: Codable {
    var date: Double
    var text: String
    enum Keys: CodingKey { case d, t }

    init(date: Double, text: String) {
        self.date = date
        self.text = text
    }

    init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: Keys.self)
        date = Double(try container.decode(Int.self, forKey: .d))
        text = try container.decode(String.self, forKey: .t)
    }

    func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: Keys.self)
        try container.encode(Int(date), forKey: .d)
        try container.encode(text, forKey: .t)
    }
}

struct Unkeyed: Codable {
    var x: Double
    var y: Double

    init(x: Double, y: Double) {
        self.x = x
        self.y = y
    }

    init(from decoder: any Decoder) throws {
        var container = try decoder.unkeyedContainer()
        x = try container.decode(Double.self)
        y = try container.decode(Double.self)
    }

    func encode(to encoder: any Encoder) throws {
        var container = encoder.unkeyedContainer()
        try container.encode(x)
        try container.encode(y)
    }
}

struct Lazy: Codable {
    var items: [Int]
    lazy var sum = items.reduce(0, +)
    enum CodingKeys: CodingKey { case items }

    init(items: [Int]) { self.items = items }

    static func computed(_ items: [Int]) -> Lazy {
        var lazy = Lazy(items: items)
        _ = lazy.sum
        return lazy
    }
}

struct Weak: Codable {
    var name: String
    weak var owner: Service?
    enum CodingKeys: CodingKey { case name }
}

struct Unowned: Codable {
    var name: String
    unowned var owner = Service.shared
    enum CodingKeys: CodingKey { case name }
}

final class Model: Codable {
    var name: String
    var draft = ""
    var inner = Inner(a: 0)
    enum CodingKeys: CodingKey { case name, inner }

    init(_ name: String, draft: String = "", inner: Inner = Inner(a: 0)) {
        self.name = name
        self.draft = draft
        self.inner = inner
    }
}

class Base: Codable {
    var base = ""
    var coded = 0
    enum CodingKeys: CodingKey { case coded }
    init(base: String) { self.base = base }
}

final class Derived: Base {
    var extra = ""

    init(base: String = "", extra: String = "") {
        self.extra = extra
        super.init(base: base)
    }

    required init(from decoder: any Decoder) throws { try super.init(from: decoder) }
}

struct ModelHolder: Codable { var model: Model }

@available(macOS 14, iOS 17, *)
@Observable final class Observed: Codable {
    var name: String
    var draft = ""
    enum CodingKeys: String, CodingKey { case _name = "name" }

    init(_ name: String, draft: String = "") {
        self.name = name
        self.draft = draft
    }
}
