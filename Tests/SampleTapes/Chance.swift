/// A seeded random number generator: SplitMix64 (Steele, Lea, Flood 2014).
package struct Chance: RandomNumberGenerator {
    private var state: UInt64

    package init(_ seed: UInt64) {
        state = seed
    }

    package mutating func next() -> UInt64 {
        state &+= 0x9e37_79b9_7f4a_7c15
        var z = state
        z = (z ^ (z >> 30)) &* 0xbf58_476d_1ce4_e5b9
        z = (z ^ (z >> 27)) &* 0x94d0_49bb_1331_11eb
        return z ^ (z >> 31)
    }

    /// A number from 0 up to, but not including, the limit.
    package mutating func below(_ limit: Int) -> Int { Int(next() >> 33) % limit }

    /// True on average once in `times` calls; never for 0.
    package mutating func once(in times: Int) -> Bool { times > 0 && below(times) == 0 }

    /// A random duration; short ones are more likely.
    package mutating func milliseconds(_ range: ClosedRange<Int>) -> Duration {
        let (low, high) = (Double(max(1, range.lowerBound)), Double(max(1, range.upperBound)))
        let fraction = Double(below(10_001)) / 10_000
        return .microseconds(Int64(1_000 * low * Self.power(high / low, fraction)))
    }

    /// `base` to a power in 0…1, by repeated square roots, so that the result is the same on every platform.
    private static func power(_ base: Double, _ fraction: Double) -> Double {
        var (result, root, rest) = (1.0, base, fraction)
        for _ in 0..<20 {
            root = root.squareRoot()
            rest *= 2
            if rest >= 1 {
                result *= root
                rest -= 1
            }
        }
        return result
    }
}
