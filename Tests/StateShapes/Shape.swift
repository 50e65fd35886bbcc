/// A state type of one shape, with random changes.
package protocol Shape: Codable, SendableMetatype {
    init()
    mutating func change(_ dice: inout Dice)
    /// Whether the recorder compares its states by their bytes, instead of encoding them in the dispatch.
    static var isValue: Bool { get }
}

extension Shape {
    package static var isValue: Bool { true }
}

/// A shape that can't be decoded.
package protocol WriteOnlyShape: Shape {}

extension WriteOnlyShape {
    package init(from decoder: any Decoder) throws { throw WriteOnly() }
}

package struct WriteOnly: Error {}

/// A seeded random number generator: xorshift64* (Vigna 2016).
package struct Dice: RandomNumberGenerator {
    private var state: UInt64

    package init(_ seed: UInt64) {
        state = (seed &+ 1) &* 0x9e37_79b9_7f4a_7c15
        if state == 0 { state = 1 }
    }

    package mutating func next() -> UInt64 {
        state ^= state >> 12
        state ^= state << 25
        state ^= state >> 27
        return state &* 0x2545_f491_4f6c_dd1d
    }

    /// A number from 0 up to, but not including, the limit.
    mutating func below(_ limit: Int) -> Int { Int(next() >> 33) % limit }
    mutating func flip() -> Bool { below(2) == 0 }
    mutating func one<Element>(of elements: [Element]) -> Element { elements[below(elements.count)] }
    mutating func text() -> String { one(of: ["", "a", "é", "a text that is longer than fifteen bytes", "\"/\\"]) }
}
