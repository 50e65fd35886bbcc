import TapeFormat

/// An array on the tape. Its elements are not filled in.
struct OverlayUnkeyed: UnkeyedDecodingContainer {
    private let decoder: OverlayDecoder
    private let array: [JSON]
    private(set) var currentIndex = 0

    init(_ array: [JSON], of decoder: OverlayDecoder) {
        self.decoder = decoder
        self.array = array
    }

    var codingPath: [any CodingKey] { decoder.codingPath }
    var count: Int? { array.count }
    var isAtEnd: Bool { currentIndex >= array.count }

    mutating func decodeNil() throws -> Bool {
        guard try place().json.isNull else { return false }
        currentIndex += 1
        return true
    }

    mutating func decode<Value: Decodable>(_ type: Value.Type) throws -> Value { try next(type) }
    // Otherwise the standard library's default throws.
    @available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
    mutating func decode(_ type: Int128.Type) throws -> Int128 { try next(type) }
    @available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
    mutating func decode(_ type: UInt128.Type) throws -> UInt128 { try next(type) }

    private mutating func next<Value: Decodable>(_ type: Value.Type) throws -> Value {
        let value = try place().value(type)
        currentIndex += 1
        return value
    }

    mutating func nestedContainer<Key: CodingKey>(keyedBy type: Key.Type) throws -> KeyedDecodingContainer<Key> {
        let container = try place().container(keyedBy: type)
        currentIndex += 1
        return container
    }

    mutating func nestedUnkeyedContainer() throws -> any UnkeyedDecodingContainer {
        let container = try place().unkeyedContainer()
        currentIndex += 1
        return container
    }

    mutating func superDecoder() throws -> any Decoder {
        let decoder = try place()
        currentIndex += 1
        return decoder
    }

    private func place() throws -> OverlayDecoder {
        guard !isAtEnd else {
            let context = DecodingError.Context(
                codingPath: codingPath + [PlainKey(currentIndex)], debugDescription: "the array has too few elements")
            throw DecodingError.valueNotFound(Any.self, context)
        }
        return decoder.element(currentIndex, of: array)
    }
}
