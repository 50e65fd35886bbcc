import TapeFormat

/// An object on the tape, over the same object in the initial state.
struct OverlayKeyed<Key: CodingKey>: KeyedDecodingContainerProtocol {
    private let decoder: OverlayDecoder
    private let object: JSON.Object
    private let index: [UTF8Text: Int]
    private let visit: OverlayTrace.Visit?

    init(_ object: JSON.Object, of decoder: OverlayDecoder) {
        self.decoder = decoder
        self.object = object
        index = Dictionary(
            object.enumerated().map { (UTF8Text(Redacted.unescaped($1.key)), $0) }, uniquingKeysWith: { $1 })
        visit = decoder.trace?.visit(object, at: decoder.codingPath)
    }

    var codingPath: [any CodingKey] { decoder.codingPath }
    var allKeys: [Key] { object.compactMap { Key(stringValue: Redacted.unescaped($0.key)) } }

    func contains(_ key: Key) -> Bool { find(key) != nil }

    func decodeNil(forKey key: Key) throws -> Bool { try place(key).json.isNull }

    func decode<Value: Decodable>(_ type: Value.Type, forKey key: Key) throws -> Value {
        guard let repair = decoder.repair else { return try place(key).value(type) }
        do {
            return try place(key).value(type)
        } catch DecodingError.keyNotFound(let missing, let context) where find(key) == nil {
            var place = decoder.member(.null, over: nil, at: key)
            place.isMissing = true
            return try repair.replacement(
                type, at: place, after: DecodingError.keyNotFound(missing, context))
        }
    }

    /// Reads a member that the type knows as optional: with a repair, one that does not decode is nil.
    func optional<Value: Decodable>(_ type: Value.Type, _ key: Key) throws -> Value? {
        guard contains(key), try !decodeNil(forKey: key) else { return nil }
        return decoder.repair == nil ? try decode(type, forKey: key) : try place(key).value(Value?.self)
    }

    // Otherwise the standard library's default throws.
    @available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
    func decode(_ type: Int128.Type, forKey key: Key) throws -> Int128 { try place(key).value(type) }
    @available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
    func decode(_ type: UInt128.Type, forKey key: Key) throws -> UInt128 { try place(key).value(type) }

    func nestedContainer<Nested: CodingKey>(
        keyedBy type: Nested.Type, forKey key: Key
    ) throws -> KeyedDecodingContainer<Nested> {
        try place(key).container(keyedBy: type)
    }

    func nestedUnkeyedContainer(forKey key: Key) throws -> any UnkeyedDecodingContainer {
        try place(key).unkeyedContainer()
    }

    func superDecoder() throws -> any Decoder { try place(PlainKey("super")) }

    func superDecoder(forKey key: Key) throws -> any Decoder { try place(key) }

    private func find(_ key: some CodingKey) -> JSON? {
        decoder.keys?.add(key)
        guard let found = index[UTF8Text(key.stringValue)] else { return nil }
        visit?.ask(found)
        return object[found].value
    }

    /// The member on the tape, else the initial state's.
    private func place(_ key: some CodingKey) throws -> OverlayDecoder {
        let initial = decoder.initial?[Redacted.escaped(key.stringValue)]
        if let json = find(key) { return decoder.member(json, over: initial, at: key) }
        guard let initial else {
            let context = DecodingError.Context(codingPath: codingPath, debugDescription: "missing")
            throw DecodingError.keyNotFound(key, context)
        }
        let path = codingPath + [key]
        decoder.trace?.fill(path)
        return decoder.filled(with: initial, at: path)
    }
}
