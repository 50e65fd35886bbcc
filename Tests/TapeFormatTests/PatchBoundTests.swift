import TapeFormat
import Testing

@Suite("Limits of a patch", .timeLimit(.minutes(1)))
struct PatchBoundTests {
    @Test("The cost of an operation doesn't depend on the size of the object")
    func largeObject() throws {
        let count = 200_000
        let before = JSON.object(.init((0..<count).map { ("key \($0)", .number(.init($0))) }))
        // In reverse order, the worst case for a linear search.
        let keys = (0..<20_000).map { Pointer(["key \(count - 1 - $0)"]) }
        let after = try Patch(
            keys.map { .replace($0, true) } + keys.prefix(10_000).map { .remove($0) }
                + keys.prefix(5_000).map { .add($0, "new") }
        ).applied(to: before)
        let object = try #require(after.object)
        #expect(object.count == count - 5_000)
        #expect(object[0].key == "key 0" && object[object.count - 1].key == "key \(count - 5_000)")
        #expect(after["key \(count - 1)"] == "new")
        #expect(after["key \(count - 7_000)"] == nil && after["key \(count - 15_000)"] == true)
    }

    @Test("Edits at the start of a long array and splices of a long string are limited")
    func work() {
        let front = Patch((0..<20_000).map { .add(Pointer(["0"]), .number(.init($0))) })
        #expect(throws: Patch.Failure.self) {
            try front.applied(to: .array(Array(repeating: 0, count: 1_000_000)))
        }
        let splices = Patch(Array(repeating: .splice(Pointer(), at: 0, remove: 0, insert: "x"), count: 20_000))
        #expect(throws: Patch.Failure.self) {
            try splices.applied(to: .string(String(repeating: "x", count: 8 << 20)))
        }
        // Edits at the end move no elements.
        let end = Patch((0..<20_000).map { .add(Pointer(["-"]), .number(.init($0))) })
        #expect((try? end.applied(to: .array(Array(repeating: 0, count: 1_000_000))))?.array?.count == 1_020_000)
    }

    @Test("A patch between two values stays within the limit")
    func between() throws {
        func expect(_ old: JSON, _ new: JSON, count: Int, _ location: SourceLocation = #_sourceLocation) throws {
            let patch = Patch.between(old, new)
            #expect(patch.operations.count == count, sourceLocation: location)
            #expect(try patch.applied(to: old) == new, sourceLocation: location)
        }
        let rows = (0..<60_000).map { ["id": .number(.init($0))] as JSON }
        try expect(["rows": .array(rows)], ["rows": .array(Array(rows[12_000...]))], count: 1)
        try expect(["rows": .array(Array(rows[12_000...]))], ["rows": .array(rows)], count: 1)
        try expect(.array(rows), .array(rows.dropLast(12_000)), count: 12_000)
        let plain = (0..<60_000).map { JSON.number(.init($0 % 7)) }
        try expect(.array(plain + [8]), .array(plain.dropFirst(12_000) + [8]), count: 1)
        // This leaves 4 096 of the limit.
        let numbers = JSON.array((0..<60_000).map { .number(.init($0)) })
        let (fewer, text) = (JSON.array(Array((numbers.array ?? [])[10_944...])), String(repeating: "x", count: 4_096))
        let spliced = Patch.between([numbers, .string(text)], [fewer, .string(text + "!")]).operations.last
        #expect(spliced == .splice(Pointer(["1"]), at: 4_096, remove: 0, insert: "!"))
        let replaced = Patch.between([numbers, .string(text + "x")], [fewer, .string(text + "x!")]).operations.last
        #expect(replaced == .replace(Pointer(["1"]), .string(text + "x!")))
    }

    @Test("Opened elements keep their positions while others are inserted and removed")
    func manyChildren() throws {
        let before = JSON.array((0..<2_000).map { [.number(.init($0))] })
        var operations: [Patch.Operation] = []
        for index in (0..<1_000).reversed() { operations.append(.add(Pointer([String(index), "-"]), true)) }
        for _ in 0..<500 { operations.append(.remove(Pointer(["0"]))) }
        for index in 0..<500 { operations.append(.add(Pointer([String(index), "-"]), true)) }
        operations.append(.add(Pointer(["0"]), "first"))
        operations.append(.add(Pointer(["1", "-"]), "last"))
        let after = try #require(try Patch(operations).applied(to: before).array)
        #expect(after.count == 1_501 && after[0] == "first" && after[1] == [500, true, true, "last"])
        #expect(after[500] == [999, true, true] && after[501] == [1_000])
    }

    @Test("The error names the server's limit, which applies to copies")
    func size() throws {
        let copy = Patch([.copy(from: Pointer(["a"]), to: Pointer(["b"]))])
        let state: JSON = ["a": .string(String(repeating: "x", count: 600))]
        #expect(try copy.applied(to: state, maxSize: 1_300)["b"] == state["a"])
        #expect(throws: Patch.Failure.self) { try copy.applied(to: state, maxSize: 1_000) }
        let failure = #expect(throws: Patch.Failure.self) { try copy.applied(to: state, maxSize: 500) }
        #expect(failure?.description == "the state would be larger than the limit of 500 bytes, at “/b”")
    }

    @Test("A pointer has the same depth limit as a value")
    func pointer() throws {
        #expect(try Pointer(parsing: String(repeating: "/a", count: 512)).tokens.count == 512)
        for count in [513, 1_000_000] {
            #expect(throws: FormatError.self) { try Pointer(parsing: String(repeating: "/a", count: count)) }
        }
    }

    @Test("Making an object with many members takes linear time")
    func members() {
        let object = JSON.Object((0..<300_000).map { ("\($0 % 200_000)", .number(.init($0))) })
        #expect(object.count == 200_000 && object["3"] == 200_003 && object[199_999].key == "199999")
    }

    @Test("Values that differ at the bottom of deep arrays are compared once, not at each level")
    func deepDifference() throws {
        func nested(_ last: JSON) -> JSON {
            let bottom = JSON.array((0..<20_000).map { .number(.init($0)) } + [last])
            return (0..<500).reduce(bottom) { value, _ in [value] }
        }
        let patch = Patch.between(nested(1), nested(2))
        #expect(patch.operations.count == 1)
        #expect(try patch.applied(to: nested(1)) == nested(2))
    }

    @Test("Random operations give the same result as a simple implementation", arguments: [1, 2, 3, 4] as [UInt64])
    func property(_ seed: UInt64) {
        var random = SeededRandom(seed: seed)
        for round in 0..<150 {
            let state = Self.state(using: &random)
            var expected: JSON? = state
            var operations: [Patch.Operation] = []
            for _ in 0..<60 {
                let operation = Self.operation(on: expected ?? state, using: &random)
                let next = expected.flatMap { PlainPatch.applied(operation, to: $0) }
                // Few operations fail, so that most patches run long.
                if next == nil, Int.random(in: 0..<40, using: &random) > 0 { continue }
                operations.append(operation)
                expected = next
                if next == nil { break }
            }
            let result = try? Patch(operations).applied(to: state)
            #expect(result?.text == expected?.text, "seed \(seed), round \(round): \(Patch(operations).json.text)")
        }
    }

    private static func state(using random: inout SeededRandom) -> JSON {
        func object(_ depth: Int) -> JSON {
            .object(
                .init(
                    (0..<Int.random(in: 0..<30, using: &random)).map {
                        ("k\($0)", depth == 0 ? .number(.init($0)) : value(depth - 1))
                    }))
        }
        func value(_ depth: Int) -> JSON {
            switch Int.random(in: 0..<4, using: &random) {
            case 0: "text"
            case 1: object(depth)
            default:
                .array(
                    (0..<Int.random(in: 0..<45, using: &random)).map {
                        depth == 0 ? .number(.init($0)) : [[:], .number(.init($0))]
                    })
            }
        }
        return ["a": object(1), "b": value(1), "c": value(1)]
    }

    private static func operation(on state: JSON, using random: inout SeededRandom) -> Patch.Operation {
        /// A path that usually exists.
        func place(new: Bool = false) -> Pointer {
            var pointer = Pointer()
            var value = state
            while Int.random(in: 0..<5, using: &random) > 0 {
                if let object = value.object {
                    let isNew = object.isEmpty || new && Int.random(in: 0..<3, using: &random) == 0
                    let token =
                        isNew ? "n\(Int.random(in: 0..<9, using: &random))" : object.randomElement(using: &random)?.key
                    pointer = pointer.appending(token ?? "")
                } else if let elements = value.array {
                    pointer = pointer.appending(Int.random(in: 0...(elements.count), using: &random))
                } else {
                    break
                }
                value = state[pointer] ?? .null
            }
            return pointer
        }
        return switch Int.random(in: 0..<12, using: &random) {
        case 0..<3: .add(place(new: true), [.init(integerLiteral: Int.random(in: 0..<99, using: &random))])
        case 3..<6: .remove(place())
        case 6: .replace(place(), ["k1": "new", "x": []])
        case 7, 8: .move(from: place(), to: place(new: true))
        case 9: .copy(from: place(), to: place(new: true))
        case 10:
            {
                let path = place(); return .test(path, state[path] ?? .null)
            }()
        default: .splice(place(), at: 1, remove: 1, insert: "é")
        }
    }
}

/// A simple implementation of the operations that copies values, as the reference.
private enum PlainPatch {
    static func applied(_ operation: Patch.Operation, to state: JSON) -> JSON? {
        switch operation {
        case .add(let path, let value): return added(value, path.tokens[...], state)
        case .remove(let path): return removed(path.tokens[...], state)
        case .replace(let path, let value): return state[path] == nil ? nil : replaced(value, path.tokens[...], state)
        case .move(let from, let to):
            guard let value = state[from], !(to.tokens.count > from.tokens.count && to.tokens.starts(with: from.tokens))
            else { return nil }
            return removed(from.tokens[...], state).flatMap { added(value, to.tokens[...], $0) }
        case .copy(let from, let to): return state[from].flatMap { added($0, to.tokens[...], state) }
        case .test(let path, let value): return state[path] == value ? state : nil
        case .splice(let path, let at, let remove, let insert):
            guard let text = state[path]?.string, at + remove <= text.utf8.count else { return nil }
            let bytes = Array(text.utf8)
            guard let head = String(validating: bytes[..<at], as: UTF8.self),
                let tail = String(validating: bytes[(at + remove)...], as: UTF8.self)
            else { return nil }
            return replaced(.string(head + insert + tail), path.tokens[...], state)
        }
    }

    private static func added(_ value: JSON, _ path: ArraySlice<String>, _ state: JSON) -> JSON? {
        guard let token = path.first else { return value }
        if path.count > 1 { return changed(path, state) { added(value, path.dropFirst(), $0) } }
        if var object = state.object {
            object[token] = value
            return .object(object)
        }
        guard var elements = state.array, let index = token == "-" ? elements.count : Int(token),
            index <= elements.count
        else { return nil }
        elements.insert(value, at: index)
        return .array(elements)
    }

    private static func removed(_ path: ArraySlice<String>, _ state: JSON) -> JSON? {
        guard let token = path.first else { return nil }
        if path.count > 1 { return changed(path, state) { removed(path.dropFirst(), $0) } }
        if var object = state.object, object[token] != nil {
            object[token] = nil
            return .object(object)
        }
        guard var elements = state.array, let index = Int(token), index < elements.count else { return nil }
        elements.remove(at: index)
        return .array(elements)
    }

    private static func replaced(_ value: JSON, _ path: ArraySlice<String>, _ state: JSON) -> JSON? {
        path.isEmpty ? value : changed(path, state) { replaced(value, path.dropFirst(), $0) }
    }

    private static func changed(_ path: ArraySlice<String>, _ state: JSON, _ body: (JSON) -> JSON?) -> JSON? {
        guard let token = path.first else { return nil }
        if var object = state.object {
            guard let child = object[token], let new = body(child) else { return nil }
            object[token] = new
            return .object(object)
        }
        guard var elements = state.array, let index = Int(token), elements.indices.contains(index),
            let new = body(elements[index])
        else { return nil }
        elements[index] = new
        return .array(elements)
    }
}
