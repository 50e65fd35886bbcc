/// The encoder that a value's `encode(to:)` receives: the place where the value is written.
///
/// It has three words, so that it needs no memory of its own as an `any Encoder`.
struct DirectNode: Encoder {
    let encoder: DirectEncoder
    let frame: DirectEncoder.Frame
    let serial: Int

    var codingPath: [any CodingKey] {
        // In a patch, the path would be relative, and the text of an element would depend on its index.
        encoder.state.pointee.needsWhole = true
        return frame.pointee.serial == serial ? frame.path : []
    }
    var userInfo: [CodingUserInfoKey: Any] { [:] }

    func container<Key: CodingKey>(keyedBy type: Key.Type) -> KeyedEncodingContainer<Key> {
        let node = open(.keyed)
        if node.serial == serial { frame.pointee.sortMembers(by: ObjectIdentifier(Key.self), encoder.state) }
        return KeyedEncodingContainer(DirectKeyed(node: node))
    }

    func unkeyedContainer() -> any UnkeyedEncodingContainer {
        DirectUnkeyed(node: open(.unkeyed))
    }

    func singleValueContainer() -> any SingleValueEncodingContainer { self }

    /// The frame, if the node may write to it as this kind of container.
    @inline(__always)
    func frame(_ kind: DirectFrame.Kind) throws -> DirectEncoder.Frame {
        guard frame.pointee.serial == serial, frame.pointee.kind == kind else { throw encoder.ended() }
        return frame
    }

    /// Begins or continues a container.
    func open(_ kind: DirectFrame.Kind) -> DirectNode {
        guard frame.pointee.serial == serial else { return encoder.deadNode }
        switch frame.pointee.kind {
        case .nothing: frame.pointee.open(kind)
        case kind: break
        default: return encoder.fail(encoder.misuse(frame, "two kinds of containers for one value"))
        }
        frame.pointee.isFull = false
        return self
    }
}

extension DirectNode: SingleValueEncodingContainer {
    /// The bytes for a single value without parts.
    private func scalar() throws -> BorrowedBytes {
        guard frame.pointee.serial == serial else { throw encoder.ended() }
        guard frame.pointee.kind == .nothing else {
            throw encoder.secondValue(frame)
        }
        frame.pointee.kind = .scalar
        return frame.bytes
    }

    func encodeNil() throws { try scalar().append("null") }
    func encode(_ value: Bool) throws { try scalar().append(value) }
    func encode(_ value: String) throws { try encoder.append(value, to: scalar()) }
    func encode(_ value: Double) throws { try scalar().append(value) }
    func encode(_ value: Float) throws { try scalar().append(value) }
    // Inlined into the witness of each integer type, which would otherwise call the generic code.
    @inline(__always)
    func encode(_ value: some FixedWidthInteger & Encodable) throws { try scalar().append(number: value) }
    // Otherwise the standard library's defaults throw.
    @available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
    func encode(_ value: Int128) throws { try scalar().append(number: value) }
    @available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
    func encode(_ value: UInt128) throws { try scalar().append(number: value) }

    func encode(_ value: some Encodable) throws {
        guard frame.pointee.serial == serial else { throw encoder.ended() }
        try encoder.run(value, in: frame)
        if frame.pointee.kind == .nothing { frame.pointee.open(.keyed) }
        frame.pointee.isFull = true
    }
}
