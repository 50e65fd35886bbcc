import TapeFormat

// Types with their own `encode(to:)`, by the effect on their members.

/// Members that exist or not depending on another one.
struct Conditional<A: Arbitrary, B: Arbitrary>: Composite {
    private var isShown: Bool
    private var a: A
    private var b: B?

    static func random(_ random: inout Seeded, size: Int) -> Self {
        Self(isShown: .random(&random, size: 0), a: .random(&random, size: size), b: .random(&random, size: size))
    }

    mutating func visit(_ visitor: inout PartVisitor) {
        visitor.part(&isShown)
        visitor.part(&a)
        visitor.part(&b)
    }

    func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: Field.self)
        if isShown { try container.encode(a, forKey: "a") }
        try container.encodeIfPresent(b, forKey: "b")
        if b == nil { try container.encodeNil(forKey: "no b") }
        if !isShown { try container.encode(a, forKey: "hidden a") }
    }

    static func normalised(_ json: JSON) -> JSON {
        json.members(["a": A.normalised, "b": B.normalised, "hidden a": A.normalised])
    }
}

/// Writes a key twice: the last counts.
struct Twice<A: Arbitrary>: Composite {
    private var first: A
    private var last: A
    private var isTwice: Bool

    static func random(_ random: inout Seeded, size: Int) -> Self {
        Self(
            first: .random(&random, size: size), last: .random(&random, size: size),
            isTwice: .random(&random, size: 0))
    }

    mutating func visit(_ visitor: inout PartVisitor) {
        visitor.part(&first)
        visitor.part(&last)
        visitor.part(&isTwice)
    }

    func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: Field.self)
        try container.encode(isTwice, forKey: "value")
        try container.encode(first, forKey: "value")
        try container.encode(isTwice, forKey: "other")
        if isTwice { try container.encode(last, forKey: "value") }
    }

    static func normalised(_ json: JSON) -> JSON { json.members(["value": A.normalised]) }
}

/// The same eight bytes, written as one type or another.
struct Shifting: Composite {
    private var bits: UInt64
    private var kind: UInt8

    static func random(_ random: inout Seeded, size: Int) -> Shifting {
        Shifting(bits: .random(&random, size: 0), kind: UInt8(random.below(9)))
    }

    mutating func edit(_ random: inout Seeded) {
        if random.once(in: 2) { bits.edit(&random) } else { kind = UInt8(random.below(9)) }
    }

    mutating func visit(_ visitor: inout PartVisitor) {
        visitor.part(&bits)
        visitor.part(&kind)
    }

    func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        switch kind {
        case 0: try container.encode(bits)
        case 1: try container.encode(Int64(bitPattern: bits))
        case 2: try container.encode(Double(bitPattern: bits))
        case 3: try container.encode(String(bits))
        case 4: try container.encodeNil()
        case 5: try container.encode(["bits": bits])
        case 6: try container.encode([bits, 1])
        case 7: try container.encode(bits.isMultiple(of: 2))
        default: try container.encode(Single(value: bits))
        }
    }
}

/// Writes temporary values, whose storage is freed afterwards.
struct Computed<A: Arbitrary>: Composite {
    private var values: [A]
    private var text: String

    static func random(_ random: inout Seeded, size: Int) -> Self {
        Self(values: .random(&random, size: size), text: .random(&random, size: 0))
    }

    mutating func visit(_ visitor: inout PartVisitor) {
        visitor.part(&values)
        visitor.part(&text)
    }

    func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: Field.self)
        try container.encode(Array(values.reversed()), forKey: "reversed")
        try container.encode(String(repeating: text, count: 3), forKey: "thrice")
        try container.encode(values.map { Pair(a: $0, b: text) }, forKey: "pairs")
        try container.encode(Dictionary(grouping: text.utf8.map(Int.init)) { $0 / 16 }, forKey: "groups")
        try container.encode(values.last, forKey: "last")
    }

    static func normalised(_ json: JSON) -> JSON {
        json.members([
            "reversed": { [A].normalised($0) }, "pairs": { [Pair<A, String>].normalised($0) },
            "last": { A?.normalised($0) },
        ])
    }
}

/// Writes temporary instances of a class and its subclass.
struct Transferred<A: Arbitrary>: Composite {
    private class Transfer: Encodable {
        let value: A
        init(_ value: A) { self.value = value }
    }

    private final class Remark: Transfer {
        override func encode(to encoder: any Encoder) throws {
            var container = encoder.container(keyedBy: Field.self)
            try container.encode("a remark", forKey: "kind")
            try container.encode(value, forKey: "value")
        }
    }

    private var values: [A]
    private var remarks: [Bool]

    static func random(_ random: inout Seeded, size: Int) -> Self {
        Self(values: .random(&random, size: size), remarks: .random(&random, size: size))
    }

    mutating func visit(_ visitor: inout PartVisitor) {
        visitor.part(&values)
        visitor.part(&remarks)
    }

    func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: Field.self)
        let transfers = values.enumerated().map { index, value in
            index < remarks.count && remarks[index] ? Remark(value) : Transfer(value)
        }
        try container.encode(transfers, forKey: "array")
        try container.encode(transfers.first, forKey: "first")
        try container.encode(Dictionary(grouping: transfers) { $0 is Remark ? "remarks" : "others" }, forKey: "groups")
    }

    static func normalised(_ json: JSON) -> JSON {
        let transfer: JSON.Change = { $0.members(["value": A.normalised]) }
        return json.members([
            "array": { $0.everyElement(transfer) }, "first": transfer,
            "groups": { $0.everyMember { $0.everyElement(transfer) } },
        ])
    }
}

/// A dictionary whose keys hold more than the name that they are written under.
struct Versioned<A: Arbitrary>: Composite {
    private struct Key: Hashable, Encodable, CodingKeyRepresentable {
        let name: String
        let version: Int

        init(name: String, version: Int) {
            self.name = name
            self.version = version
        }

        init?(codingKey: some CodingKey) { self.init(name: codingKey.stringValue, version: 0) }
        var codingKey: any CodingKey { Field(stringLiteral: name) }
    }

    private var entries: [(version: Int, value: A)]

    static func random(_ random: inout Seeded, size: Int) -> Self {
        Self(entries: (0..<2).map { _ in (random.below(2), .random(&random, size: size)) })
    }

    mutating func visit(_ visitor: inout PartVisitor) {
        for index in entries.indices {
            visitor.part(&entries[index].version)
            visitor.part(&entries[index].value)
        }
    }

    func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        let pairs = entries.enumerated().map { (Key(name: "entry \($0)", version: $1.version), $1.value) }
        try container.encode(Dictionary(uniqueKeysWithValues: pairs))
    }

    static func normalised(_ json: JSON) -> JSON { json.everyMember(A.normalised) }
}

/// A type with a discriminating member, and its payload's members beside it.
enum Discriminated<A: Arbitrary>: Composite {
    case text(String)
    case item(Pair<A, Bool>)

    static func random(_ random: inout Seeded, size: Int) -> Self {
        random.once(in: 2) ? .text(.random(&random, size: size)) : .item(.random(&random, size: size))
    }

    mutating func visit(_ visitor: inout PartVisitor) {
        switch self {
        case .text(var text):
            visitor.part(&text)
            self = .text(text)
        case .item(var item):
            visitor.part(&item)
            self = .item(item)
        }
    }

    func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: Field.self)
        switch self {
        case .text(let text):
            try container.encode("text", forKey: "type")
            try container.encode(text, forKey: "text")
        case .item(let item):
            try container.encode("item", forKey: "type")
            try item.encode(to: encoder)
        }
    }

    static func normalised(_ json: JSON) -> JSON { Pair<A, Bool>.normalised(json) }
}
