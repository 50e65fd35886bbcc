import Foundation
import TapeFormat

/// A place on the tape, with the same place in the initial state if it exists.
struct OverlayDecoder: Decoder {
    let json: JSON
    let initial: JSON?
    let codingPath: [any CodingKey]
    /// Nil inside a value from the initial state: nothing in it is worth reporting.
    let trace: OverlayTrace?
    var userInfo: [CodingUserInfoKey: Any] { [:] }
    /// Every thread has enough stack for values of this depth.
    private static let shallow = 16

    init(_ json: JSON, over initial: JSON?, at codingPath: [any CodingKey], _ trace: OverlayTrace?) {
        self.json = json
        self.initial = initial
        self.codingPath = codingPath
        self.trace = trace
    }

    func container<Key: CodingKey>(keyedBy type: Key.Type) throws -> KeyedDecodingContainer<Key> {
        guard let object = json.object else { throw mismatch([String: Any].self, "an object") }
        return KeyedDecodingContainer(OverlayKeyed(object, of: self))
    }

    func unkeyedContainer() throws -> any UnkeyedDecodingContainer {
        guard let array = json.array else { throw mismatch([Any].self, "an array") }
        return OverlayUnkeyed(array, of: self)
    }

    func singleValueContainer() throws -> any SingleValueDecodingContainer { OverlaySingle(decoder: self) }

    /// Decodes a value, the inverse of ``DirectEncoder``.
    func value<Value: Decodable>(_ type: Value.Type) throws -> Value {
        var stack = ThreadStack()
        guard codingPath.count <= Self.shallow || !stack.isNearlyFull() else {
            throw corrupted("the value is nested deeper than this thread can read")
        }
        switch type {
        case let special as any JSONValue.Type:
            // The cast only reverses the one above.
            guard let value = try special.init(decoding: self) as? Value else { throw mismatch(type, "\(type)") }
            return value
        case is any TapeAlone.Type: return try Value(from: OverlayDecoder(json, over: nil, at: codingPath, trace))
        default: return try Value(from: self)
        }
    }

    func mismatch(_ type: Any.Type, _ expected: String) -> DecodingError {
        let found =
            switch json {
            case .null: "null"
            case .bool: "a boolean"
            case .number: "a number"
            case .string: "a string"
            case .array: "an array"
            case .object: "an object"
            }
        let message = "expected \(expected), found \(found)"
        return .typeMismatch(type, DecodingError.Context(codingPath: codingPath, debugDescription: message))
    }

    func corrupted(_ message: String) -> DecodingError {
        .dataCorrupted(DecodingError.Context(codingPath: codingPath, debugDescription: message))
    }
}

/// A collection whose members are data, not parts of a type: they are not filled in.
private protocol TapeAlone {}
extension Dictionary: TapeAlone {}

private struct OverlaySingle: SingleValueDecodingContainer {
    let decoder: OverlayDecoder
    var codingPath: [any CodingKey] { decoder.codingPath }

    func decodeNil() -> Bool { decoder.json.isNull }
    func decode<Value: Decodable>(_ type: Value.Type) throws -> Value { try decoder.value(type) }
    // Otherwise the standard library's default throws.
    @available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
    func decode(_ type: Int128.Type) throws -> Int128 { try decoder.value(type) }
    @available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
    func decode(_ type: UInt128.Type) throws -> UInt128 { try decoder.value(type) }
}
