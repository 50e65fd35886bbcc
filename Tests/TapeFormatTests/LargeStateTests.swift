import SampleTapes
import Testing

@testable import TapeFormat

@Suite("Large states")
struct LargeStateTests {
    private func text(_ state: LargeState, inPiecesOf size: Int = 7) -> [UInt8] {
        var text: [UInt8] = []
        state.write(inPiecesOf: size) { text += $0 }
        return text
    }

    @Test("A patch gives the same state, or the same failure, as with a value")
    func golden() throws {
        for entry in try #require(Golden.json("patches.json").array) {
            let name = try #require(entry["name"]?.string)
            let before = try #require(entry["before"])
            try expectSame(before, [Patch(try #require(entry["patch"]))], "\(name)")
        }
    }

    @Test("So do many random patches, one after the other", arguments: 0..<40)
    func random(_ seed: Int) throws {
        var random = Chance(UInt64(seed))
        var states = [JSON.random(&random, depth: 5)]
        for _ in 0..<12 { states.append(states[states.count - 1].changed(&random)) }
        var patches = zip(states, states.dropFirst()).map(Patch.between)
        let places = states[states.count - 1].places
        for _ in 0..<20 {
            let (one, other) = (places.randomElement(using: &random)!, places.randomElement(using: &random)!)
            let value = states[states.count - 1][one] ?? .null
            let operation: Patch.Operation =
                switch Int.random(in: 0..<6, using: &random) {
                case 0: .move(from: one, to: other)
                case 1: .copy(from: one, to: other.appending("-"))
                case 2: .test(one, value)
                case 3: .remove(one)
                case 4: .add(one, .array(Array(repeating: "long enough to be kept as text", count: 50)))
                default: .splice(one, at: 0, remove: 0, insert: "“\n")
                }
            patches.append(Patch([operation]))
        }
        try expectSame(states[0], patches, "seed \(seed)")
    }

    private func expectSame(_ before: JSON, _ patches: [Patch], _ comment: Comment) throws {
        var (value, large) = (before, try LargeState(before.bytes))
        for patch in patches {
            let earlier = large
            let (text, old) = (text(large), value)
            var failures: [Patch.Failure?] = [nil, nil]
            do throws(Patch.Failure) { try patch.apply(to: &value) } catch { failures[0] = error }
            do throws(Patch.Failure) { try large.apply(patch, bytes: 0, maxSize: Limits.state) } catch {
                failures[1] = error
            }
            #expect(failures[0] == failures[1], comment)
            // A copy keeps the state that it was made of.
            #expect(self.text(earlier) == text && text == old.bytes, comment)
            if failures[1] != nil { large = earlier }
            #expect(self.text(large) == value.bytes, comment)
            #expect(try large.json() == value, comment)
            #expect(try large.size() == JSON.Footprint(value).text, comment)
            #expect(LargeState(value).memory > 0 && self.text(LargeState(value)) == value.bytes, comment)
        }
    }

    @Test("Pieces have about the size that was asked for", arguments: [1, 100, 1 << 20])
    func pieces(_ size: Int) throws {
        let rows = JSON.array((0..<1_000).map { ["id": .number(.init($0)), "text": "some words"] })
        let state = try LargeState(rows.bytes)
        var pieces: [[UInt8]] = []
        state.write(inPiecesOf: size) { pieces.append($0) }
        #expect(Array(pieces.joined()) == rows.bytes)
        #expect(pieces.dropLast().allSatisfy { $0.count == size })
    }

    @Test(
        "Text that isn't one valid value is refused",
        arguments: ["", "{", #"{"a":1}}"#, #"{"a":1,"a":2}"#, "[1,]", "nul"])
    func invalid(_ text: String) {
        #expect(throws: FormatError.self) { try LargeState(Array(text.utf8)) }
    }

    @Test("A state that is a single value works, too", arguments: [JSON.null, true, 1.5, "text"])
    func scalar(_ value: JSON) throws {
        var state = try LargeState(value.bytes)
        #expect(text(state) == value.bytes)
        try state.apply(Patch([.replace(Pointer(), [1])]), bytes: 0, maxSize: 100)
        #expect(text(state) == Array("[1]".utf8))
    }

    @Test("Texts of which little is left, and levels that were read, don't pile up")
    func memory() throws {
        let rows = JSON.array((0..<100_000).map { .string("row \($0), long enough to count") })
        let bytes = rows.bytes.count
        var state = try LargeState(#"{"rows":[],"kept":{}}"#.utf8.map { $0 })
        for round in 0..<60 {
            // One row of each array is kept, and with it all of its text.
            try state.apply(
                Patch([
                    .replace(Pointer(["rows"]), .array([["a": rows], ["b": .array([.string("\(round)")])]])),
                    .move(from: Pointer(["rows", "1"]), to: Pointer(["kept", "\(round)"])),
                ]), bytes: bytes, maxSize: Limits.state)
            #expect(state.memory <= 2 * (try state.size()) + LargeState.compared)
        }
        let digits = JSON.array(Array(repeating: 1, count: 1_500_000))
        state = try LargeState(JSON.array(Array(repeating: digits, count: 4)).bytes)
        for index in 0..<4 {
            try state.apply(Patch([.replace(Pointer(["\(index)", "0"]), 2)]), bytes: 1, maxSize: Limits.state)
            #expect(state.memory <= 100 << 20)
        }
        #expect(try state.json().array?.map { $0[0]?.int } == [2, 2, 2, 2])
    }
}

extension JSON {
    fileprivate static func random(_ random: inout Chance, depth: Int) -> JSON {
        let few = 0..<Int.random(in: 1...6, using: &random)
        switch Int.random(in: 0..<(depth > 0 ? 8 : 5), using: &random) {
        case 0: return .null
        case 1: return .bool(.random(using: &random))
        case 2: return .number(Number(Int.random(in: -50...50, using: &random)))
        case 3: return .string(String(repeating: "é\"\\\n\u{1}x", count: few.count))
        case 4: return .string(String(repeating: "long ", count: 40 * few.count))
        case 5: return .array(few.map { _ in .random(&random, depth: depth - 1) })
        default: return .object(Object(few.map { ("k/~\"\($0)", .random(&random, depth: depth - 1)) }))
        }
    }

    /// A copy with a change somewhere.
    fileprivate func changed(_ random: inout Chance) -> JSON {
        switch self {
        case .array(var elements) where !elements.isEmpty && Int.random(in: 0..<4, using: &random) > 0:
            let place = elements.indices.randomElement(using: &random)!
            if Bool.random(using: &random) { elements.insert(.random(&random, depth: 2), at: place) }
            elements[place] = elements[place].changed(&random)
            return .array(elements)
        case .object(var object) where !object.isEmpty && Int.random(in: 0..<4, using: &random) > 0:
            let key = object.randomElement(using: &random)!.key
            object[key] = Bool.random(using: &random) ? nil : object[key]?.changed(&random)
            return .object(object)
        default: return .random(&random, depth: 3)
        }
    }

    /// All places in the value.
    fileprivate var places: [Pointer] {
        var places = [Pointer()]
        for (index, element) in (array ?? []).enumerated() {
            places += element.places.map { Pointer(["\(index)"] + $0.tokens) }
        }
        for member in object ?? Object() { places += member.value.places.map { Pointer([member.key] + $0.tokens) } }
        return places
    }
}
