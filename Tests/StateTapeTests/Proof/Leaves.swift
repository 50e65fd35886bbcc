extension Bool: ArbitraryKey {
    static func random(_ random: inout Seeded, size: Int) -> Bool { random.once(in: 2) }
    mutating func edit(_ random: inout Seeded) { toggle() }
}

extension ArbitraryKey where Self: FixedWidthInteger {
    static func random(_ random: inout Seeded, size: Int) -> Self {
        switch random.below(8) {
        case 0: .max
        case 1: .min
        case 2: Self(truncatingIfNeeded: random.next())
        default: Self(truncatingIfNeeded: random.below(12))
        }
    }

    mutating func edit(_ random: inout Seeded) {
        self = random.once(in: 2) ? self &+ 1 : .random(&random, size: 0)
    }
}

extension Int: ArbitraryKey {}
extension Int8: ArbitraryKey {}
extension Int16: ArbitraryKey {}
extension Int32: ArbitraryKey {}
extension Int64: ArbitraryKey {}
extension UInt: ArbitraryKey {}
extension UInt8: ArbitraryKey {}
extension UInt16: ArbitraryKey {}
extension UInt32: ArbitraryKey {}
extension UInt64: ArbitraryKey {}

extension ArbitraryKey where Self: BinaryFloatingPoint {
    static func random(_ random: inout Seeded, size: Int) -> Self {
        switch random.below(12) {
        case 0: .nan
        case 1: .infinity
        case 2: -.infinity
        case 3: -0.0
        case 4: .leastNonzeroMagnitude
        case 5: .greatestFiniteMagnitude
        case 6: Self(random.below(1_000_000)) / 7
        case 7: Self(1e30) * Self(random.below(9))
        default: Self(random.below(3))
        }
    }
}

extension Double: ArbitraryKey {
    mutating func edit(_ random: inout Seeded) {
        // NaN has many bit patterns and one text.
        self = isNaN ? Double(bitPattern: bitPattern ^ 1) : .random(&random, size: 0)
        if random.once(in: 4) { self = Double(bitPattern: random.next()) }
    }
}

extension Float: ArbitraryKey {}

extension SIMD3: Arbitrary where Scalar == Float {
    static func random(_ random: inout Seeded, size: Int) -> Self {
        [.random(&random, size: 0), .random(&random, size: 0), .random(&random, size: 0)]
    }

    mutating func edit(_ random: inout Seeded) { self[random.below(3)].edit(&random) }
}

extension Duration: ArbitraryKey {
    static func random(_ random: inout Seeded, size: Int) -> Duration { .milliseconds(random.below(100_000) - 500) }
}

extension ClosedRange: Arbitrary where Bound == Int {
    static func random(_ random: inout Seeded, size: Int) -> Self {
        let lower = random.below(5)
        return lower...lower + random.below(5)
    }
}

extension Range: Arbitrary where Bound == Int {
    static func random(_ random: inout Seeded, size: Int) -> Self { Range(ClosedRange.random(&random, size: size)) }
}
