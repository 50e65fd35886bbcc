/// A histogram of durations with narrow bins: a quantile is at most 1.6 % off, and exact below 64 µs.
package struct Durations: Sendable {
    private var bins: [Int: Int] = [:]
    package private(set) var count = 0

    package mutating func add(_ microseconds: Int) {
        bins[Self.bin(max(0, microseconds)), default: 0] += 1
        count += 1
    }

    package mutating func add(_ others: Durations) {
        bins.merge(others.bins, uniquingKeysWith: +)
        count += others.count
    }

    /// A quantile in microseconds; nil if there are no values.
    package func quantile(_ share: Double) -> Int? {
        var rest = min(count - 1, Int(Double(count) * share))
        for (bin, count) in bins.sorted(by: { $0.key < $1.key }) {
            if rest < count { return Self.middle(bin) }
            rest -= count
        }
        return nil
    }

    /// The bin of a value: its leading six bits and their shift.
    private static func bin(_ value: Int) -> Int {
        let shift = max(0, Int.bitWidth - value.leadingZeroBitCount - 6)
        return shift << 6 + value >> shift
    }

    /// The middle of a bin.
    private static func middle(_ bin: Int) -> Int {
        let shift = bin >> 6
        return (bin & 63) << shift + (shift > 0 ? 1 << (shift - 1) : 0)
    }
}
