import CShapes

/// A C struct whose members are numbers, most of which Swift doesn't import.
protocol CStruct {
    init()
    static var access: CAccess<Self> { get }
    static var isValue: Bool { get }
    static func make() -> Self
}

extension CStruct {
    static var isValue: Bool { true }
    static func make() -> Self { Self() }
}

struct CAccess<C> {
    let count: Int
    let read: (UnsafePointer<C>, Int32) -> Int64
    let write: (UnsafeMutablePointer<C>, Int32, Int64) -> Void
}

/// A C struct that is encoded as its numbers.
struct CPart<C: CStruct>: Codable {
    var value = C.make()

    init() {}

    init(from decoder: any Decoder) throws {
        var container = try decoder.unkeyedContainer()
        for index in 0..<C.access.count { C.access.write(&value, Int32(index), try container.decode(Int64.self)) }
    }

    func encode(to encoder: any Encoder) throws {
        var container = encoder.unkeyedContainer()
        try withUnsafePointer(to: value) { value in
            for index in 0..<C.access.count { try container.encode(C.access.read(value, Int32(index))) }
        }
    }

    mutating func change(_ dice: inout Dice) {
        C.access.write(&value, Int32(dice.below(C.access.count)), Int64(dice.below(8)))
    }
}

/// A state with a C struct in each kind of property.
struct CState<C: CStruct>: Shape {
    private enum Choice: Codable {
        case none
        case one(CPart<C>)
        case other(CPart<C>, Bool)
    }

    private var small: UInt8 = 0
    private var one = CPart<C>()
    private var maybe: CPart<C>?
    private var many = [CPart<C>(), CPart<C>(), CPart<C>()]
    private var named = ["a": CPart<C>()]
    private var choice = Choice.none
    private var last = false

    init() {}

    static var isValue: Bool { C.isValue }

    mutating func change(_ dice: inout Dice) {
        switch dice.below(8) {
        case 0: small &+= 1
        case 1: one.change(&dice)
        case 2: if maybe == nil { maybe = one } else { maybe?.change(&dice) }
        case 3: many[dice.below(many.count)].change(&dice)
        case 4: many.swapAt(0, dice.below(many.count))
        case 5: named["a"]?.change(&dice)
        case 6:
            var part = one
            part.change(&dice)
            choice = dice.one(of: [.none, .one(part), .other(part, last)])
        default: last.toggle()
        }
    }
}
