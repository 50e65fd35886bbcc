/// An encoder that collects a value's parts in ``Contents``.
struct Collector: Encoder {
    let contents: Contents

    var codingPath: [any CodingKey] { contents.codingPath }
    var userInfo: [CodingUserInfoKey: Any] { [:] }

    func container<Key: CodingKey>(keyedBy type: Key.Type) -> KeyedEncodingContainer<Key> {
        KeyedEncodingContainer(CollectingKeyed(contents: contents))
    }

    func unkeyedContainer() -> any UnkeyedEncodingContainer { CollectingUnkeyed(contents: contents) }

    func singleValueContainer() -> any SingleValueEncodingContainer { CollectingSingle(contents: contents) }
}

private struct CollectingKeyed<Key: CodingKey>: KeyedEncodingContainerProtocol {
    let contents: Contents

    init(contents: Contents) {
        self.contents = contents
        contents.ask(for: .keyed)
        contents.ask(for: ObjectIdentifier(Key.self))
    }

    var codingPath: [any CodingKey] { contents.codingPath }

    func encodeNil(forKey key: Key) throws { set(Null(), key) }
    func encode<Value: Encodable>(_ value: Value, forKey key: Key) throws { set(value, key) }
    // Otherwise the standard library's defaults throw.
    @available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
    func encode(_ value: Int128, forKey key: Key) throws { set(value, key) }
    @available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
    func encode(_ value: UInt128, forKey key: Key) throws { set(value, key) }

    func nestedContainer<Nested: CodingKey>(
        keyedBy type: Nested.Type, forKey key: Key
    ) -> KeyedEncodingContainer<Nested> {
        Collector(contents: nested(key)).container(keyedBy: type)
    }

    func nestedUnkeyedContainer(forKey key: Key) -> any UnkeyedEncodingContainer {
        Collector(contents: nested(key)).unkeyedContainer()
    }

    func superEncoder() -> any Encoder { Collector(contents: contents.nested(for: "super")) }
    func superEncoder(forKey key: Key) -> any Encoder { Collector(contents: nested(key)) }

    private func set(_ value: some Encodable, _ key: Key) { contents.set(value, for: key.stringValue) }
    private func nested(_ key: Key) -> Contents { contents.nested(for: key.stringValue) }
}

private struct CollectingUnkeyed: UnkeyedEncodingContainer {
    let contents: Contents

    init(contents: Contents) {
        self.contents = contents
        contents.ask(for: .unkeyed)
    }

    var codingPath: [any CodingKey] { contents.codingPath }
    var count: Int { contents.entries.count }

    func encodeNil() throws { try contents.append(Null()) }
    func encode<Value: Encodable>(_ value: Value) throws { try contents.append(value) }
    // Otherwise the standard library's defaults throw.
    @available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
    func encode(_ value: Int128) throws { try contents.append(value) }
    @available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
    func encode(_ value: UInt128) throws { try contents.append(value) }

    func nestedContainer<Nested: CodingKey>(keyedBy type: Nested.Type) -> KeyedEncodingContainer<Nested> {
        Collector(contents: contents.nested()).container(keyedBy: type)
    }

    func nestedUnkeyedContainer() -> any UnkeyedEncodingContainer {
        Collector(contents: contents.nested()).unkeyedContainer()
    }

    func superEncoder() -> any Encoder { Collector(contents: contents.nested()) }
}

private struct CollectingSingle: SingleValueEncodingContainer {
    let contents: Contents

    init(contents: Contents) {
        self.contents = contents
        contents.ask(for: .single)
    }

    var codingPath: [any CodingKey] { contents.codingPath }

    func encodeNil() throws { try contents.append(Null()) }
    func encode<Value: Encodable>(_ value: Value) throws { try contents.append(value) }
    // Otherwise the standard library's defaults throw.
    @available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
    func encode(_ value: Int128) throws { try contents.append(value) }
    @available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
    func encode(_ value: UInt128) throws { try contents.append(value) }
}
