import Foundation
import TapeFormat
import Testing

@testable import StateCapture
@testable import StateTape

@Suite("Values that can't be compared")
struct DifferErrorTests {
    @Test("Encoding errors pass through, and the output is unchanged")
    func error() throws {
        struct Refusal: Error {}
        struct State: Encodable {
            var number: Int
            func encode(to encoder: any Encoder) throws {
                var container = encoder.container(keyedBy: Field.self)
                try container.encode(number, forKey: "number")
                if number > 1 { throw Refusal() }
            }
        }
        let output = ByteBuffer()
        let differ = Differ(layouts: Layouts())
        try differ.difference(from: [State(number: 0)], to: [State(number: 1)], to: output)
        let before = output.bytes
        #expect(throws: Refusal.self) {
            try differ.difference(from: [State(number: 1)], to: [State(number: 2)], to: output)
        }
        #expect(output.bytes == before)
        try differ.difference(from: 1, to: 1, to: output)
        #expect(output.bytes == before + Array("[]".utf8))
    }

    private struct Refusing: Encodable {
        struct Refusal: Error {}
        var refuses: Bool

        func encode(to encoder: any Encoder) throws {
            if refuses { throw Refusal() }
            _ = encoder.unkeyedContainer()
        }
    }

    /// Writes a value, and another one over it.
    private struct Overwritten: Encodable {
        var first: Refusing
        var last: Int
        var form: Int

        func encode(to encoder: any Encoder) throws {
            switch form {
            case 0:
                var container = encoder.container(keyedBy: Field.self)
                try container.encode([first], forKey: "a")
                try container.encode([last], forKey: "a")
            case 1:
                var container = encoder.container(keyedBy: Field.self)
                try? container.encode([first], forKey: "a")
                _ = container.nestedContainer(keyedBy: Field.self, forKey: "a")
                try container.encode(last, forKey: "b")
            default:
                var container = encoder.singleValueContainer()
                try container.encode([first])
                try container.encode([last])
            }
        }
    }

    @Test("Also a value that another one overwrites must be encodable for a patch", arguments: 0...2)
    func overwritten(form: Int) throws {
        let differ = Differ(layouts: Layouts())
        func needsWhole(refuses: Bool) throws -> Bool {
            try differ.difference(
                from: Overwritten(first: Refusing(refuses: false), last: 1, form: form),
                to: Overwritten(first: Refusing(refuses: refuses), last: 2, form: form), to: ByteBuffer())
            return differ.encoder.takeNeedsWhole()
        }
        #expect(try needsWhole(refuses: true))
        #expect(try !needsWhole(refuses: false))
    }

    /// Writes into a chain of containers.
    private struct Chain: Encodable {
        var depth: Int
        var isKeyed: Bool

        func encode(to encoder: any Encoder) throws {
            if isKeyed {
                var container = encoder.container(keyedBy: Field.self)
                for _ in 0..<depth { container = container.nestedContainer(keyedBy: Field.self, forKey: "a") }
            } else {
                var container = encoder.unkeyedContainer()
                for _ in 0..<depth { container = container.nestedUnkeyedContainer() }
            }
        }
    }

    @Test("Containers that nest too deep are an error", arguments: [false, true])
    func deep(isKeyed: Bool) throws {
        let differ = Differ(layouts: Layouts())
        let output = ByteBuffer()
        func difference(_ old: Int, _ new: Int) throws {
            try differ.difference(
                from: Chain(depth: old, isKeyed: isKeyed), to: Chain(depth: new, isKeyed: isKeyed), to: output)
        }
        for depth in [501, 1_000_000] {
            #expect(throws: EncodingError.self) { try difference(1, depth) }
            #expect(throws: EncodingError.self) { try difference(depth, 1) }
        }
        #expect(output.bytes == [])
        try difference(400, 401)
        #expect(output.bytes != [])
    }

    private struct Branch: Codable {
        var number: Int
        var branches: [Branch] = []

        init(_ number: Int, depth: Int) {
            (self.number, branches) = (number, depth > 0 ? [Branch(number, depth: depth - 1)] : [])
        }
    }

    @Test("On a small stack, values that nest deep are replaced")
    func stack() async throws {
        let (old, new) = (Branch(1, depth: 50), Branch(2, depth: 50))
        let patch = await withCheckedContinuation { continuation in
            // As large as that of a queue's thread on Apple's systems, where the bounds are known.
            let thread = Thread {
                let differ = Differ(layouts: Layouts())
                differ.stack = ThreadStack(bytes: 500 << 10)
                differ.encoder.state.pointee.stack = ThreadStack(bytes: 500 << 10)
                let output = ByteBuffer()
                let result = Result { _ = try differ.difference(from: old, to: new, to: output) }
                continuation.resume(returning: result.map { output.bytes })
            }
            thread.stackSize = 512 << 10
            thread.start()
        }
        var tree = try TreeEncoder().tree(of: old)
        try Patch(JSON(parsing: patch.get())).apply(to: &tree)
        #expect(try tree == TreeEncoder().tree(of: new))
    }

    @Test("Two kinds of containers for one value are an error, inside others too")
    func kinds() throws {
        struct State: Encodable {
            var number: Int
            var isInside: Bool
            func encode(to encoder: any Encoder) throws {
                var container = encoder.container(keyedBy: Field.self)
                try container.encode(number, forKey: "number")
                if isInside {
                    _ = container.nestedContainer(keyedBy: Field.self, forKey: "a")
                    _ = container.nestedUnkeyedContainer(forKey: "a")
                } else {
                    _ = encoder.unkeyedContainer()
                }
            }
        }
        for isInside in [false, true] {
            #expect(throws: EncodingError.self) {
                try Differ(layouts: Layouts()).difference(
                    from: State(number: 1, isInside: isInside), to: State(number: 2, isInside: isInside),
                    to: ByteBuffer())
            }
        }
    }
}
