import Foundation
import TapeFormat

// What the shapes of `SecretShapesTests` are made of.

struct FieldAndValue: Codable { var field, value: String }
struct ValueAndField: Codable { var value, field: String }
struct NameAndValue: Codable { var name, value: String }
struct NamesOfSeveralWords: Codable { var fieldName, oldValue, newValue: String }
struct TypeAndText: Codable { var type, text: String }
struct FormField: Codable, Identifiable { var id, text: String }
struct PathAndValue: Codable { var path: [String], value: String }
struct Tag: Codable, Hashable, RawRepresentable { var rawValue: String }
struct Entry<Key: Codable, Value: Codable>: Codable { var key: Key, value: Value }
struct FormKey: Codable, Hashable { var form, name: String }
enum FormCase: Codable, Hashable { case other(String), login(FormKey) }
struct PlainPair { var field, value: String }
struct AnyPair { var key, value: Any }

struct Request: Codable {
    var url: URL?
    var headers: [NameAndValue]
    var query: [NameAndValue]
}

enum Form: Codable {
    case changed(String, String)
    case set(field: String, to: String)
    case typed(String, field: String)
}

enum PlainForm {
    enum Field { case email, password }
    case changed(String, String)
    case chosen(Field, String)
}

struct Choice: Codable {
    indirect enum Field: Codable {
        case email, password, token
        case of(row: Int, Field)

        var isSecret: Bool {
            switch self {
            case .email: false
            case .password, .token: true
            case .of(_, let field): field.isSecret
            }
        }
    }

    var field: Field
    var value: String
}

private enum Keys: String, CodingKey { case header, content, key, value, rest }

struct NestedNames: Codable {
    var header, content: String

    init(header: String, content: String) { (self.header, self.content) = (header, content) }

    init(from decoder: any Decoder) throws { (header, content) = ("", "") }

    func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: Keys.self)
        var rest = container.nestedContainer(keyedBy: Keys.self, forKey: .rest)
        try rest.encode(content, forKey: .content)
        var name = rest.nestedUnkeyedContainer(forKey: .header)
        try name.encode(header)
    }
}

/// Alternating names and values.
struct Pairs: Codable {
    var values: [(String, String)]

    init(values: [(String, String)]) { self.values = values }

    init(from decoder: any Decoder) throws { values = [] }

    func encode(to encoder: any Encoder) throws {
        var container = encoder.unkeyedContainer()
        for (name, value) in values {
            try container.encode(name)
            try container.encode(value)
        }
    }
}

struct Forwarded: Codable {
    var values: [Tag: String]

    init(values: [Tag: String]) { self.values = values }

    init(from decoder: any Decoder) throws { values = [:] }

    func encode(to encoder: any Encoder) throws { try values.encode(to: encoder) }
}

class Super: Codable {
    var key: String
    init(key: String) { self.key = key }
}

/// Its superclass writes into the same object.
final class Sub: Super {
    let value: String

    init(key: String, value: String) {
        self.value = value
        super.init(key: key)
    }

    required init(from decoder: any Decoder) throws {
        value = ""
        try super.init(from: decoder)
    }

    override func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: Keys.self)
        try container.encode(value, forKey: .value)
        try super.encode(to: encoder)
    }
}

struct Flat: Codable {
    var key, value: String

    func encode(to encoder: any Encoder) throws {
        try ["value": value].encode(to: encoder)
        var container = encoder.container(keyedBy: Keys.self)
        try container.encode(key, forKey: .key)
    }
}

struct NamedTwice: Codable {
    var key, value: String

    func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: Keys.self)
        try container.encode("password", forKey: .key)
        try container.encode(value, forKey: .value)
        try container.encode(key, forKey: .key)
    }
}

struct Login {
    struct Secret { var text = "" }
    struct Nested { var pin = "" }

    var email = ""
    var password = ""
    var secret = Secret()
    var nested: Nested?
    /// Computed, as macros make the members of a state.
    var alias: String {
        get { password }
        set { password = newValue }
    }
}

/// As in The Composable Architecture.
struct Binding<Root> {
    let keyPath: PartialKeyPath<Root>
    let value: Any
    let set: (inout Root) -> Void

    init<Value>(_ keyPath: KeyPath<Root, Value>, _ value: Any) {
        self.keyPath = keyPath
        self.value = value
        set = { _ in }
    }
}

enum Bind {
    case binding(Binding<Login>)
    case set(PartialKeyPath<Login>, Any)
}

/// A JSON value as an app may have it.
struct PlainJSON: Encodable {
    private let json: JSON

    init(_ json: JSON) { self.json = json }

    func encode(to encoder: any Encoder) throws {
        switch json {
        case .object(let object):
            var container = encoder.container(keyedBy: Field.self)
            for (key, value) in object.map({ ($0.key, PlainJSON($0.value)) }) {
                try container.encode(value, forKey: Field(stringLiteral: key))
            }
        case .array(let elements):
            var container = encoder.singleValueContainer()
            try container.encode(elements.map(PlainJSON.init))
        case .string(let text):
            var container = encoder.singleValueContainer()
            try container.encode(text)
        case .number(let number):
            var container = encoder.singleValueContainer()
            try container.encode(number.double)
        case .bool(let bool):
            var container = encoder.singleValueContainer()
            try container.encode(bool)
        case .null:
            var container = encoder.singleValueContainer()
            try container.encodeNil()
        }
    }
}
