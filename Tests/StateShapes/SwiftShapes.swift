// Shapes of Swift's memory layout, with padding and spare bits.

struct Padded: Shape {
    private var flag = false
    private var number = 0
    private var small: Int8 = 0
    private var wide: Int64?
    private var tiny: UInt16?
    private var last: Bool?

    init() {}

    mutating func change(_ dice: inout Dice) {
        switch dice.below(6) {
        case 0: flag.toggle()
        case 1: number += 1
        case 2: small &+= 1
        case 3: wide = dice.flip() ? nil : Int64(dice.below(3))
        case 4: tiny = dice.flip() ? nil : UInt16(dice.below(3))
        default: last = dice.one(of: [nil, true, false])
        }
    }
}

struct Enums: Shape {
    enum Plain: String, Codable { case a, b, c }
    enum Spare: Codable { case flag(Bool), small(UInt8), none, text(String), list([Int]), pair(Int8, Bool) }
    enum One: Codable { case only(Int32) }
    enum Maybe: Codable { case some(Inner), none }
    enum Impossible: Codable { case never(Never2), some(Int8) }
    enum Never2: Codable { case unused }
    indirect enum Chain: Codable { case end, link(Int8, Chain) }
    struct Inner: Codable { var small: UInt8 = 0; var number = 0 }

    private var plain: Plain? = .a
    private var spare = Spare.none
    private var maybeSpare: Spare?
    private var one = One.only(0)
    private var maybe = Maybe.none
    private var impossible = Impossible.some(0)
    private var chain = Chain.end
    private var chains = [Chain.end, .end]

    init() {}

    mutating func change(_ dice: inout Dice) {
        switch dice.below(8) {
        case 0: plain = dice.one(of: [nil, .a, .b, .c])
        case 1: spare = some(&dice)
        case 2: maybeSpare = dice.flip() ? nil : some(&dice)
        case 3: one = .only(Int32(dice.below(3)))
        case 4: maybe = dice.flip() ? .none : .some(Inner(small: UInt8(dice.below(3)), number: dice.below(3)))
        case 5: impossible = .some(Int8(dice.below(3)))
        case 6: chain = dice.flip() ? .end : .link(Int8(dice.below(3)), chain)
        default: chains[dice.below(2)] = .link(0, chain)
        }
    }

    private func some(_ dice: inout Dice) -> Spare {
        dice.one(of: [
            .flag(true), .flag(false), .small(UInt8(dice.below(256))), .none, .text(dice.text()),
            .list([dice.below(3)]),
            .pair(1, true),
        ])
    }
}

struct Generics: Shape {
    struct Box<Value: Codable>: Codable { var before: UInt8 = 0; var value: Value; var after: Value? }
    struct Outer<A: Codable>: Codable {
        struct Inner<B: Codable>: Codable { var a: A; var small: Bool = false; var b: B }
        var inner: Inner<[A]>
    }

    private var box = Box(value: Box(value: Int16(1)))
    private var outer = Outer(inner: .init(a: UInt8(0), b: []))
    private var nested = [[String: [Int8?]]]()
    private var optional: Int???

    init() {}

    mutating func change(_ dice: inout Dice) {
        switch dice.below(7) {
        case 0: box.before &+= 1
        case 1: box.value.after = dice.flip() ? nil : Int16(dice.below(3))
        case 2: box.after = dice.flip() ? nil : Box(value: 2)
        case 3: outer.inner.small.toggle()
        case 4: outer.inner.b.append(outer.inner.a)
        case 5: optional = dice.one(of: [nil, .some(nil), .some(.some(nil)), 1, 2])
        default: nested.append([dice.text(): [nil, Int8(dice.below(3))]])
        }
        if nested.count > 3 || outer.inner.b.count > 3 { (nested, outer.inner.b) = ([], []) }
    }
}

struct Tuples: WriteOnlyShape {
    private var many: (Int8, text: String, [Int], Int64?) = (0, "", [0], nil)
    private var flag = false
    private var pair: (small: Int8, (Bool, Int)) = (0, (false, 0))

    init() {}

    mutating func change(_ dice: inout Dice) {
        switch dice.below(7) {
        case 0: many.0 &+= 1
        case 1: many.text = dice.text()
        case 2: many.2 = [dice.below(3)]
        case 3: many.3 = dice.flip() ? nil : Int64(dice.below(3))
        case 4: flag.toggle()
        case 5: pair.small &+= 1
        default: pair.1 = (dice.flip(), dice.below(3))
        }
    }

    func encode(to encoder: any Encoder) throws {
        var container = encoder.unkeyedContainer()
        try container.encode(many.0)
        try container.encode(many.text)
        try container.encode(many.2)
        try container.encode(many.3)
        try container.encode(flag)
        try container.encode(pair.small)
        try container.encode(pair.1.0)
        try container.encode(pair.1.1)
    }
}

struct HugeTuple: WriteOnlyShape {
    typealias Eight = (Int8, Int64, Bool, Int32, UInt8, Double, Int16, Bool?)
    private var tuple: (Eight, Eight, Eight, Eight, Int8, (Eight, Eight), Bool) = (
        HugeTuple.eight, HugeTuple.eight, HugeTuple.eight, HugeTuple.eight, 0, (HugeTuple.eight, HugeTuple.eight), false
    )
    private static var eight: Eight { (0, 0, false, 0, 0, 0, 0, nil) }

    init() {}

    mutating func change(_ dice: inout Dice) {
        switch dice.below(7) {
        case 0: tuple.0.7 = dice.flip() ? nil : true
        case 1: tuple.1.1 += 1
        case 2: tuple.3.4 &+= 1
        case 3: tuple.4 &+= 1
        case 4: tuple.5.1.6 &+= 1
        case 5: tuple.5.0.2.toggle()
        default: tuple.6.toggle()
        }
    }

    func encode(to encoder: any Encoder) throws {
        var container = encoder.unkeyedContainer()
        try container.encode(tuple.0.7)
        try container.encode(tuple.1.1)
        try container.encode(tuple.3.4)
        try container.encode(tuple.4)
        try container.encode(tuple.5.1.6)
        try container.encode(tuple.5.0.2)
        try container.encode(tuple.6)
    }
}

struct Wrappers: Shape {
    @propertyWrapper struct Counted<Value: Codable>: Codable {
        var wrappedValue: Value { didSet { writes &+= 1 } }
        private(set) var writes: UInt8 = 0
        var projectedValue: UInt8 { writes }

        init(wrappedValue: Value) { self.wrappedValue = wrappedValue }
    }
    struct Nothing: Codable {}

    @Counted private var a = Int16(0)
    private var nothing = Nothing()
    @Counted private var b: String? = nil
    private var watched = false { didSet { changes &+= 1 } }
    private var changes: Int8 = 0
    private var other: Nothing? = Nothing()

    init() {}

    mutating func change(_ dice: inout Dice) {
        switch dice.below(4) {
        case 0: a &+= 1
        case 1: b = dice.flip() ? nil : dice.text()
        case 2: watched.toggle()
        default: other = dice.flip() ? nil : Nothing()
        }
    }
}

struct Types: WriteOnlyShape {
    private var before: UInt8 = 0
    private var kind: Any.Type = Int.self
    private var last: any (Encodable & Sendable).Type = Bool.self

    init() {}

    mutating func change(_ dice: inout Dice) {
        switch dice.below(3) {
        case 0: before &+= 1
        case 1: kind = dice.one(of: [Int.self, String.self, [Int].self])
        default: last = dice.one(of: [Int.self, String.self, Bool.self])
        }
    }

    func encode(to encoder: any Encoder) throws {
        var container = encoder.unkeyedContainer()
        try container.encode(before)
        try container.encode("\(kind)")
        try container.encode("\(last)")
    }
}

/// Metatypes, which take no memory as a property.
struct ThinTypes: WriteOnlyShape {
    private var number = 0
    private var kind: Int.Type = Int.self
    private var inside: (Int8, String.Type) = (0, String.self)
    private var last: Int32.Type = Int32.self

    init() {}
    static var isValue: Bool { false }

    mutating func change(_ dice: inout Dice) {
        if dice.flip() { number += 1 } else { inside.0 &+= 1 }
    }

    func encode(to encoder: any Encoder) throws {
        var container = encoder.unkeyedContainer()
        try container.encode(number)
        try container.encode("\(kind)\(inside.1)\(last)")
        try container.encode(inside.0)
    }
}
