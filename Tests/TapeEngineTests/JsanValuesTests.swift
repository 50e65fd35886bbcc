import Foundation
import SampleTapes
import TapeFormat
import Testing

@testable import TapeEngine

@Suite("Values of jsan", .timeLimit(.minutes(1))) struct JsanValuesTests {
    @Test(
        "A path is read as jsan writes it",
        arguments: [
            ("$", []), ("$.a.b", ["a", "b"]), ("$[0][12]", ["0", "12"]), ("$.a[0].b", ["a", "0", "b"]),
            (#"$["a b"].c"#, ["a b", "c"]), (#"$["q\"]"]"#, ["q\"]"]), (#"$["é\u0041"]"#, ["éA"]), (#"$[""]"#, [""]),
            ("$.", nil), ("$a", nil), ("$.a b", nil), ("$[", nil), ("$[0", nil), ("$[x]", nil), (#"$["a"#, nil),
            (#"$["\x"]"#, nil), ("$.é", nil),
        ] as [(String, [String]?)])
    func path(_ text: String, _ tokens: [String]?) {
        #expect(JsanValues.path(text) == tokens)
    }

    /// A lifted state with these states.
    private static func lifted(_ states: [JSON], _ more: (String, JSON)...) -> JSON {
        let ids = states.indices.map { JSON.number(.init($0)) }
        let actions = ids.map { ($0.text, ["action": ["type": "a"], "timestamp": 1] as JSON) }
        var members = JSON.Object([
            ("actionsById", .object(JSON.Object(actions))), ("stagedActionIds", .array(ids)),
            ("computedStates", .array(states.map { ["state": $0] })),
        ])
        for (name, value) in more { members[name] = value }
        return .object(members)
    }

    private static func reference(_ path: String) -> JSON { ["$jsan": .string(path)] }

    /// Values each of which refers to the next one twice.
    private static func bomb(_ levels: Int) -> JSON {
        .array((1...levels).map { [reference("$.x[\($0)]"), reference("$.x[\($0)]")] } + ["leaf"])
    }

    @Test("References that multiply are refused by their size, however deep they go", arguments: [30, 60, 200, 480])
    func bombs(_ levels: Int) throws {
        let file = Self.lifted([0, Self.reference("$.x[0]")], ("x", Self.bomb(levels)))
        let error = #expect(throws: TooLarge.self) { try ReduxFile(file, name: "redux-sample") }
        #expect(error?.description == "With its references resolved, the file has more than 256 MiB of states.")
    }

    @Test("Many states that refer to one large value are refused by their size")
    func many() throws {
        let large: JSON = .string(String(repeating: "x", count: 1 << 20))
        let states = [large] + (0..<300).map { _ in Self.reference("$.computedStates[0].state") }
        #expect(throws: TooLarge.self) { try ReduxFile(Self.lifted(states), name: "redux-sample") }
        let fewer = try #require(try ReduxFile(Self.lifted(Array(states.prefix(200))), name: "redux-sample"))
        #expect(fewer.lines.count == 200)
    }

    @Test("The time to resolve references grows linearly with them")
    func linear() throws {
        let count = 30_000
        let members = (0..<count).map { ("key \($0)", ["n": .number(.init($0))] as JSON) }
        let references = (0..<count).map { ("key \($0)", Self.reference(#"$.committedState["key \#($0)"]"#)) }
        let file = Self.lifted(
            [Self.reference("$.committedState"), .object(JSON.Object(references))],
            ("committedState", .object(JSON.Object(members))))
        let lines = try #require(try ReduxFile(file, name: "redux-sample")).lines
        #expect(lines.count == 2 && lines[1]["patch"] == [])
    }

    @Test("A file that refers to itself in every way is read to its end, and each line is one")
    func random() throws {
        var chance = Chance(7)
        for _ in 0..<300 {
            func value(_ depth: Int) -> JSON {
                switch chance.below(depth > 3 ? 3 : 7) {
                case 0: return 1
                case 1: return Self.reference("$.computedStates[\(chance.below(4))].state")
                case 2:
                    return Self.reference("$.computedStates[\(chance.below(4))].state.\(["a", "b"][chance.below(2)])")
                case 3: return .array((0..<chance.below(4)).map { _ in value(depth + 1) })
                default: return ["a": value(depth + 1), "b": value(depth + 1)]
                }
            }
            let file = try ReduxFile(Self.lifted((0..<4).map { _ in value(0) }), name: "redux-sample")
            for line in try #require(file).lines { _ = try EventLine(parsing: line.bytes) }
        }
    }

    @Test("A session whose state has members of that name is exported and imported unchanged")
    func own() throws {
        let states: [JSON] = [
            ["$jsan": "d1"], ["$jsan": ["d1"], "a": [["$jsan": ["$jsan": "$"]]]], ["$jsan": [[1]]],
        ]
        let lifted = Self.lifted(states.map(JsanValues.escaped))
        let lines = try #require(try ReduxFile(lifted, name: "redux-sample")).lines
        #expect(lines.count == 3 && lines[0]["state"] == states[0])
        var state = states[0]
        for (line, expected) in zip(lines, states).dropFirst() {
            state = try line["state"] ?? Patch(#require(line["patch"])).applied(to: state)
            #expect(state == expected)
        }
    }
}
