import Foundation
import TapeFormat
import Testing

@testable import StateCapture
@testable import StateTape

/// Throws while it is bad, after a part of it was written in some way.
private struct Part: Codable, Hashable, Sendable {
    var number = 0
    /// How it begins; 0 if it is good.
    var fault = 0

    static let bad = Part(number: 1, fault: 1)
    static let faults = 1...6

    struct Refusal: Error {}
    private enum Key: String, CodingKey { case number, list, object }

    init(number: Int = 0, fault: Int = 0) { (self.number, self.fault) = (number, fault) }

    init(from decoder: any Decoder) throws {
        number = try decoder.container(keyedBy: Key.self).decode(Int.self, forKey: .number)
    }

    func encode(to encoder: any Encoder) throws {
        switch fault {
        case 0: break
        case 1: throw Refusal()
        case 2:
            var list = encoder.unkeyedContainer()
            try list.encode([1, 2])
            try list.encode(["a": 1])
            throw Refusal()
        case 3:
            var single = encoder.singleValueContainer()
            try single.encode("a text")
            throw Refusal()
        default:
            var container = encoder.container(keyedBy: Key.self)
            try container.encode(number, forKey: .number)
            var list = container.nestedUnkeyedContainer(forKey: .list)
            try list.encode(1)
            if fault == 5 { try Part(number: 2, fault: 4).encode(to: container.superEncoder()) }
            if fault == 6 { try container.encode(Part(number: 2), forKey: .object) }
            try list.encode(contentsOf: [1, 2])
            throw Refusal()
        }
        var container = encoder.container(keyedBy: Key.self)
        try container.encode(number, forKey: .number)
    }
}

@Suite("Values that can't be encoded")
struct UnencodableTests {
    private typealias Custom = Shapes.Custom
    private typealias TextKey = Shapes.TextKey

    /// A place for a value, and the JSON around it.
    private struct Place: CustomTestStringConvertible, Sendable {
        let testDescription: String
        let value: @Sendable (Part) -> any Encodable
        let text: @Sendable (String) -> String
    }

    private struct Members<Value: Codable>: Codable {
        var before = "a"
        var value: Value
        var after = [1]
    }

    private enum Choice: Codable { case one(Part, count: Int) }

    private static let everywhere: [Place] = [
        Place(testDescription: "a member", value: { Members(value: $0) }) {
            #"{"before":"a","value":\#($0),"after":[1]}"#
        },
        Place(testDescription: "an optional", value: { Members(value: Optional($0)) }) {
            #"{"before":"a","value":\#($0),"after":[1]}"#
        },
        Place(testDescription: "elements", value: { [$0, Part(number: 5), $0] }) { #"[\#($0),{"number":5},\#($0)]"# },
        Place(testDescription: "elements of optionals", value: { [$0, nil] as [Part?] }) { "[\($0),null]" },
        Place(testDescription: "a dictionary's value", value: { ["b": $0, "a": Part()] }) {
            #"{"a":{"number":0},"b":\#($0)}"#
        },
        Place(testDescription: "a value of another key", value: { [Shapes.Suit.clubs: $0] }) { #"["clubs",\#($0)]"# },
        Place(testDescription: "a key", value: { [$0: 1] }) { "[\($0),1]" },
        Place(testDescription: "a set", value: { Set([$0]) }) { "[\($0)]" },
        Place(testDescription: "an enum's value", value: { Choice.one($0, count: 2) }) {
            #"{"one":{"_0":\#($0),"count":2}}"#
        },
        Place(testDescription: "deep inside", value: { Members(value: [["x": Members(value: [$0])]]) }) {
            #"{"before":"a","value":[{"x":{"before":"a","value":[\#($0)],"after":[1]}}],"after":[1]}"#
        },
        Place(
            testDescription: "nested containers",
            value: { part in
                Custom {
                    var keyed = $0.container(keyedBy: TextKey.self)
                    var list = keyed.nestedUnkeyedContainer(forKey: "list")
                    try list.encode(0)
                    var inner = list.nestedContainer(keyedBy: TextKey.self)
                    try keyed.encode(1, forKey: "a")
                    try inner.encode(part, forKey: "part")
                    try list.encode(part)
                    try keyed.encode(2, forKey: "b")
                }
            },
            text: { #"{"list":[0,{"part":\#($0)},\#($0)],"a":1,"b":2}"# }),
        Place(
            testDescription: "a superclass's encoder",
            value: { part in
                Custom {
                    var keyed = $0.container(keyedBy: TextKey.self)
                    try Members(value: part).encode(to: keyed.superEncoder())
                    try keyed.encode(2, forKey: "b")
                }
            }, text: { #"{"super":{"before":"a","value":\#($0),"after":[1]},"b":2}"# }),
        Place(
            testDescription: "a single value",
            value: { part in
                [
                    Custom {
                        var single = $0.singleValueContainer()
                        try single.encode([part])
                    }
                ]
            }, text: { "[[\($0)]]" }),
    ]

    @Test("A value that throws is a marker at its place, and everything else is recorded", arguments: everywhere)
    private func places(_ place: Place) throws {
        let encoder = DirectEncoder(.standard)
        let marker = #"{"$unencodable":"Part: Refusal()"}"#
        for fault in Part.faults {
            #expect(
                try encoder.text(of: place.value(Part(number: 1, fault: fault))) == place.text(marker), "fault \(fault)"
            )
            #expect(Set(encoder.takeUnencodable().map(\.reason)) == ["Part: Refusal()"])
            #expect(try encoder.text(of: place.value(Part(number: 1))) == place.text(#"{"number":1}"#))
            #expect(encoder.takeUnencodable().isEmpty)
        }
    }

    @Test("Where an app's type catches the error, it writes what it would with JSONEncoder")
    func caught() throws {
        let catching = Custom {
            var keyed = $0.container(keyedBy: TextKey.self)
            do { try keyed.encode([Part.bad], forKey: "a") } catch { try keyed.encode("instead", forKey: "a") }
            try? keyed.encode(Members(value: Part.bad), forKey: "b")
        }
        let encoder = DirectEncoder(.standard)
        #expect(try encoder.text(of: [catching]) == #"[{"a":"instead"}]"#)
        #expect(encoder.takeUnencodable().isEmpty)
        #expect(encoder.takeNeedsWhole())
    }

    @Test("An app's own member of the marker's name gets another one, and is read back")
    func escape() throws {
        let own = ["$unencodable": 1, "$$unencodable": 2, "$redacted": 3, "$unencodables": 4]
        let text = try DirectEncoder(.standard).text(of: own)
        #expect(text == #"{"$$$unencodable":2,"$$redacted":3,"$$unencodable":1,"$unencodables":4}"#)
        #expect(try Overlay.decode([String: Int].self, from: JSON(parsing: text), over: nil).value == own)
        #expect(["$unencodable", "$$$redacted"].map(Redacted.escaped) == ["$$unencodable", "$$$$redacted"])
        #expect(["$unencodable", "$$redacted", "$$x"].map(Redacted.unescaped) == ["$unencodable", "$redacted", "$$x"])
    }

    @Test("A marker reveals no secret, and is short")
    func secrets() throws {
        struct Loud: Error, CustomStringConvertible { let description: String }
        func text(_ message: String) throws -> String {
            try DirectEncoder(.standard).text(of: ["a": Custom { _ in throw Loud(description: message) }])
        }
        #expect(try text("wrong password: hunter2") == #"{"a":{"$unencodable":"Custom: wrong password: $redacted"}}"#)
        #expect(try text(String(repeating: "long ", count: 1_000)).utf8.count < 300)
        let secret = try DirectEncoder(.standard).text(of: ["password": Part.bad])
        #expect(secret == #"{"password":{"$redacted":true}}"#)
    }

    @Test("Many values that throw cost one more encoding, not one each")
    func cost() throws {
        let count = Locked(0)
        let many = (0..<10_000).map { index in
            Custom {
                count.withLock { $0 += 1 }
                if index.isMultiple(of: 2) { throw Part.Refusal() }
                try index.encode(to: $0)
            }
        }
        let text = try DirectEncoder(.standard).text(of: ["a": many])
        #expect(text.hasPrefix(#"{"a":[{"$unencodable":"Custom: Refusal()"},1,"#))
        #expect(count.withLock { $0 } <= 10_001)
    }

    @Test("A limit in bytes is no reason for a marker")
    func limit() throws {
        let encoder = DirectEncoder(.standard)
        let buffer = ByteBuffer()
        #expect(throws: EncodingError.self) {
            try encoder.encoding(atMost: 100) {
                try encoder.encode((0..<100).map { [Part(number: $0), Part.bad] }, to: buffer)
            }
        }
        #expect(buffer.count == 0)
    }

    // MARK: States

    private struct State: Codable {
        var parts = [Part(number: 1), Part(number: 2)]
        var byName = ["a": Part()]
        var amount: Decimal = 1
        var count = 0
    }

    @Test("Patches lead to the state with markers, and only while a value throws")
    func patches() throws {
        var writer = StateWriter(StateCodec<State>(), nil, Layouts(), isVerifying: true)
        var (state, tree) = (State(), JSON.null)
        let steps: [(inout State) -> Void] = [
            { _ in }, { $0.parts[1].fault = 4 }, { $0.count += 1 }, { $0.byName["b"] = .bad }, { $0.amount = .nan },
            { $0.parts.remove(at: 1) }, { $0.byName["b"] = nil }, { $0.count += 1 }, { $0.amount = 2 },
            { $0.count += 1 },
        ]
        for (index, step) in steps.enumerated() {
            step(&state)
            try writer.write(.value(state)) { written, _ in
                switch written {
                case .full(let text): tree = (try? JSON(parsing: text)) ?? .null
                case .patch(let text): try? Patch(JSON(parsing: text)).apply(to: &tree)
                }
                if case .full = written, index > 0 { Issue.record("step \(index) is no patch") }
                return true
            }
            #expect(try tree == JSON(parsing: DirectEncoder(.standard).text(of: state)), "step \(index)")
        }
        #expect(tree["amount"] == 2)
        #expect(tree.markedPlace == nil)
    }

    @Test("A recorder writes the rest of a state, and one note for each place")
    func notes() throws {
        let file = FileManager.default.temporaryDirectory.appendingPathComponent("\(UUID().uuidString).tape")
        defer { try? FileManager.default.removeItem(at: file) }
        let tape = Recorder(.test(file: file.path))
        let track = tape.track(State(), [Part].self)
        var state = track.start
        for index in 0..<6 {
            track.record([index == 3 ? .bad : Part(number: index)], &state) { state in
                state.count += 1
                if index > 0 { state.parts[index % 2].fault = 1 }
            }
        }
        #expect(tape.finish(timeout: .seconds(60)))
        let lines = try Data(contentsOf: file).split(separator: UInt8(ascii: "\n")).map { try JSON(parsing: $0) }
        let notes = lines.compactMap { $0["event"] == "note" ? $0["text"]?.string : nil }
        #expect(notes.count == 2, "\(notes)")
        #expect(notes.contains { $0.contains("the state of “main”") && $0.contains("Part: Refusal(), at “/parts/*”") })
        #expect(notes.contains { $0.contains("an action of “main”") })
        #expect(!lines.contains { $0["skipped"] != nil })
    }

    /// Writes where it is, as `encode(to:)` may.
    private struct Located: Codable {
        var number = 0

        private enum Key: CodingKey { case place, number }

        init() {}
        init(from decoder: any Decoder) throws {
            number = try decoder.container(keyedBy: Key.self).decode(Int.self, forKey: .number)
        }

        func encode(to encoder: any Encoder) throws {
            var container = encoder.container(keyedBy: Key.self)
            try container.encode(encoder.codingPath.map(\.stringValue), forKey: .place)
            try container.encode(number, forKey: .number)
        }
    }

    @Test("A value that writes its coding path writes the same path in patches and in whole states")
    func paths() throws {
        var writer = StateWriter(StateCodec<[String: [Located]]>(), nil, Layouts(), isVerifying: true)
        var (state, tree) = (["a": [Located()]], JSON.null)
        let steps: [(inout [String: [Located]]) -> Void] = [
            { _ in }, { $0["a"]?[0].number = 1 }, { $0["a"]?.insert(Located(), at: 0) }, { $0["b"] = [Located()] },
            { $0["a"]?.remove(at: 0) },
        ]
        for step in steps {
            step(&state)
            try writer.write(.value(state)) { written, _ in
                switch written {
                case .full(let text): tree = (try? JSON(parsing: text)) ?? .null
                case .patch(let text): try? Patch(JSON(parsing: text)).apply(to: &tree)
                }
                return true
            }
            #expect(try tree == TreeEncoder().tree(of: state))
        }
        #expect(tree["b"]?[Pointer(["0", "place"])] == ["b", "Index 0"])
    }

    /// Contains itself.
    private struct Branch: Codable {
        var number = 0
        var branches: [Branch] = []

        init(depth: Int, end: [Branch] = []) {
            branches = end
            for _ in 0..<depth { branches = [self] }
        }
    }

    @Test("A patch nests values no deeper than a whole state", arguments: [100, 149, 151, 300])
    func depth(added: Int) throws {
        var writer = StateWriter(StateCodec<Branch>(), nil, Layouts())
        var tree = JSON.null
        for state in [Branch(depth: 100), Branch(depth: 100, end: [Branch(depth: added)]), Branch(depth: 1)] {
            try writer.write(.value(state)) { written, _ in
                switch written {
                case .full(let text): tree = (try? JSON(parsing: text)) ?? .null
                case .patch(let text):
                    do { try Patch(JSON(parsing: text)).apply(to: &tree) } catch { Issue.record("\(error)") }
                }
                return true
            }
            #expect(try tree == JSON(parsing: DirectEncoder(.standard).text(of: state)))
        }
    }

    // MARK: Back into the app

    @Test("A marker in an applied state keeps the app's own value")
    func applied() throws {
        let pushed = try JSON(parsing: #"{"before":"b","value":{"$unencodable":"why"},"after":[]}"#)
        let current: JSON = ["before": "a", "value": ["number": 7], "after": [1]]
        let kept = try pushed.keeping(current)
        let value = try Overlay.restore(Members<Part>.self, from: kept, over: nil).value
        #expect(value.before == "b" && value.value.number == 7 && value.after == [])
        let lost = try Overlay.restore(Members<Part?>.self, from: pushed, over: ["value": ["number": 3]])
        #expect(lost.value.value?.number == 3)
        #expect(lost.adjustments.lost.map(\.path) == ["/value"])
        #expect(lost.adjustments.lost.first?.reason.contains("could not encode") == true)
    }
}
