/// The changes between two states: a JSON Patch (RFC 6902) with an additional operation for long strings, `splice`.
public struct Patch: Sendable, Equatable {
    /// One operation. Each applies to the result of the previous one.
    public enum Operation: Sendable, Equatable {
        case add(Pointer, JSON)
        case remove(Pointer)
        case replace(Pointer, JSON)
        case move(from: Pointer, to: Pointer)
        case copy(from: Pointer, to: Pointer)
        case test(Pointer, JSON)
        /// Replaces `remove` bytes of the string at the pointer, from byte `at` on, by `insert`. Both bounds must be
        /// between two scalars of the UTF-8 text.
        case splice(Pointer, at: Int, remove: Int, insert: String)
    }

    public var operations: [Operation]

    public init(_ operations: [Operation] = []) {
        self.operations = operations
    }

    /// Whether the patch has no operations.
    public var isEmpty: Bool { operations.isEmpty }

    /// Whether the patch contains a copy, so that the result may be larger than the old value and the patch together.
    package var hasCopies: Bool { operations.contains { if case .copy = $0 { true } else { false } } }

    /// Parses a patch, an array of operations. Unknown members are ignored.
    ///
    /// - Throws: `FormatError` with the operation's index and the member.
    public init(_ json: JSON) throws(FormatError) {
        guard let elements = json.array else { throw FormatError("a patch must be an array") }
        operations = []
        operations.reserveCapacity(elements.count)
        for (index, element) in elements.enumerated() {
            operations.append(try Operation(element, name: "operation \(index) of the patch"))
        }
    }

    public var json: JSON { .array(operations.map(\.json)) }
}

extension Patch.Operation {
    init(_ json: JSON, name: String) throws(FormatError) {
        guard let object = json.object else { throw FormatError("\(name) must be an object") }
        func text(_ member: String) throws(FormatError) -> String {
            guard let value = object[member] else { throw .missing(member, in: name) }
            guard let text = value.string else { throw .expected("a string", for: member, in: name) }
            return text
        }
        func pointer(_ member: String) throws(FormatError) -> Pointer { try Pointer(parsing: try text(member)) }
        func value() throws(FormatError) -> JSON {
            guard let value = object["value"] else { throw .missing("value", in: name) }
            return value
        }
        func count(_ member: String) throws(FormatError) -> Int {
            guard let value = object[member] else { throw .missing(member, in: name) }
            guard let count = value.int, count >= 0 else { throw .expected("a whole number", for: member, in: name) }
            return count
        }
        let path = try pointer("path")
        switch try text("op") {
        case "add": self = .add(path, try value())
        case "remove": self = .remove(path)
        case "replace": self = .replace(path, try value())
        case "move": self = .move(from: try pointer("from"), to: path)
        case "copy": self = .copy(from: try pointer("from"), to: path)
        case "test": self = .test(path, try value())
        case "splice":
            self = .splice(path, at: try count("at"), remove: try count("remove"), insert: try text("insert"))
        case let other: throw FormatError("\(name) has an unknown op “\(other.prefix(100))”")
        }
    }

    /// The path that the operation changes or tests.
    public var path: Pointer {
        switch self {
        case .add(let path, _), .remove(let path), .replace(let path, _), .move(_, let path), .copy(_, let path),
            .test(let path, _), .splice(let path, _, _, _):
            path
        }
    }

    var json: JSON {
        let path = JSON.string(path.description)
        return switch self {
        case .add(_, let value): ["op": "add", "path": path, "value": value]
        case .remove: ["op": "remove", "path": path]
        case .replace(_, let value): ["op": "replace", "path": path, "value": value]
        case .move(let from, _): ["op": "move", "from": .string(from.description), "path": path]
        case .copy(let from, _): ["op": "copy", "from": .string(from.description), "path": path]
        case .test(_, let value): ["op": "test", "path": path, "value": value]
        case .splice(_, let at, let remove, let insert):
            [
                "op": "splice", "path": path, "at": .number(JSON.Number(at)),
                "remove": .number(JSON.Number(remove)), "insert": .string(insert),
            ]
        }
    }
}
