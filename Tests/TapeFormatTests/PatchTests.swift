import TapeFormat
import Testing

@Suite("Patches")
struct PatchTests {
    @Test("The golden patches give the golden results, and a failure leaves the value unchanged")
    func golden() throws {
        for entry in try #require(try Golden.json("patches.json").array) {
            let name = try #require(entry["name"]?.string)
            let before = try #require(entry["before"])
            let patch = try Patch(try #require(entry["patch"]))
            #expect(try Patch(patch.json) == patch, "\(name)")
            var value = before
            if let path = entry["fails"]?.string {
                let failure = #expect(throws: Patch.Failure.self, "\(name)") { try patch.apply(to: &value) }
                #expect(failure?.path == path, "\(name)")
                #expect(value == before, "\(name)")
            } else {
                try patch.apply(to: &value)
                #expect(value == entry["after"], "\(name)")
            }
        }
    }

    @Test(
        "The error of an invalid patch names the operation and the member",
        arguments: [
            (#"{}"#, "a patch must be an array"),
            (#"[1]"#, "operation 0 of the patch must be an object"),
            (#"[{"op":"remove"}]"#, "member “path” of operation 0 of the patch is missing"),
            (#"[{"path":""}]"#, "member “op” of operation 0 of the patch is missing"),
            (
                #"[{"op":"remove","path":"/a"},{"op":"add","path":"/a"}]"#,
                "member “value” of operation 1 of the patch is missing"
            ),
            (#"[{"op":"twist","path":""}]"#, "operation 0 of the patch has an unknown op “twist”"),
            (
                #"[{"op":"splice","path":"","at":-1,"remove":0,"insert":""}]"#,
                "member “at” of operation 0 of the patch must be a whole number"
            ),
            (#"[{"op":"remove","path":"a"}]"#, "pointer “a” must be empty or begin with “/”"),
        ])
    func broken(_ text: String, _ message: String) throws {
        let json = try JSON(parsing: text)
        #expect(throws: FormatError(message)) { try Patch(json) }
    }

    @Test(
        "A splice whose end overflows is an error", arguments: [(1, Int.max), (.max, 1), (.max, .max)])
    func farSplice(_ at: Int, _ remove: Int) {
        var value: JSON = "abc"
        let patch = Patch([.splice(Pointer(), at: at, remove: remove, insert: "")])
        #expect(throws: Patch.Failure.self) { try patch.apply(to: &value) }
        #expect(value == "abc")
    }

    @Test("A change in a long string is a splice on scalar boundaries")
    func splice() throws {
        let words = String(repeating: "word ", count: 20)
        let patch = Patch.between(.string(words + "👍 end"), .string(words + "👎 end"))
        #expect(patch.operations == [.splice(Pointer(), at: 100, remove: 4, insert: "👎")])
        #expect(Patch.between(.string("short"), .string("shirt")).operations == [.replace(Pointer(), "shirt")])
    }

    @Test("Elements with an id are removed, moved and changed one by one")
    func identified() {
        func element(_ id: Int, _ title: String) -> JSON { ["id": .number(.init(id)), "title": .string(title)] }
        let old: JSON = ["a": .array((0..<10).map { element($0, "t\($0)") })]
        var elements = old["a"]?.array ?? []
        elements.insert(elements.remove(at: 8), at: 1)
        elements.remove(at: 4)
        elements[5] = element(5, "changed")
        elements.insert(element(99, "new"), at: 2)
        let patch = Patch.between(old, ["a": .array(elements)])
        #expect(patch.operations.count == 4)
        #expect(applied(patch, old) == ["a": .array(elements)])
    }

    @Test("An unchanged value gives an empty patch")
    func unchanged() throws {
        #expect(Patch.between(try JSON(parsing: "[1.0,{\"a\":2,\"b\":3}]"), [1, ["b": 3, "a": 2]]).isEmpty)
    }

    @Test("The patch between random values leads from one to the other", arguments: [1, 2, 3, 4] as [UInt64])
    func property(_ seed: UInt64) throws {
        var random = SeededRandom(seed: seed)
        for _ in 0..<1_000 {
            let old = JSON.random(depth: 4, using: &random)
            let new = Bool.random(using: &random) ? old.edited(using: &random) : .random(depth: 4, using: &random)
            let patch = Patch.between(old, new)
            #expect(applied(try Patch(try JSON(parsing: patch.json.bytes)), old) == new)
        }
    }

    @Test("A shuffle of many elements gives a patch that applies")
    func shuffle() {
        var random = SeededRandom(seed: 5)
        let old = (0..<300).map { JSON.object(.init([("id", .number(.init($0)))])) }
        let new = (old + [["id": "x"]]).dropFirst(3).shuffled(using: &random)
        #expect(applied(.between(.array(old), .array(new)), .array(old)) == .array(new))
    }

    private func applied(_ patch: Patch, _ value: JSON) -> JSON? { try? patch.applied(to: value) }
}

extension JSON {
    static func random(depth: Int, using random: inout SeededRandom) -> JSON {
        switch Int.random(in: 0..<(depth > 0 ? 9 : 6), using: &random) {
        case 0: return .null
        case 1: return .bool(.random(using: &random))
        case 2, 3: return .number(.init(Int.random(in: -3...3, using: &random)))
        case 4: return .string(["", "é", "e\u{301}", "a/b", "~", "👍"].randomElement(using: &random) ?? "")
        case 5: return .string(String((0..<80).map { _ in "aé👍e\u{301}\r\n".randomElement(using: &random) ?? "b" }))
        case 6:
            return .array(
                (0..<Int.random(in: 0...5, using: &random)).map { _ in .random(depth: depth - 1, using: &random) })
        case 7:
            let ids = Array(0..<8).shuffled(using: &random).prefix(Int.random(in: 0...6, using: &random))
            return .array(ids.map { ["id": .number(.init($0)), "x": .random(depth: depth - 1, using: &random)] })
        default:
            let keys = ["a", "b", "é", "e\u{301}", "a/b", "~0", ""].shuffled(using: &random)
            return .object(
                .init(
                    keys.prefix(.random(in: 0...5, using: &random)).map {
                        ($0, .random(depth: depth - 1, using: &random))
                    }))
        }
    }

    func edited(using random: inout SeededRandom) -> JSON {
        switch self {
        case .array(var elements) where !elements.isEmpty:
            let index = Int.random(in: elements.indices, using: &random)
            switch Int.random(in: 0..<4, using: &random) {
            case 0: elements.remove(at: index)
            case 1: elements.insert(.random(depth: 1, using: &random), at: index)
            case 2: elements.swapAt(index, Int.random(in: elements.indices, using: &random))
            default: elements[index] = elements[index].edited(using: &random)
            }
            return .array(elements)
        case .object(var object) where !object.isEmpty:
            let key = object.randomElement(using: &random)?.key ?? ""
            object[key] = Bool.random(using: &random) ? nil : object[key]?.edited(using: &random)
            return .object(object)
        case .string(let text):
            let index = text.unicodeScalars.indices.randomElement(using: &random) ?? text.startIndex
            return .string(text[..<index] + "x" + text[index...])
        default: return .random(depth: 2, using: &random)
        }
    }
}
