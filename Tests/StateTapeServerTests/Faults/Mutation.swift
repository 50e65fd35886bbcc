import SampleTapes

/// Makes random changes to bytes; most results are nearly valid.
struct Mutation {
    private static let tokens: [String] = [
        "-1", "-0", "0.5", "1e308", "1e9999", "-1e308", "1e-400", "4294967296", "9007199254740991",
        "9007199254740992",
        "9223372036854775807", "9223372036854775808", "-9223372036854775808", "18446744073709551616", "null",
        "true",
        "[]", "{}", "\"\"", "\"\\ud800\"", "\"\\u0000\"", "\"é\"", "\"gap\"", "\"end\"", "\"init\"", ",", "}", "]",
        "\n", "\r\n", "\r\n\r\n", "\0", "%", "%00", "..", "?", "&", "=", ":",
    ]
    private static let numbers = tokens.filter { Double($0) != nil }

    private var chance: Chance

    init(seed: UInt64) {
        chance = Chance(seed)
    }

    mutating func below(_ limit: Int) -> Int { chance.below(limit) }

    mutating func pick<Element>(_ elements: [Element]) -> Element { elements[chance.below(elements.count)] }

    /// One to three changes.
    mutating func spoil(_ bytes: [UInt8]) -> [UInt8] {
        (0...chance.below(3)).reduce(bytes) { bytes, _ in change(bytes) }
    }

    /// The bytes with one or a few numbers replaced.
    mutating func renumber(_ bytes: [UInt8]) -> [UInt8] {
        var bytes = bytes
        for _ in 0...chance.below(3) {
            let digits = bytes.indices.filter { 48...57 ~= bytes[$0] && ($0 == 0 || !(48...57 ~= bytes[$0 - 1])) }
            if digits.isEmpty { return bytes }
            let start = pick(digits)
            let end = bytes[start...].firstIndex { !(48...57 ~= $0 || $0 == 46) } ?? bytes.endIndex
            bytes.replaceSubrange(start..<end, with: pick(Self.numbers).utf8)
        }
        return bytes
    }

    private mutating func change(_ bytes: [UInt8]) -> [UInt8] {
        var bytes = bytes
        let start = chance.below(bytes.count + 1)
        let end = min(bytes.count, start + 1 + chance.below(12))
        switch chance.below(8) {
        case 0: bytes.replaceSubrange(start..<end, with: (start..<end).map { _ in UInt8(chance.below(256)) })
        case 1: bytes.removeSubrange(start..<end)
        case 2: bytes.insert(contentsOf: bytes[start..<end], at: start)
        case 3: bytes.insert(contentsOf: pick(Self.tokens).utf8, at: start)
        case 4: bytes.replaceSubrange(start..<end, with: pick(Self.tokens).utf8)
        case 5: bytes.removeSubrange(start...)
        case 6:
            if start < bytes.count { bytes[start] ^= 1 << UInt8(chance.below(8)) }
        default: bytes = renumber(bytes)
        }
        return bytes
    }
}
