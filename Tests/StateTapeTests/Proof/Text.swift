extension String: ArbitraryKey {
    private static let words = [
        "", "a", "b", "tea", "é", "e\u{301}", "👩‍👩‍👧", "a/b", "m~n", "~1/", "\u{0}", "\"quoted\\\"", "\r\n",
        "\t\u{1f}\u{7f}",
        "fifteen bytes..", "sixteen bytes...", "id", "naïve café", "\u{2028}", "0", "-",
    ]

    static func random(_ random: inout Seeded, size: Int) -> String {
        guard random.once(in: 8) else { return random.one(of: words) }
        return String(repeating: "löng ", count: 12 + random.below(3)) + random.one(of: words)
    }

    mutating func edit(_ random: inout Seeded) {
        let word = random.one(of: Self.words)
        let place = unicodeScalars.index(startIndex, offsetBy: random.below(unicodeScalars.count + 1))
        switch random.below(7) {
        case 0: self = .random(&random, size: 0)
        case 1: append(word)
        case 2: unicodeScalars.insert(contentsOf: word.unicodeScalars, at: place)
        case 3: if place != endIndex { unicodeScalars.remove(at: place) }
        case 4: unicodeScalars.removeSubrange(place...)
        // Equal in Swift, with different bytes.
        case 5: self = contains("é") ? replacing("é", with: contains(exactly: "é") ? "e\u{301}" : "é") : self + "é"
        default: rebuild()
        }
        if utf8.count > 200 { self = word }
    }

    private func contains(exactly scalar: Unicode.Scalar) -> Bool { unicodeScalars.contains(scalar) }

    mutating func rebuild() { self = String(decoding: Array(utf8), as: UTF8.self) }
}

/// A character, written as a string.
struct Letter: ArbitraryKey {
    private var character: Character

    static func random(_ random: inout Seeded, size: Int) -> Letter {
        Letter(character: random.one(of: ["a", "b", "é", "e\u{301}", "👩‍👩‍👧", "\r\n", "\""]))
    }

    func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(String(character))
    }
}

enum Flavour: String, ArbitraryKey {
    case sweet, sour
    case bitter = "b/tter"

    static func random(_ random: inout Seeded, size: Int) -> Flavour { random.one(of: [.sweet, .sour, .bitter]) }
}

enum Priority: Int, ArbitraryKey {
    case low = -1
    case high = 1

    static func random(_ random: inout Seeded, size: Int) -> Priority { random.one(of: [.low, .high]) }
}

/// Written as `{"red":{}}`.
enum Colour: ArbitraryKey, Encodable {
    case red, green, blue

    static func random(_ random: inout Seeded, size: Int) -> Colour { random.one(of: [.red, .green, .blue]) }
}

/// A key of an object, by its own coding key.
struct Name: ArbitraryKey, CodingKeyRepresentable {
    private var text: String

    private struct Key: CodingKey {
        let stringValue: String
        var intValue: Int? { nil }
        init(stringValue: String) { self.stringValue = stringValue }
        init?(intValue: Int) { nil }
    }

    private init(text: String) { self.text = text }
    init?(codingKey: some CodingKey) { text = codingKey.stringValue }
    var codingKey: any CodingKey { Key(stringValue: "@" + text) }

    static func random(_ random: inout Seeded, size: Int) -> Name { Name(text: .random(&random, size: size)) }
    mutating func edit(_ random: inout Seeded) { text.edit(&random) }
    mutating func rebuild() { text.rebuild() }
}
