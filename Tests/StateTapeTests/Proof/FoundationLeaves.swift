import Foundation

extension Date: ArbitraryKey {
    static func random(_ random: inout Seeded, size: Int) -> Date {
        Date(timeIntervalSinceReferenceDate: .random(&random, size: size))
    }
}

extension DateInterval: ArbitraryKey {
    static func random(_ random: inout Seeded, size: Int) -> DateInterval {
        DateInterval(
            start: Date(timeIntervalSinceReferenceDate: Double(random.below(9))), duration: Double(random.below(3)))
    }
}

extension DateComponents: ArbitraryKey {
    static func random(_ random: inout Seeded, size: Int) -> DateComponents {
        DateComponents(year: random.below(3), hour: random.once(in: 2) ? random.below(3) : nil)
    }
}

extension Data: ArbitraryKey {
    static func random(_ random: inout Seeded, size: Int) -> Data {
        let count = random.one(of: [0, 1, 14, 15, 40])
        // Other bytes would now and then spell the name of a secret.
        let data = Data((0..<count).map { _ in random.once(in: 2) ? 0 : 255 })
        // A slice of another's storage.
        return random.once(in: 4) ? data.dropFirst(2) : data
    }

    mutating func edit(_ random: inout Seeded) {
        guard !isEmpty, random.once(in: 2) else {
            append(UInt8(random.below(256)))
            return
        }
        self[startIndex + random.below(count)] &+= 1
    }

    mutating func rebuild() { self = Data(Array(self)) }
}

extension Decimal: ArbitraryKey {
    static func random(_ random: inout Seeded, size: Int) -> Decimal {
        Decimal(random.below(1_000_000)) / random.one(of: [1, 10, 1_000, 7, -3])
    }
}

extension URL: ArbitraryKey {
    static func random(_ random: inout Seeded, size: Int) -> URL {
        let place = "page/\(random.below(4))?q=é"
        let base = random.once(in: 3) ? URL(fileURLWithPath: "/home/") : nil
        return URL(string: place, relativeTo: base) ?? URL(fileURLWithPath: place)
    }

    mutating func rebuild() { self = URL(string: relativeString, relativeTo: baseURL) ?? self }
}

extension UUID: ArbitraryKey {
    static func random(_ random: inout Seeded, size: Int) -> UUID {
        let byte = UInt8(random.below(256))
        return UUID(uuid: (byte, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, byte, UInt8(random.below(3))))
    }
}

extension CGPoint: Arbitrary {
    static func random(_ random: inout Seeded, size: Int) -> CGPoint {
        CGPoint(x: Double.random(&random, size: size), y: 0.5)
    }

    mutating func edit(_ random: inout Seeded) { y.native.edit(&random) }
}

extension IndexPath: ArbitraryKey {
    static func random(_ random: inout Seeded, size: Int) -> IndexPath {
        IndexPath(indexes: (0..<random.below(4)).map { _ in random.below(4) })
    }

    mutating func edit(_ random: inout Seeded) { append(random.below(3)) }
}
