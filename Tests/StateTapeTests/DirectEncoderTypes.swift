import Foundation

extension Shapes {
    struct Integers: Codable {
        var signed: [Int] = [.min, -1, 0, 1, .max]
        var (a, b, c, d) = (Int8.min, Int16.min, Int32.min, Int64.min)
        var (e, f, g, h) = (UInt8.max, UInt16.max, UInt32.max, UInt64.max)
        var i = UInt.max
        var list: [UInt64] = [0, .max]
    }

    struct WideIntegers: Encodable {
        func encode(to encoder: any Encoder) throws {
            guard #available(macOS 15, iOS 18, *) else { return try 0.encode(to: encoder) }
            var keyed = encoder.container(keyedBy: TextKey.self)
            try keyed.encode(Int128.min, forKey: "least")
            try keyed.encode(UInt128.max, forKey: "greatest")
            try keyed.encode([Int128(1)], forKey: "list")
        }
    }

    struct Generic<Value: Codable & Sendable, Other: Codable & Sendable>: Codable {
        var value: Value
        var optional: Other?
    }

    struct Ranges: Codable {
        var half = 1..<5
        var closed = "a"..."z"
        var from = 3...
        var upTo = ..<4
        var through = ...5
    }

    struct Collections: Encodable {
        var contiguous: ContiguousArray = ["a"]
        var interval = DateInterval(start: Date(timeIntervalSinceReferenceDate: 0), duration: 5)
        var indices = IndexSet([1, 2, 5])
    }

    struct TextKey: CodingKey, CodingKeyRepresentable, Hashable, Codable, ExpressibleByStringLiteral {
        var name: String
        var stringValue: String { name }
        var intValue: Int? { nil }
        var codingKey: any CodingKey { self }

        init(name: String) { self.name = name }
        init(stringLiteral value: String) { name = value }
        init?(stringValue: String) { name = stringValue }
        init?(intValue: Int) { nil }
        init?(codingKey: some CodingKey) { name = codingKey.stringValue }
    }

    enum Suit: String, Codable, CodingKey { case clubs, hearts }

    struct Options: OptionSet, Codable { var rawValue: Int }

    indirect enum Payload: Codable, Sendable {
        case none
        case one(Int)
        case two(name: String, Int)
        case nested(Payload)
        case optional(String?)
        case list([Payload])
    }

    @propertyWrapper
    struct Plain<Value: Codable & Sendable>: Codable, Sendable {
        var wrappedValue: Value
        init(wrappedValue: Value) { self.wrappedValue = wrappedValue }
        init(from decoder: any Decoder) throws { wrappedValue = try Value(from: decoder) }
        func encode(to encoder: any Encoder) throws { try wrappedValue.encode(to: encoder) }
    }

    struct Wrapping: Codable {
        @Plain var a: Int
        @Plain var b: [Int]
    }

    struct Inner: Codable {
        var a: Int
        var b: String?
    }

    struct Outer: Codable {
        var inner: Inner
        var list: [Inner]
        var by: [String: Inner]
    }

    struct Nothing: Encodable {
        func encode(to encoder: any Encoder) {}
    }

    /// A value at each kind of position in the encoding.
    struct Places<Value: Encodable & Sendable>: Encodable {
        var value: Value

        func encode(to encoder: any Encoder) throws {
            var keyed = encoder.container(keyedBy: TextKey.self)
            try keyed.encode(value, forKey: "member")
            try keyed.encode([value, value], forKey: "elements")
            try keyed.encode(Optional(value), forKey: "optional")
            try value.encode(to: keyed.superEncoder())
            var list = keyed.nestedUnkeyedContainer(forKey: "list")
            try list.encode(value)
            try value.encode(to: list.superEncoder())
        }
    }

    /// A value that a closure encodes.
    struct Custom: Encodable, @unchecked Sendable {  // Encoded where it is made.
        var body: (any Encoder) throws -> Void

        init(_ body: @escaping (any Encoder) throws -> Void) { self.body = body }
        func encode(to encoder: any Encoder) throws { try body(encoder) }
    }

    struct Failure: Error, Equatable { var name = "failure" }

    /// Encodes something of every kind, then throws.
    struct Throwing: Encodable {
        func encode(to encoder: any Encoder) throws {
            var keyed = encoder.container(keyedBy: TextKey.self)
            try keyed.encode("text", forKey: "a")
            var list = keyed.nestedUnkeyedContainer(forKey: "list")
            try list.encode([1, 2, 3])
            try keyed.encode(["b": 1], forKey: "b")
            throw Failure()
        }
    }

    class Cat: Encodable, @unchecked Sendable {  // Never changed.
        let lives = 9
        private enum CodingKeys: CodingKey { case lives }

        func encode(to encoder: any Encoder) throws {
            var container = encoder.container(keyedBy: CodingKeys.self)
            try container.encode(lives, forKey: .lives)
        }
    }

    final class Leopard: Cat, @unchecked Sendable {  // Never changed.
        let spots = ["big", "small"]
        private enum CodingKeys: CodingKey { case spots }

        override func encode(to encoder: any Encoder) throws {
            var container = encoder.container(keyedBy: CodingKeys.self)
            try super.encode(to: container.superEncoder())
            try container.encode(spots, forKey: .spots)
        }
    }

    final class Lynx: Cat, @unchecked Sendable {  // Never changed.
        private enum CodingKeys: CodingKey { case ears, lives }

        override func encode(to encoder: any Encoder) throws {
            try super.encode(to: encoder)
            var container = encoder.container(keyedBy: CodingKeys.self)
            try container.encode(["left", "right"], forKey: .ears)
            try container.encode(7, forKey: .lives)
        }
    }
}
