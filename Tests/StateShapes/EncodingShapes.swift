// Shapes with an unusual `encode(to:)`.

private enum Key: String, CodingKey { case a, b, c }

struct Failure: Error {}

/// Throws after a partial encoding; sometimes the error is caught.
struct Throwing: WriteOnlyShape {
    private struct Part: Encodable {
        var number = 0

        func encode(to encoder: any Encoder) throws {
            var container = encoder.container(keyedBy: Key.self)
            try container.encode(number, forKey: .a)
            var list = container.nestedUnkeyedContainer(forKey: .b)
            try list.encode(1)
            if number % 3 == 0 { throw Failure() }
            try list.encode(2)
        }
    }

    private var part = Part()
    private var catches = true
    private var small: UInt8 = 0

    init() {}

    mutating func change(_ dice: inout Dice) {
        switch dice.below(4) {
        case 0: small &+= 1
        case 1: catches = dice.below(3) > 0
        default: part.number = dice.below(6)
        }
    }

    func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: Key.self)
        try container.encode(small, forKey: .c)
        do {
            try container.encode(part, forKey: .a)
        } catch  where catches {
            try container.encode("caught", forKey: .b)
        }
    }
}

/// Encodes a member twice, into containers that it requests again.
struct Twice: WriteOnlyShape {
    private var first = 0
    private var second: Int8?

    init() {}

    mutating func change(_ dice: inout Dice) {
        if dice.flip() { first = dice.below(3) } else { second = dice.flip() ? nil : Int8(dice.below(3)) }
    }

    func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: Key.self)
        try container.encode(first, forKey: .a)
        try container.encode([first, first], forKey: .b)
        if let second {
            try container.encode(second, forKey: .a)
            var again = encoder.container(keyedBy: Key.self)
            try again.encode([second: first], forKey: .b)
        }
        var nested = container.nestedContainer(keyedBy: Key.self, forKey: .c)
        try nested.encode(first, forKey: .a)
        nested = container.nestedContainer(keyedBy: Key.self, forKey: .c)
        try nested.encode(second, forKey: .b)
    }
}

/// Encodes nothing, or an empty container, for a member.
struct Silent: WriteOnlyShape {
    private struct Part: Encodable {
        var kind = 0

        func encode(to encoder: any Encoder) throws {
            switch kind {
            case 0: break
            case 1: _ = encoder.container(keyedBy: Key.self)
            case 2: _ = encoder.unkeyedContainer()
            case 3:
                var container = encoder.singleValueContainer()
                try container.encodeNil()
            default:
                var container = encoder.singleValueContainer()
                try container.encode(Part(kind: kind - 4))
            }
        }
    }

    private var part = Part()
    private var parts = [Part(), Part(kind: 1), Part(kind: 2)]

    init() {}

    mutating func change(_ dice: inout Dice) {
        if dice.flip() { part.kind = dice.below(9) } else { parts[dice.below(3)].kind = dice.below(9) }
    }

    func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: Key.self)
        try container.encode(part, forKey: .a)
        try container.encode(parts, forKey: .b)
    }
}

/// Changes the shape of its encoding.
struct Shifting: WriteOnlyShape {
    private var kind = 0
    private var number = 0

    init() {}

    mutating func change(_ dice: inout Dice) { if dice.flip() { kind = dice.below(4) } else { number += 1 } }

    func encode(to encoder: any Encoder) throws {
        switch kind {
        case 0:
            var container = encoder.singleValueContainer()
            try container.encode(number)
        case 1:
            var container = encoder.unkeyedContainer()
            try container.encode(number)
            try container.encode("a")
        case 2:
            var container = encoder.container(keyedBy: Key.self)
            try container.encode(number, forKey: .a)
        default:
            var container = encoder.singleValueContainer()
            try container.encode(String(repeating: "long", count: 20 + number % 3))
        }
    }
}
