/// The members of an object.
struct DirectKeyed<Key: CodingKey>: KeyedEncodingContainerProtocol {
    let node: DirectNode

    var codingPath: [any CodingKey] { node.codingPath }

    /// Begins a member; nil if it is left out.
    @inline(__always)
    private func member(_ key: Key) throws -> BorrowedBytes? {
        // One that is left out is a number or the like, so it names nothing.
        let frame = try node.frame(.keyed)
        if let bytes = frame.pointee.member(key.stringValue) { return bytes }
        try node.encoder.leaveOut(in: frame)
        return nil
    }

    func encodeNil(forKey key: Key) throws { try member(key)?.append("null") }
    func encode(_ value: Bool, forKey key: Key) throws { try member(key)?.append(value) }
    func encode(_ value: String, forKey key: Key) throws {
        let frame = try node.frame(.keyed)
        if let bytes = frame.pointee.member(key.stringValue) { return node.encoder.append(value, to: bytes) }
        try node.encoder.leaveOut(in: frame)
        node.encoder.leaveOut(value, frame)
    }
    func encode(_ value: Double, forKey key: Key) throws { try member(key)?.append(value) }
    func encode(_ value: Float, forKey key: Key) throws { try member(key)?.append(value) }
    // Inlined into the witness of each integer type, which would otherwise call the generic code.
    @inline(__always)
    func encode(_ value: some FixedWidthInteger & Encodable, forKey key: Key) throws {
        try member(key)?.append(number: value)
    }
    // Otherwise the standard library's defaults throw.
    @available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
    func encode(_ value: Int128, forKey key: Key) throws { try member(key)?.append(number: value) }
    @available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
    func encode(_ value: UInt128, forKey key: Key) throws { try member(key)?.append(number: value) }

    func encode<Value: Encodable>(_ value: Value, forKey key: Key) throws {
        let frame = try node.frame(.keyed)
        let mark = frame.mark
        guard frame.pointee.member(key.stringValue) != nil else {
            try node.encoder.leaveOut(in: frame)
            return node.encoder.leaveOut(value, frame)
        }
        try withUnsafePointer(to: key) {
            try node.encoder.encode(value, in: frame, key: DirectFrame.Key(at: $0), mark: mark)
        }
    }

    // The standard library's own methods go through more calls.
    func encodeIfPresent(_ value: Bool?, forKey key: Key) throws { if let value { try encode(value, forKey: key) } }
    func encodeIfPresent(_ value: String?, forKey key: Key) throws { if let value { try encode(value, forKey: key) } }
    func encodeIfPresent(_ value: Double?, forKey key: Key) throws { if let value { try encode(value, forKey: key) } }
    func encodeIfPresent(_ value: Int?, forKey key: Key) throws { if let value { try encode(value, forKey: key) } }
    func encodeIfPresent<Value: Encodable>(_ value: Value?, forKey key: Key) throws {
        if let value { try encode(value, forKey: key) }
    }

    func nestedContainer<NestedKey: CodingKey>(
        keyedBy type: NestedKey.Type, forKey key: Key
    ) -> KeyedEncodingContainer<NestedKey> {
        KeyedEncodingContainer(DirectKeyed<NestedKey>(node: node.nested(.keyed, key)))
    }

    func nestedUnkeyedContainer(forKey key: Key) -> any UnkeyedEncodingContainer {
        DirectUnkeyed(node: node.nested(.unkeyed, key))
    }

    func superEncoder() -> any Encoder { node.nested(.nothing, DirectKey.superclass) }
    func superEncoder(forKey key: Key) -> any Encoder { node.nested(.nothing, key) }
}
