import Foundation
import Testing

@testable import StateCapture
@testable import StateTape
@testable import TapeFormat

private typealias Custom = Shapes.Custom
private typealias Inner = Shapes.Inner
private typealias Leopard = Shapes.Leopard
private typealias TextKey = Shapes.TextKey
private typealias Outer = Shapes.Outer
private typealias Payload = Shapes.Payload
private typealias Places = Shapes.Places
private typealias Plain = Shapes.Plain
private typealias Throwing = Shapes.Throwing

struct DirectEncoderTests {
    private let encoder = DirectEncoder()

    @Test("Writes the same as Foundation's encoder", arguments: Shapes.all.indices)
    func agreement(index: Int) throws {
        let (name, value) = Shapes.all[index]
        let expected = try TreeEncoder().tree(of: value)
        #expect(try JSON(parsing: encoder.text(of: value)) == expected, "\(name)")
        // A second time, with the first one's caches.
        #expect(try JSON(parsing: encoder.text(of: value)) == expected, "\(name)")
    }

    @Test("Writes the same at every kind of position", arguments: Shapes.all.indices)
    func places(index: Int) throws {
        func check<Value: Encodable & Sendable>(_ value: Value) throws {
            let places = Places(value: value)
            #expect(
                try JSON(parsing: encoder.text(of: places)) == TreeEncoder().tree(of: places),
                "\(Shapes.all[index].name)")
        }
        try check(Shapes.all[index].value)
    }

    @Test("Writes the same as Foundation's encoder, except for order", arguments: Shapes.unordered.indices)
    func unorderedAgreement(index: Int) throws {
        /// All arrays with sorted elements.
        func sorted(_ json: JSON) -> JSON {
            switch json {
            case .array(let elements):
                .array(elements.map(sorted).sorted { $0.bytes.lexicographicallyPrecedes($1.bytes) })
            case .object(let object): .object(JSON.Object(object.map { ($0.key, sorted($0.value)) }))
            default: json
            }
        }
        let value = Shapes.unordered[index].value
        #expect(try sorted(JSON(parsing: encoder.text(of: value))) == sorted(TreeEncoder().tree(of: value)))
    }

    @Test("Writes members in the order in which they are encoded")
    func order() throws {
        #expect(
            try encoder.text(
                of: Outer(inner: .init(a: 1, b: nil), list: [.init(a: 2, b: "\n")], by: ["k": .init(a: 3, b: "é")]))
                == #"{"inner":{"a":1},"list":[{"a":2,"b":"\n"}],"by":{"k":{"a":3,"b":"é"}}}"#)
        #expect(try encoder.text(of: Leopard()) == #"{"super":{"lives":9},"spots":["big","small"]}"#)
        #expect(
            try encoder.text(of: [Payload.two(name: "a", 2), .none]) == #"[{"two":{"name":"a","_1":2}},{"none":{}}]"#)
    }

    @Test("Sorts dictionaries by the bytes of their keys")
    func dictionaries() throws {
        #expect(
            try encoder.text(of: [
                "b": 1, "a": 2, "ab": 3, "a!": 4, "": 5, "é": 6, "z": 7, "\"": 8, "\n": 9, "\u{1}": 10, "#": 11,
            ])
                == ##"{"":5,"\u0001":10,"\n":9,"\"":8,"#":11,"a":2,"a!":4,"ab":3,"b":1,"z":7,"é":6}"##)
        #expect(try encoder.text(of: [10: 1, 9: 2, -1: 3]) == #"{"-1":3,"10":1,"9":2}"#)
        #expect(try encoder.text(of: Plain(wrappedValue: ["b": 1, "a": 2])) == #"{"a":2,"b":1}"#)
    }

    @Test("Sorts the pairs of a dictionary by their keys' texts")
    func pairs() throws {
        #expect(try encoder.text(of: [2.5: "x", 10: "y", 1: "z"]) == #"[1,"z",10,"y",2.5,"x"]"#)
        #expect(
            try encoder.text(of: [["b"]: ["k": [3, 4]], ["a", "c"]: [:], []: nil])
                == #"[["a","c"],{},["b"],{"k":[3,4]},[],null]"#)
    }

    @Test("Sorts sets by their elements' texts")
    func sets() throws {
        #expect(try encoder.text(of: Set([3, 20, 1])) == "[1,20,3]")
        #expect(try encoder.text(of: ["k": Set(["b", "a", ""])]) == #"{"k":["","a","b"]}"#)
        #expect(try encoder.text(of: Set([Set([2, 1]), Set([3]), []])) == "[[1,2],[3],[]]")
        #expect(try encoder.text(of: Optional(Set([3, 2]))) == "[2,3]")
    }

    @Test("Equal sets and dictionaries give equal bytes, however they were built")
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
        #expect(try encoder.text(of: grown.0) == encoder.text(of: other.0))
        #expect(try encoder.text(of: grown.1) == encoder.text(of: other.1))
        #expect(try encoder.text(of: grown.2) == encoder.text(of: other.2))
        let members = grown.1.mapValues { $0.mapValues(\.count) }
        #expect(try JSON(parsing: encoder.text(of: members)) == TreeEncoder().tree(of: members))
    }

    @Test("The last value of a key that is encoded twice counts")
    func duplicates() throws {
        let twice = Custom {
            var keyed = $0.container(keyedBy: TextKey.self)
            try keyed.encode(1, forKey: "a")
            try keyed.encode(2, forKey: "b")
            try keyed.encode([3], forKey: "a")
        }
        #expect(try encoder.text(of: twice) == #"{"b":2,"a":[3]}"#)
        #expect(try encoder.text(of: [TextKey(name: "a"): 1, TextKey(name: "b"): 2]) == #"{"a":1,"b":2}"#)
        let flattened = Custom {
            try ["b": 1, "a": 2].encode(to: $0)
            var keyed = $0.container(keyedBy: TextKey.self)
            try keyed.encode(3, forKey: "a")
        }
        #expect(try encoder.text(of: flattened) == #"{"a":3,"b":1}"#)
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
        #expect(try encoder.text(of: Self.state, slice: slice(only: only, except: except)) == expected)
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
            try encoder.text(of: value, slice: slice(except: ["/out", "/in/out", "/in/list/*", "/super/a"]))
                == #"{"in":{"set":[1,3],"pairs":[1.5,"x"],"list":[],"count":3},"super":{"b":"b"}}"#)
        #expect(
            try encoder.text(of: value, slice: slice(only: ["/in/set"], except: ["/in/set/*"])) == #"{"in":{"set":[]}}"#
        )
    }
}
