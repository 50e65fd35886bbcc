import Foundation

// Structs around Foundation's class instances, which are copied on write. The tests edit them in place.

extension IndexSet: ArbitraryKey {
    static func random(_ random: inout Seeded, size: Int) -> IndexSet {
        IndexSet((0..<random.below(4)).map { _ in random.below(9) })
    }

    mutating func edit(_ random: inout Seeded) {
        let index = random.below(9)
        if contains(index) { remove(index) } else { insert(index) }
    }
}

extension URLComponents: ArbitraryKey {
    static func random(_ random: inout Seeded, size: Int) -> URLComponents {
        var components = URLComponents()
        components.host = "example.com"
        components.path = "/\(random.below(9))"
        return components
    }

    mutating func edit(_ random: inout Seeded) { path += "/é" }
}

extension PersonNameComponents: ArbitraryKey {
    static func random(_ random: inout Seeded, size: Int) -> PersonNameComponents {
        PersonNameComponents(givenName: .random(&random, size: 0))
    }

    mutating func edit(_ random: inout Seeded) { familyName.edit(&random) }
}

extension TimeZone: ArbitraryKey {
    static func random(_ random: inout Seeded, size: Int) -> TimeZone {
        TimeZone(secondsFromGMT: random.below(12) * 3_600) ?? .gmt
    }
}

extension Locale: ArbitraryKey {
    static func random(_ random: inout Seeded, size: Int) -> Locale {
        Locale(identifier: random.one(of: ["en_GB", "de", "fr_CA"]))
    }
}

extension Calendar: ArbitraryKey {
    static func random(_ random: inout Seeded, size: Int) -> Calendar {
        var calendar = Calendar(identifier: random.one(of: [.gregorian, .hebrew]))
        calendar.locale = .random(&random, size: 0)
        calendar.timeZone = .gmt
        return calendar
    }

    mutating func edit(_ random: inout Seeded) { firstWeekday = 1 + firstWeekday % 7 }
}
