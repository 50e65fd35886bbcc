import TapeFormat

// Types with their own `encode(to:)`, by the containers that they use.

/// Writes nothing.
struct Wordless: Encodable {
    var number = 0
    func encode(to encoder: any Encoder) {}
}

struct Nested<A: Arbitrary, B: Arbitrary>: Composite {
    private var a: A
    private var b: B
    private var count: Int
    private var silent = Wordless()

    static func random(_ random: inout Seeded, size: Int) -> Self {
        Self(a: .random(&random, size: size), b: .random(&random, size: size), count: .random(&random, size: 0))
    }

    mutating func visit(_ visitor: inout PartVisitor) {
        visitor.part(&a)
        visitor.part(&b)
        visitor.part(&count)
        visitor.part(&silent.number)
    }

    func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: Field.self)
        try container.encode(silent, forKey: "silent")
        var object = container.nestedContainer(keyedBy: Field.self, forKey: "object")
        try object.encode(a, forKey: "a")
        var deep = object.nestedContainer(keyedBy: Field.self, forKey: "deep/er")
        try deep.encode(count, forKey: "count")
        var array = container.nestedUnkeyedContainer(forKey: "array")
        try array.encode(b)
        try array.encode(count)
        var element = array.nestedContainer(keyedBy: Field.self)
        try element.encode(a, forKey: "a")
        var inner = array.nestedUnkeyedContainer()
        try inner.encode(b)
        try inner.encodeNil()
        _ = container.nestedContainer(keyedBy: Field.self, forKey: "empty object")
        _ = container.nestedUnkeyedContainer(forKey: "empty array")
    }

    static func normalised(_ json: JSON) -> JSON {
        json.members([
            "object": { $0.members(["a": A.normalised]) },
            "array": {
                $0.elements(
                    B.normalised, { $0 }, { $0.members(["a": A.normalised]) }, { $0.elements(B.normalised) })
            },
        ])
    }
}

/// Writes to several open containers in turn, one of them opened twice.
struct Interleaved<A: Arbitrary, B: Arbitrary>: Composite {
    private var values: [A]
    private var b: B

    static func random(_ random: inout Seeded, size: Int) -> Self {
        Self(values: .random(&random, size: size), b: .random(&random, size: size))
    }

    mutating func visit(_ visitor: inout PartVisitor) {
        visitor.part(&values)
        visitor.part(&b)
    }

    func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: Field.self)
        var even = container.nestedUnkeyedContainer(forKey: "even")
        var object = container.nestedContainer(keyedBy: Field.self, forKey: "object")
        var odd = container.nestedUnkeyedContainer(forKey: "odd")
        for (index, value) in values.enumerated() {
            if index.isMultiple(of: 2) { try even.encode(value) } else { try odd.encode(value) }
            try object.encode(index, forKey: Field(stringLiteral: "last\(index)"))
        }
        try container.encode(even.count, forKey: "count")
        try object.encode(b, forKey: "b")
        var again = container.nestedContainer(keyedBy: Field.self, forKey: "object")
        try again.encode(values.count, forKey: "count")
        var reopened = encoder.container(keyedBy: Field.self)
        try reopened.encode(b, forKey: "b")
    }

    static func normalised(_ json: JSON) -> JSON {
        json.members([
            "even": { [A].normalised($0) }, "odd": { [A].normalised($0) },
            "object": { $0.members(["b": B.normalised]) },
            "b": B.normalised,
        ])
    }
}

/// A tuple, written without keys.
struct Tuple<A: Arbitrary, B: Arbitrary>: Composite {
    private var parts: (A, flag: Bool, B)

    static func random(_ random: inout Seeded, size: Int) -> Self {
        Self(parts: (.random(&random, size: size), .random(&random, size: 0), .random(&random, size: size)))
    }

    mutating func visit(_ visitor: inout PartVisitor) {
        visitor.part(&parts.0)
        visitor.part(&parts.flag)
        visitor.part(&parts.2)
    }

    func encode(to encoder: any Encoder) throws {
        var container = encoder.unkeyedContainer()
        try container.encode(parts.0)
        try container.encode(parts.flag)
        if parts.flag { try container.encodeNil() }
        try container.encode(contentsOf: [1, container.count])
        // Its position depends on the flag, so that it can replace a value of another type.
        try container.encode(Pair(a: parts.2, b: parts.flag))
    }

    static func normalised(_ json: JSON) -> JSON {
        guard let array = json.array, let last = array.last else { return json }
        return JSON.array(array.dropLast() + [Pair<B, Bool>.normalised(last)]).elements(A.normalised)
    }
}

/// An app's collection, now and then large, that writes its elements one by one.
struct Listing<Element: ArbitraryKey>: Composite {
    private var elements: [Element]
    private var isKeyed: Bool

    static func random(_ random: inout Seeded, size: Int) -> Self {
        let count = size > 3 && random.once(in: 3) ? 255 + random.below(9) : random.below(size + 1)
        return Self(
            elements: (0..<count).map { _ in .random(&random, size: 0) }, isKeyed: .random(&random, size: 0))
    }

    mutating func visit(_ visitor: inout PartVisitor) {
        visitor.part(&elements)
        // Several times, since this is the part that usually changes.
        for _ in 0..<3 where !elements.isEmpty { visitor.part(&elements[elements.count / 2]) }
        visitor.part(&isKeyed)
    }

    func encode(to encoder: any Encoder) throws {
        guard isKeyed else {
            var container = encoder.unkeyedContainer()
            for element in elements { try container.encode(element) }
            return
        }
        var container = encoder.container(keyedBy: Field.self)
        // Counted from the end: a new element is inserted before all others.
        for (index, element) in elements.enumerated() {
            try container.encode(element, forKey: Field(stringLiteral: "\(elements.count - index) to go"))
        }
    }

    static func normalised(_ json: JSON) -> JSON {
        json.everyElement(Element.normalised).everyMember(Element.normalised)
    }
}

/// Written as the value that it holds.
struct Single<A: Arbitrary>: Composite {
    var value: A

    static func random(_ random: inout Seeded, size: Int) -> Self { Self(value: .random(&random, size: size)) }
    mutating func visit(_ visitor: inout PartVisitor) { visitor.part(&value) }

    func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(value)
    }

    static func normalised(_ json: JSON) -> JSON { A.normalised(json) }
}

extension Single: Equatable where A: Equatable {}
extension Single: Hashable where A: Hashable {}
extension Single: ArbitraryKey where A: ArbitraryKey {}

/// Written through the encoders for a superclass, and into the object of another value.
struct Supers<A: Arbitrary, B: Arbitrary>: Composite {
    private var a: A
    private var base: Pair<A, B>
    private var number: Int32

    static func random(_ random: inout Seeded, size: Int) -> Self {
        Self(a: .random(&random, size: size), base: .random(&random, size: size), number: .random(&random, size: 0))
    }

    mutating func visit(_ visitor: inout PartVisitor) {
        visitor.part(&a)
        visitor.part(&base)
        visitor.part(&number)
    }

    func encode(to encoder: any Encoder) throws {
        try base.encode(to: encoder)
        var container = encoder.container(keyedBy: Field.self)
        try container.encode(number, forKey: "number")
        try base.encode(to: container.superEncoder())
        try a.encode(to: container.superEncoder(forKey: "parent"))
        var list = container.nestedUnkeyedContainer(forKey: "list")
        try a.encode(to: list.superEncoder())
        try list.encode(number)
        try number.encode(to: list.superEncoder())
        _ = container.superEncoder(forKey: "unused")
    }

    static func normalised(_ json: JSON) -> JSON {
        Pair<A, B>.normalised(json).members([
            "super": { Pair<A, B>.normalised($0) }, "parent": A.normalised, "list": { $0.elements(A.normalised) },
        ])
    }
}
