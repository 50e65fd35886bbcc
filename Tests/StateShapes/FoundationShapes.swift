import Foundation

struct Numbers: Shape {
    private var double = 0.0
    private var single: Float? = 0
    private var vector = SIMD3<Float>(repeating: 0)
    private var wide = SIMD4<Double>(repeating: 0)
    private var decimal = Decimal(0)
    private var duration = Duration.zero
    private var range = 0..<1
    private var closed: ClosedRange<Int8>? = nil

    init() {}

    mutating func change(_ dice: inout Dice) {
        let odd = [
            0, -0.0, .nan, .signalingNaN, Double(nan: 5, signaling: false), .infinity, -.infinity, 0.1, 1e300,
            .leastNonzeroMagnitude, 0x1p53, 0x1p63,
        ]
        switch dice.below(8) {
        case 0: double = dice.one(of: odd)
        case 1: single = dice.flip() ? nil : Float(dice.one(of: odd))
        case 2: vector[dice.below(3)] = Float(dice.below(3))
        case 3: wide[dice.below(4)] = dice.one(of: odd)
        case 4: decimal = Decimal(string: dice.one(of: ["0", "-1.50", "1e30", "123456789012345678901234.5"])) ?? 0
        case 5: duration += .nanoseconds(dice.below(3))
        case 6: range = dice.below(3)..<5
        default: closed = dice.flip() ? nil : 0...Int8(dice.below(3))
        }
    }
}

@available(macOS 15, iOS 18, *)
struct WideIntegers: Shape {
    private var number: Int128 = 0
    private var maybe: UInt128?
    private var list: [Int128] = []
    private var named: [String: UInt128] = [:]

    init() {}

    mutating func change(_ dice: inout Dice) {
        let numbers: [Int128] = [0, -1, .max, .min, Int128(Int64.max) + 1]
        switch dice.below(5) {
        case 0: number = dice.one(of: numbers)
        case 1: maybe = dice.one(of: [nil, .max, UInt128(UInt64.max) + 1])
        case 2: list.append(dice.one(of: numbers))
        case 3: list = []
        default: named[dice.text()] = UInt128(dice.below(3))
        }
    }
}

struct FoundationValues: Shape {
    private var date = Date(timeIntervalSinceReferenceDate: 0)
    private var data = Data()
    private var id: UUID?
    private var url = URL(string: "https://example.org/")
    private var length = Measurement(value: 1, unit: UnitLength.meters)
    private var speed: Measurement<UnitSpeed>?
    private var components = DateComponents()
    private var place = IndexPath()
    private var zone = TimeZone(secondsFromGMT: 0)

    init() {}

    mutating func change(_ dice: inout Dice) {
        switch dice.below(9) {
        case 0: date += 1
        case 1: data = dice.flip() ? Data(repeating: 1, count: dice.below(30)) : data.dropFirst()
        case 2:
            id =
                dice.flip()
                ? nil : UUID(uuid: (1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, UInt8(dice.below(3))))
        case 3: url = URL(string: "https://example.org/\(dice.below(3))")
        case 4:
            length =
                dice.flip()
                ? length.converted(to: dice.one(of: [.kilometers, .miles, .meters]))
                : Measurement(value: Double(dice.below(3)), unit: .feet)
        case 5: speed = dice.flip() ? nil : Measurement(value: Double(dice.below(3)), unit: .knots)
        case 6: components.day = dice.below(3)
        case 7: place = IndexPath(indexes: (0..<dice.below(4)).map { $0 })
        default: zone = TimeZone(secondsFromGMT: 3_600 * dice.below(3))
        }
    }
}

struct Slices: WriteOnlyShape {
    private var text: Substring = "abc"
    private var numbers: ArraySlice<Int8> = [1, 2, 3]
    private var slice = Slice(base: [1, 2, 3], bounds: 0..<2)
    private var data = Data([1, 2, 3, 4]).dropFirst()
    private var character: Character = "a"
    private var reversed = [1, 2].reversed()

    init() {}

    mutating func change(_ dice: inout Dice) {
        switch dice.below(6) {
        case 0: text = dice.text().dropFirst(dice.below(2))
        case 1: numbers = [1, 2, Int8(dice.below(3)), 4].dropFirst(dice.below(3))
        case 2: slice = Slice(base: [1, dice.below(3), 3], bounds: dice.below(2)..<3)
        case 3: data = Data([1, UInt8(dice.below(3)), 3]).dropFirst(dice.below(2))
        case 4: character = dice.one(of: ["a", "é", "e\u{301}", "👨‍👩‍👧"])
        default: reversed = [dice.below(3), 1].reversed()
        }
    }

    func encode(to encoder: any Encoder) throws {
        var container = encoder.unkeyedContainer()
        try container.encode(String(text))
        try container.encode(Array(numbers))
        try container.encode(Array(slice))
        try container.encode(data)
        try container.encode(String(character))
        try container.encode(Array(reversed))
    }
}

struct Dictionaries: Shape {
    private var named: [String: [String: Int8]] = [:]
    private var numbered: [Int: Bool?] = [:]
    private var arrays: [[Int]] = []

    init() {}

    mutating func change(_ dice: inout Dice) {
        switch dice.below(6) {
        case 0: named[dice.text(), default: [:]][dice.text()] = Int8(dice.below(3))
        case 1: named[dice.text()] = nil
        case 2: numbered[dice.below(9)] = .some(dice.one(of: [nil, true, false]))
        case 3: numbered[dice.below(9)] = nil
        case 4: arrays.insert([dice.below(3)], at: dice.below(arrays.count + 1))
        default: arrays = arrays.reversed().dropLast()
        }
    }
}
