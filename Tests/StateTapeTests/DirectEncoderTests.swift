import Foundation
import Testing

@testable import StateTape
@testable import TapeFormat

private typealias Custom = Shapes.Custom
private typealias Failure = Shapes.Failure
private typealias Inner = Shapes.Inner
private typealias Leopard = Shapes.Leopard
private typealias TextKey = Shapes.TextKey
private typealias Nothing = Shapes.Nothing
private typealias Outer = Shapes.Outer
private typealias Payload = Shapes.Payload
private typealias Places = Shapes.Places
private typealias Plain = Shapes.Plain
private typealias Throwing = Shapes.Throwing

struct DirectEncoderTests {
    private let encoder = DirectEncoder()

    private func text(_ value: some Encodable, slice: Slice? = nil) throws -> String {
        let output = ByteBuffer()
        output.append("before")
        try encoder.encode(value, slice: slice, to: output)
        #expect(output.withBytes(0..<6) { Array($0) } == Array("before".utf8))
        return String(decoding: output.array(from: 6), as: UTF8.self)
    }

    /// Tells that encoding throws, leaves the output as it was, and the encoder ready for another value.
    private func expectError(_ value: some Encodable, _ isExpected: (any Error) -> Bool) throws {
        let output = ByteBuffer()
        output.append("before")
        let error = #expect(throws: (any Error).self) { try encoder.encode(value, to: output) }
        #expect(error.map(isExpected) == true, "\(String(describing: error))")
        #expect(output.bytes == Array("before".utf8))
        #expect(try text(["a": 1]) == #"{"a":1}"#)
    }

    @Test("Says what Foundation's encoder says", arguments: Shapes.all.indices)
    func agreement(index: Int) throws {
        let (name, value) = Shapes.all[index]
        let expected = try TreeEncoder().tree(of: value)
        #expect(try JSON(parsing: text(value)) == expected, "\(name)")
        // A second time, with what the first one left behind.
        #expect(try JSON(parsing: text(value)) == expected, "\(name)")
    }

    @Test("Says the same in every place that a value can have", arguments: Shapes.all.indices)
    func places(index: Int) throws {
        func check<Value: Encodable & Sendable>(_ value: Value) throws {
            let places = Places(value: value)
            #expect(try JSON(parsing: text(places)) == TreeEncoder().tree(of: places), "\(Shapes.all[index].name)")
        }
        try check(Shapes.all[index].value)
    }

    @Test("Says what Foundation's encoder says but for the order of what has none", arguments: Shapes.unordered.indices)
    func unorderedAgreement(index: Int) throws {
        /// All that arrays hold, sorted.
        func sorted(_ json: JSON) -> JSON {
            switch json {
            case .array(let elements):
                .array(elements.map(sorted).sorted { $0.bytes.lexicographicallyPrecedes($1.bytes) })
            case .object(let object): .object(JSON.Object(object.map { ($0.key, sorted($0.value)) }))
            default: json
            }
        }
        let value = Shapes.unordered[index].value
        #expect(try sorted(JSON(parsing: text(value))) == sorted(TreeEncoder().tree(of: value)))
    }

    @Test("Writes members in the order in which they are encoded")
    func order() throws {
        #expect(
            try text(Outer(inner: .init(a: 1, b: nil), list: [.init(a: 2, b: "\n")], by: ["k": .init(a: 3, b: "é")]))
                == #"{"inner":{"a":1},"list":[{"a":2,"b":"\n"}],"by":{"k":{"a":3,"b":"é"}}}"#)
        #expect(try text(Leopard()) == #"{"super":{"lives":9},"spots":["big","small"]}"#)
        #expect(
            try text([Payload.two(name: "a", 2), .none]) == #"[{"two":{"name":"a","_1":2}},{"none":{}}]"#)
    }

    @Test("Sorts dictionaries by the bytes of their keys")
    func dictionaries() throws {
        #expect(
            try text(["b": 1, "a": 2, "ab": 3, "a!": 4, "": 5, "é": 6, "z": 7, "\"": 8, "\n": 9, "\u{1}": 10, "#": 11])
                == ##"{"":5,"\u0001":10,"\n":9,"\"":8,"#":11,"a":2,"a!":4,"ab":3,"b":1,"z":7,"é":6}"##)
        #expect(try text([10: 1, 9: 2, -1: 3]) == #"{"-1":3,"10":1,"9":2}"#)
        #expect(try text(Plain(wrappedValue: ["b": 1, "a": 2])) == #"{"a":2,"b":1}"#)
    }

    @Test("Sorts the pairs of a dictionary by their keys' texts")
    func pairs() throws {
        #expect(try text([2.5: "x", 10: "y", 1: "z"]) == #"[1,"z",10,"y",2.5,"x"]"#)
        #expect(
            try text([["b"]: ["k": [3, 4]], ["a", "c"]: [:], []: nil]) == #"[["a","c"],{},["b"],{"k":[3,4]},[],null]"#)
    }

    @Test("Sorts sets by their elements' texts")
    func sets() throws {
        #expect(try text(Set([3, 20, 1])) == "[1,20,3]")
        #expect(try text(["k": Set(["b", "a", ""])]) == #"{"k":["","a","b"]}"#)
        #expect(try text(Set([Set([2, 1]), Set([3]), []])) == "[[1,2],[3],[]]")
        #expect(try text(Optional(Set([3, 2]))) == "[2,3]")
    }

    @Test("Equal sets and dictionaries give equal bytes, however they came about")
    func equality() throws {
        let numbers = Array(0..<500)
        var grown: (Set<Int>, [String: [Int: Set<String>]], [Double: String]) = ([], [:], [:])
        var other = grown
        other.0.reserveCapacity(5000)
        other.1.reserveCapacity(3000)
        other.2.reserveCapacity(7000)
        for number in numbers {
            grown.0.insert(number)
            grown.1["\(number)"] = [number: ["a", "b"], 1000: ["\(number)", "c"]]
            grown.2[Double(number) / 2] = "\(number)"
        }
        for number in numbers.reversed() {
            other.0.insert(number)
            other.1["\(number)"] = [1000: ["c", "\(number)"], number: ["b", "a"]]
            other.2[Double(number) / 2] = "\(number)"
        }
        #expect(Array(grown.0) != Array(other.0))
        #expect(try text(grown.0) == text(other.0))
        #expect(try text(grown.1) == text(other.1))
        #expect(try text(grown.2) == text(other.2))
        let members = grown.1.mapValues { $0.mapValues(\.count) }
        #expect(try JSON(parsing: text(members)) == TreeEncoder().tree(of: members))
    }

    @Test("Of a key that is encoded twice the last value stays")
    func duplicates() throws {
        let twice = Custom {
            var keyed = $0.container(keyedBy: TextKey.self)
            try keyed.encode(1, forKey: "a")
            try keyed.encode(2, forKey: "b")
            try keyed.encode([3], forKey: "a")
        }
        #expect(try text(twice) == #"{"b":2,"a":[3]}"#)
        #expect(try text([TextKey(name: "a"): 1, TextKey(name: "b"): 2]) == #"{"a":1,"b":2}"#)
        let flattened = Custom {
            try ["b": 1, "a": 2].encode(to: $0)
            var keyed = $0.container(keyedBy: TextKey.self)
            try keyed.encode(3, forKey: "a")
        }
        #expect(try text(flattened) == #"{"a":3,"b":1}"#)
    }

    @Test("An app's error passes through")
    func errors() throws {
        try expectError(Throwing()) { $0 as? Failure == Failure() }
        try expectError(Places(value: [Throwing()])) { $0 as? Failure == Failure() }
        try expectError(["a": Set([1]), "b": []].mapValues { Both(first: $0, second: Throwing()) }) { $0 is Failure }
    }

    @Test("A value that throws leaves nothing behind where the error is caught")
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
        #expect(try text(members) == #"{"kept":1,"list":[1,1]}"#)
        let instead = Custom {
            var single = $0.singleValueContainer()
            do { try single.encode(Throwing()) } catch { try single.encode(["instead"]) }
        }
        #expect(try text([instead]) == #"[["instead"]]"#)
        let gone = Custom {
            var single = $0.singleValueContainer()
            try single.encode(Inner(a: 1, b: nil))
            var keyed = $0.container(keyedBy: TextKey.self)
            try keyed.encode(2, forKey: "b")
            try? single.encode(Throwing())
            try keyed.encode(3, forKey: "c")
        }
        #expect(try text(gone) == #"{"a":1,"b":2,"c":3}"#)
    }

    @Test("A value is told its path, through nested containers too")
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
            try text(value)
                == #"{"list":[0,{"a":["list","Index 1","a"]},["list","Index 2"]],"super":["super"]}"#)
    }

    @Test("What JSON can't say is an error")
    func unsayable() throws {
        try expectError(Nothing()) { $0 is EncodingError }
        try expectError(Decimal.nan) { $0 is EncodingError }
        try expectError(["a": [Decimal.nan]]) { $0 is EncodingError }
    }

    @Test("What would stop Foundation's encoder is an error", arguments: Trap.all.indices)
    func traps(index: Int) throws {
        try expectError(Trap.all[index]) { $0 is EncodingError }
        try expectError(["a": [Trap.all[index]]]) { $0 is EncodingError }
        let swallowed = Custom {
            var list = $0.unkeyedContainer()
            try list.encode(1)
            try? list.encode(Trap.all[index])
            try list.encode(2)
        }
        #expect(try text(swallowed) == "[1,2]")
    }

    @Test("A container that outlives its value takes nothing more")
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
        #expect(try text(late) == #"[{"list":[]}]"#)
        #expect(throws: EncodingError.self) { try keeper.keyed?.encode(1, forKey: "a") }
    }

    @Test("A parent takes nothing while a value inside it is encoded")
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
        #expect(try text(value) == "[1]")
    }

    @Test("Values may nest as deep as a tape allows, and no deeper")
    func depth() throws {
        #expect(try text(Nest(depth: 512)) == String(repeating: "[", count: 512) + String(repeating: "]", count: 512))
        try expectError(Nest(depth: 513)) { "\($0)".contains("512") }
        try expectError(Nest(depth: 1_000_000)) { "\($0)".contains("512") }
        try expectError(Endless()) { "\($0)".contains("512") }
        try expectError(
            Custom {
                var list = $0.unkeyedContainer()
                for _ in 0..<100_000 { list = list.nestedUnkeyedContainer() }
            }
        ) { "\($0)".contains("512") }
    }

    @Test("An encoder is used again from within a value")
    func reentrance() throws {
        let box = Box(encoder)
        let value = Custom {
            var keyed = $0.container(keyedBy: TextKey.self)
            var list = keyed.nestedUnkeyedContainer(forKey: "list")
            let output = ByteBuffer()
            try box.encoder.encode(["b": 1, "a": 2], to: output)
            try list.encode(String(decoding: output.bytes, as: UTF8.self))
        }
        #expect(try text(value) == #"{"list":["{\"a\":2,\"b\":1}"]}"#)
    }
}

extension DirectEncoderTests {
    private func slice(only: [String] = [], except: [String] = []) throws -> Slice? {
        Slice(
            only: try only.map { try Pointer(parsing: $0) },
            except: try except.map { try Pointer(parsing: $0) })
    }

    private static let state = Outer(
        inner: .init(a: 1, b: "b"), list: [.init(a: 2, b: nil), .init(a: 3, b: "c")], by: ["k": .init(a: 4, b: "d")])

    @Test(
        "A slice leaves members and elements out",
        arguments: [
            (["/list"], [], #"{"list":[{"a":2},{"a":3,"b":"c"}]}"#),
            ([], ["/list", "/by"], #"{"inner":{"a":1,"b":"b"}}"#),
            (["/list/*/b", "/by/*/a"], [], #"{"list":[{},{"b":"c"}],"by":{"k":{"a":4}}}"#),
            ([], ["/list/*", "/inner/a"], #"{"inner":{"b":"b"},"list":[],"by":{"k":{"a":4,"b":"d"}}}"#),
            (["/nowhere"], [], "{}"),
        ] as [([String], [String], String)])
    func slices(only: [String], except: [String], expected: String) throws {
        #expect(try text(Self.state, slice: slice(only: only, except: except)) == expected)
    }

    @Test("A slice leaves nested containers, superclasses and collections out")
    func slicedContainers() throws {
        let value = Custom {
            var keyed = $0.container(keyedBy: TextKey.self)
            var left = keyed.nestedContainer(keyedBy: TextKey.self, forKey: "out")
            var kept = keyed.nestedContainer(keyedBy: TextKey.self, forKey: "in")
            try Inner(a: 1, b: "b").encode(to: keyed.superEncoder())
            try left.encode(1, forKey: "a")
            try kept.encode(1, forKey: "out")
            try kept.encode(Set([3, 1]), forKey: "set")
            try kept.encode([1.5: "x"], forKey: "pairs")
            var list = kept.nestedUnkeyedContainer(forKey: "list")
            try list.encode(1)
            try list.encode(Throwing())
            _ = list.nestedUnkeyedContainer()
            try kept.encode(list.count, forKey: "count")
        }
        #expect(
            try text(value, slice: slice(except: ["/out", "/in/out", "/in/list/*", "/super/a"]))
                == #"{"in":{"set":[1,3],"pairs":[1.5,"x"],"list":[],"count":3},"super":{"b":"b"}}"#)
        #expect(
            try text(value, slice: slice(only: ["/in/set"], except: ["/in/set/*"])) == #"{"in":{"set":[]}}"#)
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

/// Arrays inside each other.
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

/// What misuses an encoder in one of the ways that Swift's types allow.
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
