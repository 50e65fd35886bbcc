import TapeFormat
import Testing

@testable import StateCapture
@testable import StateTape

// Each shape carries the same payloads in another way.

/// Its JSON is the payload alone.
private struct AloneAction: Codable, Equatable {
    var value: AnyJSON

    init(_ value: AnyJSON) { self.value = value }
    init(from decoder: any Decoder) throws { value = try decoder.singleValueContainer().decode(AnyJSON.self) }
    func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(value)
    }
}

private struct MemberAction: Codable, Equatable {
    var v: AnyJSON
}

private final class ClassPayload: Codable, Equatable {
    let v: AnyJSON

    init(_ v: AnyJSON) { self.v = v }
    static func == (left: ClassPayload, right: ClassPayload) -> Bool { left.v == right.v }
}

private enum InnerCases: Codable, Equatable {
    case a(AnyJSON)
    case c
    case alone(AloneAction)
}

private enum Cases: Codable, Equatable {
    case a(AnyJSON)
    case b(x: AnyJSON)
    case c
    case inner(InnerCases)
    case maybe(InnerCases?)
    case labelled(inner: InnerCases)
    case two(InnerCases, InnerCases?)
    case member(MemberAction)
    case instance(ClassPayload)
    /// Its name is the type's.
    case Cases(AnyJSON)
}

/// Its cases are coded by other names.
private enum RenamedCases: Codable, Equatable {
    case first(InnerCases)
    case second(MemberAction)

    enum CodingKeys: String, CodingKey { case first = "1", second = "two/~" }
}

/// Its JSON is the payload alone.
private enum OwnCoding: Codable, Equatable {
    case some(AnyJSON)

    init(from decoder: any Decoder) throws {
        self = .some(try decoder.singleValueContainer().decode(AnyJSON.self))
    }
    func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        if case .some(let value) = self { try container.encode(value) }
    }
}

/// Reads almost anything, as another case.
private enum Lenient: Codable, Equatable {
    case by(AnyJSON)
    case none

    enum CodingKeys: CodingKey { case n }
    init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        self = container.contains(.n) ? .by(try container.decode(AnyJSON.self, forKey: .n)) : .none
    }
    func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: CodingKeys.self)
        if case .by(let value) = self { try container.encode(value, forKey: .n) }
    }
}

/// Codes an enum and a struct in the same place.
private enum Mixed: Encodable {
    case left(InnerCases)
    case right(Outer)
    case other(any Encodable)

    struct Outer: Encodable { var a: [String: AnyJSON] }
    enum CodingKeys: CodingKey { case it }
    enum ValueKeys: CodingKey { case _0 }

    func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: CodingKeys.self)
        var values = container.nestedContainer(keyedBy: ValueKeys.self, forKey: .it)
        switch self {
        case .left(let value): try values.encode(value, forKey: ._0)
        case .right(let value): try values.encode(value, forKey: ._0)
        case .other(let value): try values.encode(value, forKey: ._0)
        }
    }
}

private enum RawText: String, Codable { case none = "", on, RawText, slash = "a/~", number = "1" }
private enum RawNumber: Int, Codable { case low = -1, high = 10, zero = 0 }

@Suite("Payloads of actions")
struct ActionPayloadTests {
    /// Values whose JSON has each length from 0 characters, the value that a record leaves out, to 8.
    private static let values: [AnyJSON] = (0...8).flatMap { AnyJSON.values(of: $0, atMost: 24) }

    /// The orders in which short and long payloads may be recorded.
    private static func orders<Value>(_ values: [Value]) -> [[Value]] {
        var random = Seeded(7)
        let shuffled = values.shuffled(using: &random)
        return [values, values.reversed(), shuffled, values + shuffled]
    }

    private func checkRecords<Value: Encodable>(_ make: (AnyJSON) -> [Value]) throws {
        for names in [nil, ActionNames(decoding: [])] {
            for actions in Self.orders(Self.values).map({ $0.flatMap(make) }) {
                let encoder = ActionEncoder(.standard)
                for action in actions {
                    encoder.buffer.clear()
                    try encoder.write(action, names)
                    let tree = try DirectEncoder(.standard).tree(of: action)
                    let fresh = ActionName.record(of: action, tree: tree, names, .standard).json
                    let (text, expected) = (String(decoding: encoder.buffer.bytes, as: UTF8.self), fresh.text)
                    if text != expected { Issue.record("\(action): \(text), not \(expected)") }
                }
            }
        }
    }

    private func check<Value: Codable & Equatable>(
        _ values: [AnyJSON] = ActionPayloadTests.values, isBehindProtocol: Bool = true, _ make: (AnyJSON) -> [Value]
    ) throws {
        try checkRecords(make)
        let (one, many) = (ActionCodec<Value>(), ActionCodec<Any>(decoding: [Value.self]))
        for action in values.flatMap(make) {
            try checkReading(action, one.capture(action, nil)) { try one.read($0).make() }
            guard isBehindProtocol else { continue }
            try checkReading(action, many.capture(action, nil)) { try many.read($0).make() as? Value }
        }
    }

    private func checkReading<Value: Equatable>(
        _ action: Value, _ captured: any CapturedAction, _ read: (JSON) throws -> Value?
    ) throws {
        let record = try captured.record(DirectEncoder(.standard))
        do {
            let again = try read(record)
            if again != action { Issue.record("\(record.text) is read as \(String(describing: again)), not \(action)") }
        } catch {
            Issue.record("\(record.text) of \(action) can't be read: \(error)")
        }
    }

    /// Whether a record has a value as the payload if an enum is coded as this value: not as the name of a case.
    private static func isPayload(_ value: AnyJSON) -> Bool {
        switch value {
        case .string, .number: false
        case .object(let members): members.count != 1
        case .null, .bool, .array: true
        }
    }

    @Test("A record has its whole payload and is read as an equal action, whatever was recorded before")
    func shapes() throws {
        // Of an enum with its own coding, a name may be a string, a number or a case.
        try checkRecords { [$0] }
        try checkRecords { [OwnCoding.some($0)] }
        try check(Self.values.filter(Self.isPayload)) { [$0] }
        try check(Self.values.filter(Self.isPayload)) { [OwnCoding.some($0)] }
        try check { [AloneAction($0)] }
        try check { [MemberAction(v: $0)] }
        try check { [ClassPayload($0)] }
        try check { [[$0], [], [$0, $0]] }
        try check { [["k": $0], [:]] }
        try check(isBehindProtocol: false) { [MemberAction(v: $0), nil] }
        try check { [Lenient.by($0), .none] }
        try check { value in [RawText.none, .on, .RawText, .slash, .number] }
        try check { value in [RawNumber.low, .high, .zero] }
        try check { value in [RenamedCases.first(.a(value)), .second(MemberAction(v: value)), .first(.c)] }
        try check { value in
            [
                Cases.a(value), .b(x: value), .c, .inner(.a(value)), .inner(.c), .inner(.alone(AloneAction(value))),
                .maybe(.a(value)), .maybe(nil), .labelled(inner: .a(value)), .two(.a(value), nil), .two(.c, .c),
                .member(MemberAction(v: value)), .instance(ClassPayload(value)), .Cases(value),
            ]
        }
    }

    @Test("Actions with the same JSON in the same place have the same name, in any order")
    func either() throws {
        try checkRecords { value in
            [
                Mixed.left(.alone(AloneAction(value))), .right(Mixed.Outer(a: ["x": value])), .left(.a(value)),
                .other(InnerCases.a(value)), .other(Mixed.Outer(a: ["y": value])), .other(InnerCases.c),
            ]
        }
    }
}
