// Whether the fields that the runtime lists are all that a value stores.
extension Metadata {
    /// A type's size, stride and alignment in bytes.
    var extent: Extent { Extent(of: type) }

    struct Extent {
        let size: Int
        let stride: Int
        let alignment: Int

        init(of type: Any.Type) {
            func measure<Value>(_: Value.Type) -> (Int, Int, Int) {
                (MemoryLayout<Value>.size, MemoryLayout<Value>.stride, MemoryLayout<Value>.alignment)
            }
            (size, stride, alignment) = _openExistential(type, do: measure)
        }
    }

    /// The declared type of an enum's case's one value; nil if there is no such case, if it has no such value, or if
    /// only the value has a type that can be encoded: one behind a protocol, or an instance of a class.
    func value(ofCase name: String) -> Any.Type? {
        guard Self.isKnown, kind == .enum, let type = fields?.first(where: { $0.name == name })?.type,
            Metadata(type).kind != nil, Metadata(type).kind != .opaque
        else { return nil }
        return type
    }

    /// Whether a struct or a tuple may keep something that changes in place outside of its fields.
    func hidesMembers(among fields: [Field]) -> Bool {
        switch kind {
        case .struct where isForeign: hasRoomForAddress(beside: fields)
        case .struct, .tuple: !isFilled(by: fields)
        default: false
        }
    }

    /// Whether a C struct has room for an address outside of its fields.
    ///
    /// The runtime doesn't list bit-fields, anonymous members and types that Swift doesn't import.
    private func hasRoomForAddress(beside fields: [Field]) -> Bool {
        var end = 0
        for field in fields.sorted(by: { $0.offset < $1.offset }) {
            if field.offset - end >= MemoryLayout<UnsafeRawPointer>.size { return true }
            end = max(end, field.offset + (field.type.map { Extent(of: $0).size } ?? 0))
        }
        return extent.size - end >= MemoryLayout<UnsafeRawPointer>.size
    }

    /// Whether the fields are where Swift puts them: one after the other, each at the next multiple of its alignment.
    func isFilled(by fields: [Field]) -> Bool {
        var end = 0
        for field in fields {
            guard let type = field.type else { return false }
            let extent = Extent(of: type)
            // A field without size may be anywhere.
            guard extent.size > 0 else { continue }
            guard field.offset == (end + extent.alignment - 1) / extent.alignment * extent.alignment else {
                return false
            }
            end = field.offset + extent.size
        }
        return end == extent.size
    }
}
