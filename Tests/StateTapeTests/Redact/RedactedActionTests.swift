import TapeFormat
import Testing

@testable import StateCapture
@testable import StateTape

private enum Action: Codable {
    case setPassword(String)
    case clearToken
    case login(user: String, password: String)
    case session(Session)

    enum Session: Codable {
        case setPin(Int)
        case resetPin
        case rename(String)
    }
}

private struct PasswordChanged: Codable {
    var value = "hunter2"
}

private struct PinEntered: Codable {
    var value: String?
}

private struct TokenCleared: Codable {}

private enum PinAction: Codable {
    case entered(String)
    case noted(String?)
    case show
}

@Suite("Secrets in actions")
struct RedactedActionTests {
    private func record<Value>(
        _ action: Value, _ codec: ActionCodec<Value>, _ redactor: Redactor = .standard
    ) throws -> JSON {
        try codec.capture(action, Layouts()).record(DirectEncoder(redactor))
    }

    @Test("A case's name, a label and a type's name are names")
    func names() throws {
        let marker = Redacted.json
        let codec = ActionCodec<Action>()
        #expect(try record(.setPassword("hunter2"), codec) == ["type": "setPassword", "payload": marker])
        #expect(
            try record(.login(user: "bob", password: "hunter2"), codec)
                == ["type": "login", "payload": ["user": "bob", "password": marker]])
        #expect(try record(.session(.setPin(1)), codec) == ["type": "session/setPin", "payload": marker])
        #expect(
            try record(.session(.rename("x")), codec) == ["type": "session/rename", "payload": ["_0": "x"]])
        let any = ActionCodec<any Sendable>(decoding: [])
        #expect(try record(PasswordChanged(), any)["payload"] == marker)
        #expect(try record(PinAction.entered("1234"), any)["payload"] == marker)
        #expect(try record(PinAction.entered("1234"), ActionCodec()) == ["type": "entered", "payload": marker])
    }

    @Test("An action without a payload has nothing to hide")
    func empty() throws {
        #expect(try record(.clearToken, ActionCodec<Action>()) == ["type": "clearToken"])
        #expect(try record(.session(.resetPin), ActionCodec<Action>()) == ["type": "session/resetPin"])
        #expect(try record(PinAction.show, ActionCodec()) == ["type": "show"])
        #expect(try record(TokenCleared(), ActionCodec())["payload"] == nil)
    }

    @Test("A case that gets a payload later has it hidden")
    func later() throws {
        let actionEncoder = ActionEncoder(.standard)
        try actionEncoder.write(PinEntered(value: nil), nil)
        try actionEncoder.write(PinEntered(value: "hunter2"), nil)
        try actionEncoder.write(PinAction.noted(nil), nil)
        try actionEncoder.write(PinAction.noted("hunter2"), nil)
        #expect(!String(decoding: actionEncoder.buffer.bytes, as: UTF8.self).contains("hunter2"))
    }

    @Test("Actions recorded by reflection are redacted alike")
    func reflected() throws {
        struct Token { var text = "hunter2" }
        enum Plain {
            case setPassword(String)
            case use(Token)
            case done
        }
        let codec = ActionCodec<Plain>.reflecting()
        #expect(try record(.setPassword("hunter2"), codec) == ["type": "setPassword", "payload": Redacted.json])
        #expect(try record(.use(Token()), codec) == ["type": "use", "payload": ["_0": Redacted.json]])
        #expect(try record(.done, codec) == ["type": "done"])
        #expect(try !record(Token(), ActionCodec<Token>.reflecting()).text.contains("hunter2"))
    }

    @Test("An action that holds a class instance is redacted on the dispatching thread")
    func instances() throws {
        final class Box: Codable { var password = "hunter2" }
        struct Send: Codable { var box = Box() }
        #expect(try record(Send(), ActionCodec())["payload"] == ["box": ["password": Redacted.json]])
        let own = Redactor(.none.adding("box"))
        #expect(try record(Send(), ActionCodec(own), .none)["payload"] == ["box": Redacted.json])
    }

    @Test("A closure receives the places of an action")
    func closure() throws {
        let own = Redactor(.none.adding { $0 == ["session", "_0", "rename", "_0"] })
        let action = Action.session(.rename("hunter2"))
        #expect(try record(action, ActionCodec(), own)["payload"] == ["_0": Redacted.json])
    }
}
