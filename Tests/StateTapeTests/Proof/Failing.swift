import Foundation
import TapeFormat

// Types whose encoding fails, or depends on its place.

/// Throws while it is broken, after it has written a part.
struct Failing<A: Arbitrary>: Composite {
    struct Refusal: Error {}

    private var a: A
    private var isBroken: Bool
    private var form: UInt8

    static func random(_ random: inout Seeded, size: Int) -> Self {
        Self(a: .random(&random, size: size), isBroken: random.once(in: 3), form: UInt8(random.below(6)))
    }

    mutating func visit(_ visitor: inout PartVisitor) {
        visitor.part(&a)
        visitor.part(&isBroken)
    }

    func encode(to encoder: any Encoder) throws {
        switch form {
        case 0:
            if isBroken { throw Refusal() }
            var container = encoder.singleValueContainer()
            try container.encode(a)
        case 1:
            var container = encoder.unkeyedContainer()
            try container.encode(form)
            try container.encode(a)
            if isBroken { throw Refusal() }
            try container.encode(form)
        case 2:
            var container = encoder.container(keyedBy: Field.self)
            var nested = container.nestedUnkeyedContainer(forKey: "nested")
            try nested.encode(form)
            try a.encode(to: container.superEncoder())
            if isBroken { throw Refusal() }
            try nested.encode(a)
        case 3:
            try a.encode(to: encoder)
            if isBroken { throw Refusal() }
        default:
            var container = encoder.container(keyedBy: Field.self)
            try container.encode(a, forKey: "a")
            if isBroken { throw Refusal() }
            try container.encode(form, forKey: "form")
        }
    }

    static func normalised(_ json: JSON) -> JSON {
        // The members of `a` itself may have these names, too. A set sorts its elements, so it comes last.
        A.normalised(
            json.elements({ $0 }, A.normalised).members([
                "a": A.normalised, "super": A.normalised, "nested": { $0.elements({ $0 }, A.normalised) },
            ]))
    }
}

/// Writes where it is.
struct Located<A: Arbitrary>: Composite {
    private var a: A
    private var isPlaced: Bool

    static func random(_ random: inout Seeded, size: Int) -> Self {
        Self(a: .random(&random, size: size), isPlaced: .random(&random, size: 0))
    }

    mutating func visit(_ visitor: inout PartVisitor) {
        visitor.part(&a)
        visitor.part(&isPlaced)
    }

    func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: Field.self)
        if isPlaced {
            try container.encode(encoder.codingPath.map(\.stringValue), forKey: "place")
            var nested = container.nestedUnkeyedContainer(forKey: "nested")
            try nested.encode(nested.codingPath.count)
        }
        try container.encode(a, forKey: "a")
    }

    static func normalised(_ json: JSON) -> JSON {
        // In a nested container, Foundation's encoder leaves out the container's own key.
        json.members(["a": A.normalised, "place": { _ in .null }, "nested": { _ in .null }])
    }
}

/// Writes something else where its value throws.
struct Catching<A: Arbitrary>: Composite {
    private var a: Failing<A>
    private var isInstead: Bool

    static func random(_ random: inout Seeded, size: Int) -> Self {
        Self(a: .random(&random, size: size), isInstead: .random(&random, size: 0))
    }

    mutating func visit(_ visitor: inout PartVisitor) {
        visitor.part(&a)
        visitor.part(&isInstead)
    }

    func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: Field.self)
        do {
            try container.encode([a], forKey: "a")
        } catch  where isInstead {
            try container.encode(isInstead, forKey: "instead")
        } catch {}
        try? container.encode(a, forKey: "b")
    }

    static func normalised(_ json: JSON) -> JSON {
        json.members(["a": { [Failing<A>].normalised($0) }, "b": { Failing<A>.normalised($0) }])
    }
}

/// A decimal, now and then not a number.
struct Amount: Arbitrary {
    private var decimal: Decimal

    static func random(_ random: inout Seeded, size: Int) -> Amount {
        Amount(decimal: random.once(in: 3) ? .nan : .random(&random, size: size))
    }
}
