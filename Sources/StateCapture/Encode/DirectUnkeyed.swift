/// The elements of an array.
struct DirectUnkeyed: UnkeyedEncodingContainer {
    let node: DirectNode

    var codingPath: [any CodingKey] { node.codingPath }
    var count: Int { (try? node.frame(.unkeyed).pointee.count) ?? 0 }

    /// Begins an element; nil if it is left out.
    @inline(__always)
    private func element() throws -> BorrowedBytes? {
        let frame = try node.frame(.unkeyed)
        if let bytes = frame.pointee.element() { return bytes }
        try node.encoder.leaveOut(in: frame)
        return nil
    }

    func encodeNil() throws { try element()?.append("null") }
    func encode(_ value: Bool) throws { try element()?.append(value) }
    func encode(_ value: String) throws {
        if let bytes = try element() { node.encoder.append(value, to: bytes) }
    }
    func encode(_ value: Double) throws { try element()?.append(value) }
    func encode(_ value: Float) throws { try element()?.append(value) }
    // Inlined into the witness of each integer type, which would otherwise call the generic code.
    @inline(__always)
    func encode(_ value: some FixedWidthInteger & Encodable) throws { try element()?.append(number: value) }
    // Otherwise the standard library's defaults throw.
    @available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
    func encode(_ value: Int128) throws { try element()?.append(number: value) }
    @available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
    func encode(_ value: UInt128) throws { try element()?.append(number: value) }

    func encode<Value: Encodable>(_ value: Value) throws {
        let frame = try node.frame(.unkeyed)
        let mark = frame.mark
        guard frame.pointee.element() != nil else { return try node.encoder.leaveOut(in: frame) }
        try node.encoder.encode(value, in: frame, key: nil, mark: mark)
    }

    func nestedContainer<NestedKey: CodingKey>(keyedBy type: NestedKey.Type) -> KeyedEncodingContainer<NestedKey> {
        KeyedEncodingContainer(DirectKeyed<NestedKey>(node: node.nested(.keyed)))
    }

    func nestedUnkeyedContainer() -> any UnkeyedEncodingContainer { DirectUnkeyed(node: node.nested(.unkeyed)) }
    func superEncoder() -> any Encoder { node.nested(.nothing) }
}
