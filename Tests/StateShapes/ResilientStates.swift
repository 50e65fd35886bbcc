import ResilientShapes

struct ResilientValues: WriteOnlyShape {
    private enum Kind { case none, one(ResilientPlain), two(ResilientPlain, Bool) }

    private var small: UInt8 = 0
    private var plain = ResilientPlain()
    private var pair = ResilientPair(Int8(0), "")
    private var maybe: ResilientPlain?
    private var choice = ResilientChoice<[Int], ResilientPlain>.neither
    private var maybeChoice: ResilientChoice<Bool, Int8>?
    private var kind = ResilientKind.none
    private var own = Kind.none
    private var frozen = FrozenPair()
    private var list = [ResilientPair(UInt8(0), ResilientPlain()), ResilientPair(1, ResilientPlain())]
    private var last = false

    init() {}

    mutating func change(_ dice: inout Dice) {
        switch dice.below(16) {
        case 0: small &+= 1
        case 1, 2: plain.change(dice.below(4))
        case 3: pair.touch()
        case 4: pair.first &+= 1
        case 5: pair.second = dice.text()
        case 6: if maybe == nil { maybe = plain } else { maybe?.change(dice.below(4)) }
        case 7: choice = dice.one(of: [.neither, .first([dice.below(3)]), .second(plain, count: 1)])
        case 8: maybeChoice = dice.one(of: [nil, .neither, .first(true), .second(Int8(dice.below(3)), count: 2)])
        case 9: kind = dice.one(of: [.none, .plain(plain), .deeper(kind)])
        case 10: own = dice.one(of: [.none, .one(plain), .two(plain, last)])
        case 11: frozen.small &+= 1
        case 12: frozen.number += 1
        case 13: list[dice.below(2)].touch()
        case 14: list[dice.below(2)].second.change(dice.below(4))
        default: last.toggle()
        }
        if kind.parts.count > 9 { kind = .none }
    }

    func encode(to encoder: any Encoder) throws {
        var container = encoder.unkeyedContainer()
        try container.encode(small)
        try container.encode(plain.parts)
        try container.encode(pair.marks)
        try container.encode(pair.first)
        try container.encode(pair.second)
        try container.encode(maybe?.parts)
        try container.encode("\(choice)")
        try container.encode(maybeChoice.map { "\($0)" })
        try container.encode(kind.parts)
        try container.encode("\(own)")
        try container.encode(frozen.small)
        try container.encode(frozen.number)
        try container.encode(list.map { $0.marks + [Int($0.first)] })
        try container.encode(list.map(\.second.parts))
        try container.encode(last)
    }
}

struct ResilientInstance: Holder {
    var small: UInt8 = 0
    private var holder = ResilientHolder()
    var number: Int { holder.number }
    mutating func changeInside() { holder.add() }
}
