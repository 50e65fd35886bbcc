import TapeFormat
import Testing

@testable import StateCapture
@testable import StateTape

private enum Deep: Codable {
    case inner(Inner)
    case payload(Payload)
    case two(Inner, Int)
    case named(text: String)
    case none
    case setPassword(String)

    enum Inner: Codable {
        case leaf(Int)
        case clear
        case deeper(Leaf)
    }

    enum Leaf: Codable { case go(Payload) }

    /// Its JSON looks like an enum's case.
    struct Payload: Codable {
        struct User: Codable { var name = "}{\"\\" }
        var user = User()
    }
}

private enum OwnEncoding: Encodable {
    case one(Int)
    case other(Int)

    func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: Key.self)
        switch self {
        case .one(let value), .other(let value): try container.encode(value, forKey: .value)
        }
    }

    enum Key: CodingKey { case value }
}

private enum Raw: String, Codable { case on, off }

private struct AddTodo: Codable {
    var title: String
}

private struct PasswordChanged: Codable {
    var value: String
}

@Suite("Texts of actions")
struct ActionEncoderTests {
    private let names = ActionNames(decoding: [])

    private func record<Action: Encodable>(_ action: Action, _ actionEncoder: ActionEncoder, isQualified: Bool) throws
        -> JSON
    {
        actionEncoder.buffer.clear()
        try actionEncoder.write(action, isQualified ? names : nil)
        return try JSON(parsing: actionEncoder.buffer.bytes)
    }

    /// An action's type and payload, without notes of earlier actions.
    private func fresh<Action: Encodable>(_ action: Action, isQualified: Bool) throws -> JSON {
        ActionName.record(
            of: action, tree: try DirectEncoder(.standard).tree(of: action), isQualified ? names : nil, .standard
        ).json
    }

    private func check<Action: Encodable>(_ actions: [Action]) throws {
        for isQualified in [false, true] {
            let actionEncoder = ActionEncoder(.standard)
            for action in actions + actions.reversed() + actions {
                #expect(
                    try record(action, actionEncoder, isQualified: isQualified)
                        == fresh(action, isQualified: isQualified),
                    "\(action)")
            }
        }
    }

    @Test("The text is the same for the first action of a case and later ones")
    func same() throws {
        try check([
            Deep.inner(.leaf(1)), .inner(.clear), .inner(.deeper(.go(Deep.Payload()))), .payload(Deep.Payload()), .none,
            .two(.leaf(1), 2), .two(.clear, 3), .named(text: "{\"_0\":{\"a\":{}}}"), .named(text: ""), .inner(.leaf(2)),
            .setPassword("hunter2"),
        ])
        try check([OwnEncoding.one(1), .other(1), .one(2)])
        try check([Raw.on, .off])
        try check([AddTodo(title: "milk"), AddTodo(title: "")])
        try check([PasswordChanged(value: "hunter2"), PasswordChanged(value: "x")])
    }

    @Test("A secret stays redacted once its case is known")
    func secret() throws {
        let actionEncoder = ActionEncoder(.standard)
        for _ in 0..<3 {
            #expect(
                try record(Deep.setPassword("hunter2"), actionEncoder, isQualified: false)["payload"] == Redacted.json)
            #expect(
                try record(PasswordChanged(value: "hunter2"), actionEncoder, isQualified: true)["payload"]
                    == Redacted.json)
        }
    }

    @Test("The number of remembered names is bounded, even if payloads make new ones")
    func bounded() throws {
        let actionEncoder = ActionEncoder(.standard)
        for index in 0..<1_000 {
            let action = ["user\(index)": ["name": "x"]]
            #expect(
                try record(action, actionEncoder, isQualified: false)["payload"] == [
                    "user\(index)".description: ["name": "x"]
                ])
        }
    }
}
