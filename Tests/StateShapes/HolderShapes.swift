// Shapes whose referenced content can change, so that equal bytes don't mean equal states.

protocol Holder: WriteOnlyShape {
    var number: Int { get }
    var small: UInt8 { get set }
    mutating func changeInside()
}

extension Holder {
    static var isValue: Bool { false }

    mutating func change(_ dice: inout Dice) { if dice.flip() { small &+= 1 } else { changeInside() } }

    func encode(to encoder: any Encoder) throws {
        var container = encoder.unkeyedContainer()
        try container.encode(small)
        try container.encode(number)
    }
}

final class Counter: Hashable, @unchecked Sendable {
    var number = 0
    weak var other: Counter?

    static func == (left: Counter, right: Counter) -> Bool { left === right }
    func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(self)) }
}

struct InstanceHolder: Holder {
    var small: UInt8 = 0
    private var counter = Counter()
    var number: Int { counter.number }
    mutating func changeInside() { counter.number += 1 }
}

struct ExistentialHolder: Holder {
    var small: UInt8 = 0
    private var counter: any Hashable & Sendable = Counter()
    var number: Int { (counter as? Counter)?.number ?? -1 }
    mutating func changeInside() { (counter as? Counter)?.number += 1 }
}

struct AnyHolder: Holder {
    var small: UInt8 = 0
    private var counter: Any? = Counter()
    private var key = AnyHashable(1)
    var number: Int { (counter as? Counter)?.number ?? -1 }
    mutating func changeInside() { (counter as? Counter)?.number += 1 }
}

struct ClosureHolder: Holder {
    var small: UInt8 = 0
    private let counter = Counter()
    private var read: () -> Int

    init() { read = { [counter] in counter.number } }
    var number: Int { read() }
    mutating func changeInside() { counter.number += 1 }
}

struct ReferenceHolder: Holder {
    var small: UInt8 = 0
    private static let counters = [Counter(), Counter(), Counter()]
    private weak var weakly: Counter?
    private unowned var unowned: Counter
    private unowned(unsafe) var unsafely: Counter
    private var unmanaged: Unmanaged<Counter>

    init() {
        (weakly, unowned, unsafely) = (Self.counters[0], Self.counters[1], Self.counters[2])
        unmanaged = .passUnretained(Self.counters[0])
    }

    var number: Int { Self.counters.reduce(0) { $0 + $1.number } }
    mutating func changeInside() { for counter in Self.counters { counter.number += 1 } }
}

struct UniqueHolder: Holder {
    private struct Unique: ~Copyable { var number = 0 }
    private final class Box { var unique = Unique() }

    var small: UInt8 = 0
    private var box = Box()
    var number: Int { box.unique.number }
    mutating func changeInside() { box.unique.number += 1 }
}

struct PathHolder: Holder {
    struct Inner { var a = 0; var b = 1 }

    var small: UInt8 = 0
    private var inner = Inner()
    private var path: any WritableKeyPath<Inner, Int> & Sendable = \.a
    var number: Int { inner[keyPath: path] }
    mutating func changeInside() {
        inner[keyPath: path] += 1
        path = number.isMultiple(of: 3) ? \.b : \.a
    }
}

struct BufferHolder: Holder {
    var small: UInt8 = 0
    // Never freed: any copy of the state may use it.
    private var buffer = UnsafeMutableBufferPointer<Int>.allocate(capacity: 1)

    init() { buffer[0] = 0 }
    var number: Int { buffer[0] }
    mutating func changeInside() { buffer[0] += 1 }
}

/// A state that is a class.
final class ClassState: WriteOnlyShape {
    private var number = 0
    private var list: [Int] = []

    init() {}
    init(from decoder: any Decoder) throws { throw WriteOnly() }
    static var isValue: Bool { false }
    func change(_ dice: inout Dice) {
        number += 1
        list = (0..<dice.below(4)).map { $0 }
    }

    func encode(to encoder: any Encoder) throws {
        var container = encoder.unkeyedContainer()
        try container.encode(number)
        try container.encode(list)
    }
}

/// A recursive generic type with a new argument at each level, without an end.
struct Endless: WriteOnlyShape {
    indirect enum Perfect<Value: Codable>: Codable {
        case leaf(Value)
        case deeper(Perfect<[Value]>)

        // Decodes by hand, because deeper levels need a conformance for each argument.
        init(from decoder: any Decoder) throws { self = .leaf(try decoder.singleValueContainer().decode(Value.self)) }

        func encode(to encoder: any Encoder) throws {
            var container = encoder.singleValueContainer()
            switch self {
            case .leaf(let value): try container.encode(value)
            case .deeper(let perfect): try container.encode(perfect)
            }
        }
    }

    private var perfect = Perfect.leaf(0)
    private var small: UInt8 = 0

    init() {}
    static var isValue: Bool { false }

    mutating func change(_ dice: inout Dice) {
        switch dice.below(3) {
        case 0: perfect = .leaf(dice.below(3))
        case 1: perfect = .deeper(.leaf([dice.below(3)]))
        default: small &+= 1
        }
    }
}
