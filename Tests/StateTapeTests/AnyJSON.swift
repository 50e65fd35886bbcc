import TapeFormat

@testable import StateCapture
@testable import StateTape

/// Any JSON value as an app's own type.
enum AnyJSON: Codable, Equatable, Hashable, CustomStringConvertible {
    case null
    case bool(Bool)
    case number(Int)
    case string(String)
    case array([AnyJSON])
    case object([String: AnyJSON])

    var description: String { text }

    var text: String {
        (try? DirectEncoder(.none).tree(of: self).text) ?? "?"
    }

    init(from decoder: any Decoder) throws {
        if let container = try? decoder.container(keyedBy: PlainKey.self) {
            self = .object(
                try Dictionary(
                    uniqueKeysWithValues: container.allKeys.map {
                        ($0.stringValue, try container.decode(AnyJSON.self, forKey: $0))
                    }))
        } else if var container = try? decoder.unkeyedContainer() {
            var elements: [AnyJSON] = []
            while !container.isAtEnd { elements.append(try container.decode(AnyJSON.self)) }
            self = .array(elements)
        } else {
            let container = try decoder.singleValueContainer()
            if container.decodeNil() {
                self = .null
            } else if let value = try? container.decode(Bool.self) {
                self = .bool(value)
            } else if let value = try? container.decode(Int.self) {
                self = .number(value)
            } else {
                self = .string(try container.decode(String.self))
            }
        }
    }

    func encode(to encoder: any Encoder) throws {
        switch self {
        case .object(let members):
            var container = encoder.container(keyedBy: PlainKey.self)
            for (key, value) in members.sorted(by: { $0.key < $1.key }) {
                try container.encode(value, forKey: PlainKey(key))
            }
        case .array(let elements):
            var container = encoder.unkeyedContainer()
            for element in elements { try container.encode(element) }
        default:
            var container = encoder.singleValueContainer()
            switch self {
            case .null: try container.encodeNil()
            case .bool(let value): try container.encode(value)
            case .number(let value): try container.encode(value)
            case .string(let value): try container.encode(value)
            default: break
            }
        }
    }

    /// Values whose JSON text has this length; for 0 the empty object, which a record leaves out.
    static func values(of length: Int, atMost count: Int) -> [AnyJSON] {
        if length == 0 { return [.object([:])] }
        var random = Seeded(UInt64(length))
        return Array(all(length, &random).shuffled(using: &random).prefix(count))
    }

    private static func all(_ length: Int, _ random: inout Seeded) -> [AnyJSON] {
        var found: [AnyJSON] = []
        switch length {
        case 1: found += [.number(0), .number(5)]
        case 4: found += [.null, .bool(true)]
        case 5: found.append(.bool(false))
        default: break
        }
        if length > 1, let number = Int("-" + String(repeating: "7", count: length - 1)) {
            found.append(.number(number))
        }
        if length > 1, let number = Int("1" + String(repeating: "0", count: length - 1)) {
            found.append(.number(number))
        }
        if length >= 2 {
            found.append(.string(String(repeating: "a", count: length - 2)))
            found.append(.array([]))
            // Escapes take two characters.
            if length >= 4 { found.append(.string(String(repeating: "{", count: length - 4) + "\"")) }
            if length >= 4 { found.append(.string(String(repeating: "}", count: length - 4) + "\n")) }
        }
        if length >= 3 {
            found += sample(length - 2, &random).map { .array([$0]) }
            for first in 1..<max(1, length - 3) {
                for one in sample(first, &random).prefix(3) {
                    found += sample(length - 3 - first, &random).prefix(3).map { .array([one, $0]) }
                }
            }
        }
        for key in ["", "a", "_0", "b\\"] {
            let rest = length - 3 - (key == "b\\" ? 5 : key.utf8.count + 2)
            if rest > 0 { found += sample(rest, &random).map { .object([key: $0]) } }
        }
        return found.filter { $0.text.utf8.count == length }
    }

    private static func sample(_ length: Int, _ random: inout Seeded) -> [AnyJSON] {
        Array(all(length, &random).shuffled(using: &random).prefix(12))
    }
}
