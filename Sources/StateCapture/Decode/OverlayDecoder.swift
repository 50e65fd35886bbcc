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
    /// Notes the members that the types' coding leaves out; nil if nobody asks.
    var members: UncodedMembers?
    /// Notes the keys that the value around this place asks for.
    var keys: UncodedMembers.KeyLog?
    /// The type that reads this place.
    private var type: Any.Type?
    var userInfo: [CodingUserInfoKey: Any] { [:] }
    /// Every thread has enough stack for values of this depth.
    private static let shallow = 16
    /// Why a place has no value that was left out as a secret.
    static let secretReason = "a secret was left out of the tape here"

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
        below(json, over: initial, at: key)
    }

    /// An element of an array.
    ///
    /// - Parameter initial: The same element in the initial state, for a repair.
    func element(_ index: Int, of elements: [JSON], over initial: JSON? = nil) -> OverlayDecoder {
        below(elements[index], over: initial, at: PlainKey(index))
    }

    private func below(_ json: JSON, over initial: JSON?, at key: some CodingKey) -> OverlayDecoder {
        var place = OverlayDecoder(json, over: initial, at: codingPath + [key], trace, repair)
        (place.members, place.keys) = (members, keys)
        return place
    }

    /// A member that the tape lacks, with the initial state's value.
    func filled(with initial: JSON, at path: [any CodingKey]) -> OverlayDecoder {
        var place = OverlayDecoder(initial, over: initial, at: path, nil)
        (place.members, place.keys) = (members, keys)
        return place
    }

    func container<Key: CodingKey>(keyedBy type: Key.Type) throws -> KeyedDecodingContainer<Key> {
        try checkReadable()
        guard let object = json.object else { throw mismatch([String: Any].self, "an object", caseHint(Key.self)) }
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
            var place = OverlayDecoder(json, over: nil, at: codingPath, trace, repair)
            place.members = members
            return try Value(from: place)
        default:
            var place = self
            place.keys = members?.log(for: type)
            place.type = type
            let value = try Value(from: place)
            // Only now all its keys are known.
            if let keys = place.keys { members?.add(keys, to: type) }
            return value
        }
    }

    private func checkReadable() throws {
        guard !isMissing else { throw corrupted("the tape lacks it") }
        guard !json.isRedacted else { throw corrupted(Self.secretReason, SecretLeftOut()) }
        guard !json.isUnencodable else { throw corrupted("the app could not encode this value when it was recorded") }
    }

    /// How a case without values is written, where only its name stands.
    private func caseHint<Key: CodingKey>(_ keys: Key.Type) -> String {
        guard let name = json.string, Key(stringValue: name) != nil, let type, Metadata.isKnown,
            Metadata(type).kind == .enum
        else { return "" }
        return ": a case without values is written {\(JSON.string(name).text):{}}"
    }

    func mismatch(_ type: Any.Type, _ expected: String, _ hint: String = "") -> DecodingError {
        let found =
            switch json {
            case .null: "null"
            case .bool: "a boolean"
            case .number: "a number"
            case .string: "a string"
            case .array: "an array"
            case .object: "an object"
            }
        let message = "expected \(expected), found \(found)\(hint)"
        return .typeMismatch(type, DecodingError.Context(codingPath: codingPath, debugDescription: message))
    }

    func corrupted(_ message: String, _ cause: (any Error)? = nil) -> DecodingError {
        .dataCorrupted(
            DecodingError.Context(codingPath: codingPath, debugDescription: message, underlyingError: cause))
    }
}

/// A value is not on the tape because it is a secret.
struct SecretLeftOut: Error {
    static func isCause(of error: any Error) -> Bool {
        guard case .dataCorrupted(let context)? = error as? DecodingError else { return false }
        return context.underlyingError is SecretLeftOut
    }
}

/// A collection whose members are data, not parts of a type: they are not filled in.
private protocol TapeAlone {}
extension Dictionary: TapeAlone {}

private struct OverlaySingle: SingleValueDecodingContainer {
    let decoder: OverlayDecoder
    var codingPath: [any CodingKey] { decoder.codingPath }

    func decodeNil() -> Bool { decoder.json.isNull }
    func decode<Value: Decodable>(_ type: Value.Type) throws -> Value {
        decoder.keys?.add(single: type)
        return try decoder.own(type)
    }
    // Otherwise the standard library's default throws.
    @available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
    func decode(_ type: Int128.Type) throws -> Int128 {
        decoder.keys?.add(single: type)
        return try decoder.own(type)
    }
    @available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
    func decode(_ type: UInt128.Type) throws -> UInt128 {
        decoder.keys?.add(single: type)
        return try decoder.own(type)
    }
}
