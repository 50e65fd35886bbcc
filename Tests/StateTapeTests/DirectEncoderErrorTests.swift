import Foundation
import Testing

@testable import StateCapture
@testable import StateTape
@testable import TapeFormat

private typealias Custom = Shapes.Custom
private typealias Failure = Shapes.Failure
private typealias Inner = Shapes.Inner
private typealias TextKey = Shapes.TextKey
private typealias Nothing = Shapes.Nothing
private typealias Places = Shapes.Places
private typealias Throwing = Shapes.Throwing

/// Encodings of apps that are wrong or demand too much.
struct DirectEncoderErrorTests {
    private let encoder = DirectEncoder()

    /// Checks that encoding throws, leaves the output unchanged, and leaves the encoder ready for another value.
    private func expectError(_ value: some Encodable, _ isExpected: (any Error) -> Bool) throws {
        let output = ByteBuffer()
        output.append("before")
        let error = #expect(throws: (any Error).self) { try encoder.encode(value, to: output) }
        #expect(error.map(isExpected) == true, "\(String(describing: error))")
        #expect(output.bytes == Array("before".utf8))
        #expect(try encoder.text(of: ["a": 1]) == #"{"a":1}"#)
    }

    @Test("An app's error passes through")
    func errors() throws {
        try expectError(Throwing()) { $0 as? Failure == Failure() }
        try expectError(Custom { _ in throw Failure() }) { $0 as? Failure == Failure() }
    }

    @Test("A value that throws leaves no output when the error is caught")
    func caughtErrors() throws {
        let members = Custom {
            var keyed = $0.container(keyedBy: TextKey.self)
            try keyed.encode(1, forKey: "kept")
            try? keyed.encode(Throwing(), forKey: "kept")
            try? keyed.encode(Throwing(), forKey: "left out")
            var list = keyed.nestedUnkeyedContainer(forKey: "list")
            try? list.encode(Throwing())
            try list.encode(1)
            try? list.encode([Throwing()])
            try list.encode(list.count)
        }
        #expect(try encoder.text(of: members) == #"{"kept":1,"list":[1,1]}"#)
        let instead = Custom {
            var single = $0.singleValueContainer()
            do { try single.encode(Throwing()) } catch { try single.encode(["instead"]) }
        }
        #expect(try encoder.text(of: [instead]) == #"[["instead"]]"#)
        let gone = Custom {
            var single = $0.singleValueContainer()
            try single.encode(Inner(a: 1, b: nil))
            var keyed = $0.container(keyedBy: TextKey.self)
            try keyed.encode(2, forKey: "b")
            try? single.encode(Throwing())
            try keyed.encode(3, forKey: "c")
        }
        #expect(try encoder.text(of: gone) == #"{"a":1,"b":2,"c":3}"#)
    }

    @Test("A value knows its coding path, through nested containers too")
    func paths() throws {
        let value = Custom {
            var keyed = $0.container(keyedBy: TextKey.self)
            var list = keyed.nestedUnkeyedContainer(forKey: "list")
            try list.encode(0)
            var nested = list.nestedContainer(keyedBy: TextKey.self)
            try nested.encode(Optional(Path()), forKey: "a")
            try Path().encode(to: keyed.superEncoder())
            try Path().encode(to: list.superEncoder())
        }
        #expect(
            try encoder.text(of: value)
                == #"{"list":[0,{"a":["list","Index 1","a"]},["list","Index 2"]],"super":["super"]}"#)
    }

    @Test("A value that JSON can't represent is an error")
    func unsayable() throws {
        try expectError(Nothing()) { $0 is EncodingError }
    }

    @Test("A decimal that is not a number is written as a double is")
    func decimals() throws {
        #expect(try encoder.text(of: ["a": [Decimal.nan, 1.5]]) == #"{"a":["nan",1.5]}"#)
        let read = try Overlay.decode([Decimal].self, from: JSON(parsing: #"["nan",1.5]"#), over: nil).value
        #expect(read[0].isNaN && read[1] == 1.5)
    }

    @Test("An encoding that traps in Foundation's encoder is an error", arguments: Trap.all.indices)
    func traps(index: Int) throws {
        try expectError(Trap.all[index]) { $0 is EncodingError }
        let text = try encoder.text(of: ["a": [Trap.all[index]]])
        #expect(text.hasPrefix(#"{"a":[{"$unencodable":"Custom: "#), "\(text)")
        let swallowed = Custom {
            var list = $0.unkeyedContainer()
            try list.encode(1)
            try? list.encode(Trap.all[index])
            try list.encode(2)
        }
        #expect(try encoder.text(of: swallowed) == "[1,2]")
    }

    @Test("A container that outlives its value accepts no more values")
    func escape() throws {
        final class Keeper: @unchecked Sendable {  // Used on one thread.
            var keyed: KeyedEncodingContainer<TextKey>?
            var list: (any UnkeyedEncodingContainer)?
            var encoder: (any Encoder)?
        }
        let keeper = Keeper()
        let leaving = Custom {
            keeper.encoder = $0
            keeper.keyed = $0.container(keyedBy: TextKey.self)
            keeper.list = keeper.keyed?.nestedUnkeyedContainer(forKey: "list")
        }
        let late = Custom {
            var list = $0.unkeyedContainer()
            try list.encode(leaving)
            #expect(throws: EncodingError.self) { try keeper.keyed?.encode(1, forKey: "a") }
            #expect(throws: EncodingError.self) { try keeper.list?.encode(1) }
            #expect(throws: EncodingError.self) { try [1].encode(to: try #require(keeper.encoder)) }
            #expect(keeper.list?.count == 0)
            #expect(keeper.encoder?.codingPath.isEmpty == true)
            var nested = keeper.keyed?.nestedContainer(keyedBy: TextKey.self, forKey: "b")
            #expect(throws: EncodingError.self) { try nested?.encode(1, forKey: "c") }
        }
        #expect(try encoder.text(of: late) == #"[{"list":[]}]"#)
        #expect(throws: EncodingError.self) { try keeper.keyed?.encode(1, forKey: "a") }
    }

    @Test("A parent accepts no values while a value inside it is encoded")
    func suspension() throws {
        let value = Custom { encoder in
            var list = encoder.unkeyedContainer()
            try list.encode(
                Custom { inner in
                    var list = encoder.unkeyedContainer()
                    #expect(throws: EncodingError.self) { try list.encode(2) }
                    try 1.encode(to: inner)
                })
        }
        #expect(try encoder.text(of: value) == "[1]")
    }

    @Test("Values may nest as deep as a tape allows, and no deeper")
    func depth() throws {
        let deepest = try encoder.text(of: Nest(depth: 500))
        #expect(deepest == String(repeating: "[", count: 500) + String(repeating: "]", count: 500))
        // The welcome nests a state deeper than any other line.
        _ = try ServerLine(
            parsing: Array(
                #"{"welcome":{"session":"s","have":0,"start":{"id":"p","mode":"state","states":{"main":\#(deepest)}}}}"#
                    .utf8))
        let cut =
            String(repeating: "[", count: 500) + #"{"$unencodable":"Nest: values are nested more than 500 deep"}"#
            + String(repeating: "]", count: 500)
        for depth in [501, 1_000_000] { #expect(try encoder.text(of: Nest(depth: depth)) == cut) }
        #expect(
            try encoder.text(of: Endless()) == #"{"$unencodable":"Endless: values are nested more than 500 deep"}"#)
        try expectError(
            Custom {
                var list = $0.unkeyedContainer()
                for _ in 0..<100_000 { list = list.nestedUnkeyedContainer() }
            }
        ) { "\($0)".contains("500") }
    }

    @Test("Encoding fails before a thread's stack is full")
    func stack() async {
        let deepest = await withCheckedContinuation { continuation in
            let thread = Thread {
                var stack = ThreadStack()
                // Through a variable, so that the compiler makes no loop of it.
                var descend: (Int) -> Int = { $0 }
                descend = { depth in
                    if stack.isNearlyFull() || depth == 1_000_000 { return depth }
                    return max(depth, descend(depth + 1))
                }
                continuation.resume(returning: descend(0))
            }
            thread.stackSize = 4 << 20
            thread.start()
        }
        #expect(100..<1_000_000 ~= deepest)
    }

    @Test("An encoder can be used again inside a value's encoding")
    func reentrance() throws {
        let box = Box(encoder)
        let value = Custom {
            var keyed = $0.container(keyedBy: TextKey.self)
            var list = keyed.nestedUnkeyedContainer(forKey: "list")
            let output = ByteBuffer()
            try box.encoder.encode(["b": 1, "a": 2], to: output)
            try list.encode(String(decoding: output.bytes, as: UTF8.self))
        }
        #expect(try encoder.text(of: value) == #"{"list":["{\"a\":2,\"b\":1}"]}"#)
    }
}

private struct Box: @unchecked Sendable {  // Used on one thread.
    let encoder: DirectEncoder
    init(_ encoder: DirectEncoder) { self.encoder = encoder }
}

private struct Both<First: Encodable, Second: Encodable>: Encodable {
    var first: First
    var second: Second
}

/// Its own path.
private struct Path: Encodable {
    func encode(to encoder: any Encoder) throws { try encoder.codingPath.map(\.stringValue).encode(to: encoder) }
}

/// Nested arrays.
private struct Nest: Encodable {
    var depth: Int

    func encode(to encoder: any Encoder) throws {
        var list = encoder.unkeyedContainer()
        if depth > 1 { try list.encode(Nest(depth: depth - 1)) }
    }
}

private struct Endless: Encodable {
    func encode(to encoder: any Encoder) throws {
        var single = encoder.singleValueContainer()
        try single.encode(self)
    }
}

/// Misuses an encoder in one of the ways that Swift's types allow.
private enum Trap {
    static let all = [
        Custom {
            var keyed = $0.container(keyedBy: TextKey.self)
            var list = $0.unkeyedContainer()
            try keyed.encode(1, forKey: "a")
            try list.encode(1)
        },
        Custom {
            _ = $0.unkeyedContainer()
            _ = $0.container(keyedBy: TextKey.self)
        },
        Custom {
            try 1.encode(to: $0)
            try 2.encode(to: $0)
        },
        Custom {
            var single = $0.singleValueContainer()
            try single.encode([1])
            try single.encode([2])
        },
        Custom {
            _ = $0.unkeyedContainer()
            try 1.encode(to: $0)
        },
        Custom {
            try 1.encode(to: $0)
            var list = $0.unkeyedContainer()
            try list.encode(1)
        },
        Custom {
            var keyed = $0.container(keyedBy: TextKey.self)
            _ = keyed.nestedContainer(keyedBy: TextKey.self, forKey: "a")
            _ = keyed.nestedUnkeyedContainer(forKey: "a")
        },
        Custom {
            var keyed = $0.container(keyedBy: TextKey.self)
            try keyed.encode(1, forKey: "a")
            var nested = keyed.nestedContainer(keyedBy: TextKey.self, forKey: "a")
            try nested.encode(1, forKey: "b")
        },
    ]
}
