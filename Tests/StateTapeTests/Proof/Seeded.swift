/// A random generator that repeats its numbers for the same seed: SplitMix64 (Steele, Lea, Flood 2014).
struct Seeded: RandomNumberGenerator {
    private var state: UInt64

    init(_ seed: UInt64) {
        state = seed
    }

    mutating func next() -> UInt64 {
        state &+= 0x9e37_79b9_7f4a_7c15
        var z = state
        z = (z ^ (z >> 30)) &* 0xbf58_476d_1ce4_e5b9
        z = (z ^ (z >> 27)) &* 0x94d0_49bb_1331_11eb
        return z ^ (z >> 31)
    }

    /// A number from 0 to one less than the limit.
    mutating func below(_ limit: Int) -> Int { Int(next() >> 33) % limit }

    /// True once in this many times, on average.
    mutating func once(in times: Int) -> Bool { below(times) == 0 }

    mutating func one<Element>(of elements: [Element]) -> Element { elements[below(elements.count)] }

    /// The size of a collection: usually small, now and then large.
    mutating func count(_ size: Int) -> Int {
        size > 4 && once(in: 60) ? one(of: [20, 40, 40, 120]) : below(min(size, 6) + 1)
    }
}
