import Foundation
import Testing

@testable import StateCapture
@testable import StateTape

/// Values of every shape that Codable has, for comparing encoders.
enum Shapes {
    static let all: [(name: String, value: any Encodable & Sendable)] = scalars + collections + types + containers

    private static let scalars: [(String, any Encodable & Sendable)] = [
        ("integers", Integers()),
        ("wide integers", WideIntegers()),
        ("booleans", [true, false]),
        (
            "doubles",
            [
                0, -0.0, 1, -1.5, 0.1, 1e22, .leastNonzeroMagnitude, 1.7976931348623157e308, 0x1p53, 1e-7, .infinity,
                -.infinity, .nan,
            ]
        ),
        (
            "singles",
            [0, -0.0, 1, 0.1, 16_777_216, 3e38, .leastNonzeroMagnitude, .infinity, -.infinity, .nan] as [Float]
        ),
        ("a double member", ["a": -0.0, "b": Double.nan]),
        (
            "strings",
            ["", "a", "\"\\/\u{8}\u{c}\n\r\t\u{0}\u{1f}\u{7f}", "é", "e\u{301}", "🙂", "\u{2028}", "a longer text"]
        ),
        ("a string alone", "alone"),
        ("an integer alone", 5),
        ("nil alone", Int?.none),
        ("an optional alone", String?.some("some")),
        ("nested optionals", [[1, nil] as [Int?]?, nil]),
        ("small integers in generics", Generic(value: [UInt8(200)], optional: Int16(-3))),
    ]

    private static let collections: [(String, any Encodable & Sendable)] = [
        ("an empty array", [Int]()), ("an empty dictionary", [String: Int]()), ("an empty set", Set<Int>()),
        ("arrays", [[1, 2], [], [3]]),
        ("a dictionary by strings", ["b": 1, "a": 2, "": 3, "é": 4, "\"": 5, "a longer key": 6]),
        ("a dictionary by integers", [10: "ten", 9: "nine", -1: "minus one"]),
        ("a dictionary by codable keys", [TextKey(name: "x"): 1, TextKey(name: "y"): 2]),
        ("a dictionary of dictionaries", ["x": ["b": 1, "a": 2], "y": [:]]),
        ("ranges", Ranges()),
        ("other collections", Collections()),
    ]

    /// Each in its own order, which Foundation's encoder keeps.
    static let unordered: [(name: String, value: any Encodable & Sendable)] = [
        ("a set", Set(1...50)),
        ("a set of texts", Set(["b", "a", "", "\"", "é"])),
        ("sets in sets", Set([Set([1, 2]), [3], []])),
        ("a dictionary by enums", [Suit.clubs: [1], .hearts: [2]]),
        ("a dictionary by numbers", [0.5: Set(["x", "y"]), 2: []]),
        ("in an optional and a member", ["a": Optional(Set([3, 1, 2]))]),
    ]

    private static let types: [(String, any Encodable & Sendable)] = [
        ("a date", Date(timeIntervalSinceReferenceDate: 800_000_000.25)),
        ("dates", [Date(timeIntervalSinceReferenceDate: -0.0), .distantPast, .distantFuture]),
        ("data", [Data(), Data([0, 1, 2, 255]), Data(repeating: 0xfb, count: 100)]),
        ("data alone", Data([1, 2, 3])),
        ("addresses", [URL(string: "https://example.org/a?b=c%20d#e"), URL(string: "relative/path"), nil]),
        (
            "decimals",
            ["1", "-0.1", "123456789012345678901234567890.12345678", "1e100", "0"].map { Decimal(string: $0) }
        ),
        ("a decimal alone", Decimal(string: "0.30")),
        ("identifiers", UUID(uuidString: "01234567-89ab-cdef-0123-456789abcdef")),
        ("a raw value", [Suit.clubs, .hearts]),
        ("a set of raw values", [Suit.hearts]),
        ("options", Options(rawValue: 5)),
        ("payloads", [Payload.none, .one(1), .two(name: "a", 2), .nested(.one(3)), .optional(nil), .list([.none])]),
        ("a wrapper", Wrapping(a: 1, b: [1, 2])),
        ("coordinates", CGPoint(x: 1.5, y: -2)),
        ("components", DateComponents(year: 2026, month: 2)),
        ("a duration", Duration.seconds(1.5)),
        ("a result", ["a": String?.none]),
    ]

    private static let containers: [(String, any Encodable & Sendable)] = [
        (
            "structs in structs",
            Outer(inner: .init(a: 1, b: nil), list: [.init(a: 2, b: "x")], by: ["k": .init(a: 3, b: "")])
        ),
        ("nothing in places", Places(value: Nothing())),
        ("an empty keyed container", Custom { _ = $0.container(keyedBy: TextKey.self) }),
        ("an empty unkeyed container", Custom { _ = $0.unkeyedContainer() }),
        (
            "nil everywhere",
            Custom {
                var keyed = $0.container(keyedBy: TextKey.self)
                try keyed.encodeNil(forKey: "nil")
                try keyed.encodeIfPresent(Int?.none, forKey: "left out")
                try keyed.encode(Int?.none, forKey: "an optional")
                var unkeyed = keyed.nestedUnkeyedContainer(forKey: "list")
                try unkeyed.encodeNil()
                try unkeyed.encode(Date?.none)
            }
        ),
        (
            "containers that are written to in turn",
            Custom {
                var keyed = $0.container(keyedBy: TextKey.self)
                var first = keyed.nestedContainer(keyedBy: TextKey.self, forKey: "first")
                try keyed.encode(1, forKey: "between")
                var second = keyed.nestedUnkeyedContainer(forKey: "second")
                try first.encode([1, 2], forKey: "a")
                try second.encode("x")
                var deep = second.nestedContainer(keyedBy: TextKey.self)
                try second.encode(2)
                try keyed.encode(["b": 1], forKey: "behind")
                try deep.encode("later", forKey: "deep")
                try first.encode("also later", forKey: "b")
                _ = second.nestedUnkeyedContainer()
            }
        ),
        (
            "an array of containers",
            Custom {
                var list = $0.unkeyedContainer()
                for index in 0..<5 {
                    var element = list.nestedContainer(keyedBy: TextKey.self)
                    try element.encode(index, forKey: "index")
                    var numbers = list.nestedUnkeyedContainer()
                    try numbers.encode(contentsOf: 0..<index)
                    try element.encode(list.count, forKey: "count")
                }
            }
        ),
        (
            "one container asked for many times",
            Custom {
                var first = $0.container(keyedBy: TextKey.self)
                try first.encode(1, forKey: "a")
                var second = $0.container(keyedBy: Suit.self)
                try second.encode(2, forKey: .clubs)
                try first.encode(3, forKey: "c")
                try ["x": 1, "y": 2].encode(to: $0)
            }
        ),
        (
            "one array asked for many times",
            Custom {
                var list = $0.unkeyedContainer()
                try list.encode(1)
                try [2, 3].encode(to: $0)
                try list.encode(4)
            }
        ),
        (
            "a key encoded twice",
            Custom {
                var keyed = $0.container(keyedBy: TextKey.self)
                try keyed.encode(1, forKey: "a")
                try keyed.encode("other", forKey: "b")
                try keyed.encode([2], forKey: "a")
                try keyed.encodeNil(forKey: "c")
                try keyed.encode(["d": 1], forKey: "c")
            }
        ),
        (
            "a nested container asked for twice",
            Custom {
                var keyed = $0.container(keyedBy: TextKey.self)
                var first = keyed.nestedContainer(keyedBy: TextKey.self, forKey: "a")
                try first.encode(1, forKey: "x")
                try keyed.encode(0, forKey: "between")
                var second = keyed.nestedContainer(keyedBy: TextKey.self, forKey: "a")
                try second.encode(2, forKey: "y")
                try first.encode(3, forKey: "z")
                try second.encode(4, forKey: "x")
                var list = keyed.nestedUnkeyedContainer(forKey: "b")
                try list.encode(1)
                list = keyed.nestedUnkeyedContainer(forKey: "b")
                try list.encode(2)
            }
        ),
        (
            "a nested container for what was encoded before",
            Custom {
                var keyed = $0.container(keyedBy: TextKey.self)
                try keyed.encode(["x": 1, "\"": 2], forKey: "a")
                try keyed.encode([[1], [2]], forKey: "b")
                try keyed.encode(0, forKey: "between")
                var object = keyed.nestedContainer(keyedBy: TextKey.self, forKey: "a")
                try object.encode(2, forKey: "y")
                try object.encode(3, forKey: "x")
                var list = keyed.nestedUnkeyedContainer(forKey: "b")
                try list.encode("z")
            }
        ),
        (
            "a value in the place of a nested container",
            Custom {
                var keyed = $0.container(keyedBy: TextKey.self)
                var lost = keyed.nestedContainer(keyedBy: TextKey.self, forKey: "a")
                try lost.encode(1, forKey: "x")
                try keyed.encode(2, forKey: "a")
                try lost.encode(1, forKey: "y")
            }
        ),
        ("many keys", Custom { encoder in try many(encoder, 300) { $0 } }),
        ("many keys, some twice", Custom { encoder in try many(encoder, 300) { $0 % 250 } }),
        ("a class and its superclass", Leopard()),
        ("a class in the container of its superclass", Lynx()),
        (
            "superclass encoders",
            Custom {
                var keyed = $0.container(keyedBy: TextKey.self)
                try Lynx().encode(to: keyed.superEncoder())
                try 5.encode(to: keyed.superEncoder(forKey: "five"))
                try keyed.encode("behind", forKey: "behind")
                var list = keyed.nestedUnkeyedContainer(forKey: "list")
                try list.encode(1)
                try "two".encode(to: list.superEncoder())
                try list.encode(3)
                _ = keyed.superEncoder(forKey: "nothing")
            }
        ),
        (
            "single values through each other",
            Custom {
                var single = $0.singleValueContainer()
                try single.encode(Custom { try Optional(Inner(a: 1, b: "b")).encode(to: $0) })
            }
        ),
        (
            "a container that goes on with a single value",
            Custom {
                var single = $0.singleValueContainer()
                try single.encode(Inner(a: 1, b: "b"))
                var keyed = $0.container(keyedBy: TextKey.self)
                try keyed.encode(2, forKey: "c")
            }
        ),
        (
            "conditional",
            Custom {
                var keyed = $0.container(keyedBy: TextKey.self)
                try keyed.encodeConditional(Leopard(), forKey: "a")
                var list = keyed.nestedUnkeyedContainer(forKey: "b")
                try list.encodeConditional(Leopard())
            }
        ),
    ]

    private static func many(_ encoder: any Encoder, _ count: Int, _ key: (Int) -> Int) throws {
        var keyed = encoder.container(keyedBy: TextKey.self)
        for index in 0..<count { try keyed.encode(index, forKey: TextKey(name: "key \(key(index))")) }
    }
}

extension DirectEncoder {
    /// A value's text, written after bytes that must stay unchanged.
    func text(of value: some Encodable, slice: Slice? = nil) throws -> String {
        let output = ByteBuffer()
        output.append("before")
        try encode(value, slice: slice, to: output)
        #expect(output.withBytes(0..<6) { Array($0) } == Array("before".utf8))
        return String(decoding: output.array(from: 6), as: UTF8.self)
    }
}
