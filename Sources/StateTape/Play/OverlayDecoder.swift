import Foundation
import TapeFormat

/// A place on the tape, with the same place in the initial state if it exists.
struct OverlayDecoder: Decoder {
    let json: JSON
    let initial: JSON?
    let codingPath: [any CodingKey]
    /// Nil inside a value from the initial state: nothing in it is worth reporting.
    let trace: OverlayTrace?
    /// Replaces what does not decode; nil if that is an error.
    let repair: OverlayRepair?
    /// Whether the tape lacks this place.
    var isMissing = false
    /// The innermost array around this place.
    var array: EnclosingArray?
    var userInfo: [CodingUserInfoKey: Any] { [:] }
    /// Every thread has enough stack for values of this depth.
    private static let shallow = 16

    struct EnclosingArray {
        let elements: [JSON]
        let index: Int
        /// The length of an element's path.
        let depth: Int
    }

    init(
        _ json: JSON, over initial: JSON?, at codingPath: [any CodingKey], _ trace: OverlayTrace?,
        _ repair: OverlayRepair? = nil
    ) {
        self.json = json
        self.initial = initial
        self.codingPath = codingPath
        self.trace = trace
        self.repair = repair
    }

    /// The same place with another value.
    func replaced(by json: JSON, over initial: JSON? = nil, repair: OverlayRepair? = nil) -> OverlayDecoder {
        OverlayDecoder(json, over: initial, at: codingPath, nil, repair)
    }

    /// The member of an object, which the tape has.
    func member(_ json: JSON, over initial: JSON?, at key: some CodingKey) -> OverlayDecoder {
        var member = OverlayDecoder(json, over: initial, at: codingPath + [key], trace, repair)
        member.array = array
        return member
    }

    /// An element of an array.
    func element(_ index: Int, of elements: [JSON]) -> OverlayDecoder {
        var element = OverlayDecoder(elements[index], over: nil, at: codingPath + [PlainKey(index)], trace, repair)
        element.array = EnclosingArray(elements: elements, index: index, depth: element.codingPath.count)
        return element
    }

    /// The values that other elements of the array have at this place. Ids have none: two elements with one id would be
    /// taken for one.
    func others(atMost limit: Int) -> [JSON] {
        guard let array, codingPath.count > array.depth, !["id", "_id"].contains(codingPath.last?.stringValue) else {
            return []
        }
        let path = Pointer(codingPath[array.depth...].map { Redacted.escaped($0.stringValue) })
        return array.elements.indices.lazy.filter { $0 != array.index }.prefix(limit)
            .compactMap { array.elements[$0][path] }
    }

    func container<Key: CodingKey>(keyedBy type: Key.Type) throws -> KeyedDecodingContainer<Key> {
        try checkReadable()
        guard let object = json.object else { throw mismatch([String: Any].self, "an object") }
        return KeyedDecodingContainer(OverlayKeyed(object, of: self))
    }

    func unkeyedContainer() throws -> any UnkeyedDecodingContainer {
        try checkReadable()
        guard let array = json.array else { throw mismatch([Any].self, "an array") }
        return OverlayUnkeyed(array, of: self)
    }

    func singleValueContainer() throws -> any SingleValueDecodingContainer { OverlaySingle(decoder: self) }

    /// Decodes a value, the inverse of ``DirectEncoder``. With a repair, replaces a value that does not decode.
    func value<Value: Decodable>(_ type: Value.Type) throws -> Value {
        guard let repair else { return try own(type) }
        let mark = repair.mark
        do {
            return try own(type)
        } catch {
            repair.rewind(to: mark)
            return try repair.replacement(type, at: self, after: error)
        }
    }

    /// Decodes the value of this place itself.
    func own<Value: Decodable>(_ type: Value.Type) throws -> Value {
        var stack = ThreadStack()
        guard codingPath.count <= Self.shallow || !stack.isNearlyFull() else {
            throw corrupted("the value is nested deeper than this thread can read")
        }
        try repair?.spend(at: codingPath.count)
        try checkReadable()
        if repair != nil, let collection = type as? any RepairedCollection.Type,
            let value = try collection.init(repairing: self) as? Value
        {
            return value
        }
        switch type {
        case let special as any JSONValue.Type:
            // The cast only reverses the one above.
            guard let value = try special.init(decoding: self) as? Value else { throw mismatch(type, "\(type)") }
            return value
        case is any TapeAlone.Type:
            return try Value(from: OverlayDecoder(json, over: nil, at: codingPath, trace, repair))
        default: return try Value(from: self)
        }
    }

    private func checkReadable() throws {
        guard !isMissing else { throw corrupted("the tape lacks it") }
        guard !json.isRedacted else { throw corrupted("a secret was left out of the tape here") }
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
    func decode<Value: Decodable>(_ type: Value.Type) throws -> Value { try decoder.own(type) }
    // Otherwise the standard library's default throws.
    @available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
    func decode(_ type: Int128.Type) throws -> Int128 { try decoder.own(type) }
    @available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
    func decode(_ type: UInt128.Type) throws -> UInt128 { try decoder.own(type) }
}
