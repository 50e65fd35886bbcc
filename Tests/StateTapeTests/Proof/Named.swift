import TapeFormat

// Types that say secrets' names in their values. What has `hunter` in it must be on no tape.

/// A name, often a secret's.
struct SpokenName: ArbitraryKey {
    private var text: String

    var isSecret: Bool { !["email", "tokenCount"].contains(text) }

    static func random(_ random: inout Seeded, size: Int) -> SpokenName {
        SpokenName(text: random.one(of: ["email", "email", "password", "api_key", "tokenCount", "Set-Cookie"]))
    }

    func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(text)
    }
}

/// A name and a value, in an order of its own. A value that is a text tells which.
struct Named<A: Arbitrary>: Composite, Identifiable {
    private(set) var id: Int
    private var name: SpokenName
    private var a: A
    private var text: Int
    private var isFirst: Bool
    private var hasName: Bool

    static func random(_ random: inout Seeded, size: Int) -> Self {
        Self(
            id: random.below(20), name: .random(&random, size: 0), a: .random(&random, size: size),
            text: random.below(3), isFirst: random.once(in: 2), hasName: !random.once(in: 4))
    }

    mutating func visit(_ visitor: inout PartVisitor) {
        visitor.part(&name)
        visitor.part(&a)
        visitor.part(&text)
        visitor.part(&isFirst)
        visitor.part(&hasName)
    }

    func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: Field.self)
        try container.encode(id, forKey: "number")
        if isFirst, hasName { try container.encode(name, forKey: "fieldName") }
        try container.encode(a, forKey: "value")
        let isSecret = hasName && name.isSecret
        try container.encode((isSecret ? "hunter" : "tea") + String(text), forKey: "newText")
        if !isFirst, hasName { try container.encode(name, forKey: "fieldName") }
    }

    static func normalised(_ json: JSON) -> JSON { json.members(["value": A.normalised]) }
}

/// A case with unnamed values.
enum NamedCase<A: Arbitrary>: Composite {
    case set(SpokenName, A)
    case named(A, field: SpokenName)
    case none

    static func random(_ random: inout Seeded, size: Int) -> Self {
        switch random.below(5) {
        case 0, 1: .set(.random(&random, size: 0), .random(&random, size: size))
        case 2, 3: .named(.random(&random, size: size), field: .random(&random, size: 0))
        default: .none
        }
    }

    mutating func visit(_ visitor: inout PartVisitor) {
        switch self {
        case .set(var name, var a):
            visitor.part(&name)
            visitor.part(&a)
            self = .set(name, a)
        case .named(var a, var name):
            visitor.part(&a)
            visitor.part(&name)
            self = .named(a, field: name)
        case .none: break
        }
    }

    static func normalised(_ json: JSON) -> JSON {
        json.members([
            "set": { $0.members(["_1": A.normalised]) }, "named": { $0.members(["_0": A.normalised]) },
        ])
    }
}

/// A text, often one with a secret in it.
struct NamingText: Arbitrary {
    private var text: String

    static func random(_ random: inout Seeded, size: Int) -> NamingText {
        let start = random.once(in: 2) ? String(repeating: "some words, ", count: 8) : ""
        return NamingText(
            text: start
                + random.one(of: [
                    "", "a: b", "c = d", "password=hunter2", "x\nAuthorization: hunter3\ny", "https://a:hunter4@b/",
                    "https://a/?p%69n=hunter5", "bearer hunter6;",
                ]))
    }

    mutating func edit(_ random: inout Seeded) {
        if random.once(in: 2) { self = .random(&random, size: 0) } else { text = "-" + text + "." }
    }

    func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(text)
    }
}
