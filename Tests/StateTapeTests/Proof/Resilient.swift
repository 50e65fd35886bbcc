import ResilientShapes
import TapeFormat

// Parts of a module with library evolution, whose layouts are made at run time.

struct Resilient<A: Arbitrary, B: Arbitrary>: Composite {
    private var flag: Bool
    private var pair: ResilientPair<A, B>
    private var plain = ResilientPlain()
    private var last: Int16

    static func random(_ random: inout Seeded, size: Int) -> Self {
        Self(
            flag: .random(&random, size: 0),
            pair: ResilientPair(.random(&random, size: size), .random(&random, size: size)),
            last: .random(&random, size: 0))
    }

    mutating func visit(_ visitor: inout PartVisitor) {
        visitor.part(&flag)
        visitor.part(&pair.first)
        visitor.part(&pair.second)
        visitor.part(&last)
    }

    mutating func edit(_ random: inout Seeded) {
        switch random.below(4) {
        case 0: pair.touch()
        case 1: plain.change(random.below(4))
        case 2:
            var editor = PartVisitor(.edit(random.below(4)), random)
            visit(&editor)
            random = editor.random
        default: self = .random(&random, size: 2)
        }
    }

    func encode(to encoder: any Encoder) throws {
        var container = encoder.unkeyedContainer()
        try container.encode(pair.first)
        try container.encode(pair.second)
        try container.encode(pair.marks)
        try container.encode(plain.parts)
        try container.encode(flag)
        try container.encode(last)
    }

    static func normalised(_ json: JSON) -> JSON { json.elements(A.normalised, B.normalised) }
}

struct ResilientEither<A: Arbitrary, B: Arbitrary>: Composite {
    private var choice: ResilientChoice<A, B>
    private var maybe: ResilientChoice<B, Bool>?

    static func random(_ random: inout Seeded, size: Int) -> Self {
        Self(
            choice: random.once(in: 5) ? .neither : .one(&random, size),
            maybe: random.once(in: 2) ? nil : .one(&random, size))
    }

    mutating func visit(_ visitor: inout PartVisitor) {
        switch choice {
        case .first(var part):
            visitor.part(&part)
            choice = .first(part)
        case .second(var part, let count):
            visitor.part(&part)
            choice = .second(part, count: count)
        default: break
        }
    }

    func encode(to encoder: any Encoder) throws {
        var container = encoder.unkeyedContainer()
        try choice.encode(to: &container, as: "a", or: "b")
        if let maybe { try maybe.encode(to: &container, as: "b", or: "flag") }
    }

    static func normalised(_ json: JSON) -> JSON {
        guard let elements = json.array else { return json }
        return .array(
            elements.map { element in
                element.members(["a": A.normalised, "b": B.normalised])
            })
    }
}

extension ResilientChoice where A: Arbitrary, B: Arbitrary {
    fileprivate static func one(_ random: inout Seeded, _ size: Int) -> Self {
        random.once(in: 2)
            ? .first(.random(&random, size: size))
            : .second(.random(&random, size: size), count: UInt8(random.below(3)))
    }

    fileprivate func encode(
        to container: inout any UnkeyedEncodingContainer, as first: Field, or second: Field
    ) throws {
        var members = container.nestedContainer(keyedBy: Field.self)
        switch self {
        case .first(let part): try members.encode(part, forKey: first)
        case .second(let part, let count):
            try members.encode(part, forKey: second)
            try members.encode(count, forKey: "count")
        default: try members.encodeNil(forKey: "none")
        }
    }
}
