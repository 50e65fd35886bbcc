import TapeFormat

/// The layouts of known types, and whether these are values.
package final class Layouts: Sendable {
    package let comparison: ComparisonMode

    private struct Known {
        var layouts: [ObjectIdentifier: Layout] = [:]
        var isAtOnce: [ObjectIdentifier: Bool] = [:]
        var trusted: Set<ObjectIdentifier> = []
    }

    private let known = Locked(Known())
    /// A field that the comparison ignores, so that a test can check whether it would notice.
    private let isForgotten: (@Sendable (_ type: Any.Type, _ field: Int) -> Bool)?

    package init(
        _ comparison: ComparisonMode = .layout,
        forgetting isForgotten: (@Sendable (_ type: Any.Type, _ field: Int) -> Bool)? = nil
    ) {
        self.comparison = comparison == .layout && Metadata.isReadable ? .layout : .encoded
        self.isForgotten = isForgotten
    }

    /// Treats a type as a value, whatever it contains.
    package func trust(_ type: Any.Type) {
        known.withLock {
            $0.trusted.insert(ObjectIdentifier(type))
            $0.layouts = [:]
            $0.isAtOnce = [:]
        }
    }

    func isTrusted(_ type: Any.Type) -> Bool { known.withLock { $0.trusted.contains(ObjectIdentifier(type)) } }

    /// Whether equal bytes mean equal values.
    func isValue(_ type: Any.Type) -> Bool { layout(of: type).isValue }

    /// Whether a value is encoded on the dispatching thread; see ``AtOnce``.
    func isAtOnce<Value: Encodable>(_ type: Value.Type) -> Bool {
        let id = ObjectIdentifier(type)
        if let known = known.withLock({ $0.isAtOnce[id] }) { return known }
        let isAtOnce = AtOnce(type, self) != nil
        known.withLock { $0.isAtOnce[id] = isAtOnce }
        return isAtOnce
    }

    /// Whether a type's `encode(to:)` may only be called on a global actor.
    package func isIsolated<Value: Encodable>(_ type: Value.Type) -> Bool {
        comparison == .layout && Conformance.isIsolated(type)
    }

    func layout(of type: Any.Type) -> Layout {
        let id = ObjectIdentifier(type)
        let (layout, trusted) = known.withLock { ($0.layouts[id], $0.trusted) }
        if let layout { return layout }
        let extent = Metadata(type).extent
        let made = Layout(
            mask: mask(of: type, size: extent.size, trusted), stride: extent.stride,
            isValue: instance(in: type, trusted) == nil)
        known.withLockUnchecked { $0.layouts[id] = made }
        return made
    }

    /// A struct's stored field with one of these names that is a value; nil without one.
    func field(_ names: Set<String>, of type: Any.Type) -> (type: Any.Type, offset: Int)? {
        let metadata = Metadata(type)
        guard comparison == .layout, metadata.kind == .struct,
            let field = metadata.fields?.first(where: { names.contains($0.name) }),
            // A reference may be weak, and its object may change while it is read.
            let fieldType = field.type, isValue(fieldType)
        else { return nil }
        return (fieldType, field.offset)
    }

    /// The place of a class instance that isn't known to be a value, such as `user.photo: Photo`; nil if there is none.
    func instance(in type: Any.Type) -> String? {
        instance(in: type, known.withLock { $0.trusted })
    }

    private func instance(in type: Any.Type, _ trusted: Set<ObjectIdentifier>) -> String? {
        guard comparison == .layout else { return String(describing: type) }
        var search = InstanceSearch(trusted: trusted)
        guard let found = search.instance(in: type) else { return nil }
        return (found.fields.isEmpty ? "" : found.fields.joined(separator: ".") + ": ") + found.type
    }
}

// MARK: Which bytes count

extension Layouts {
    private func mask(of type: Any.Type, size: Int, _ trusted: Set<ObjectIdentifier>) -> [UInt8] {
        var mask = [UInt8](repeating: 0, count: size)
        mark(type, at: 0, in: &mask, trusted)
        return mask
    }

    private func mark(_ type: Any.Type, at start: Int, in mask: inout [UInt8], _ trusted: Set<ObjectIdentifier>) {
        let metadata = Metadata(type)
        let size = metadata.extent.size
        func markAll(from offset: Int = 0) {
            for byte in start + offset..<max(start + size, start + offset) { mask[byte] = 0xff }
        }
        guard comparison == .layout, !trusted.contains(ObjectIdentifier(type)), let fields = metadata.fields else {
            return markAll()
        }
        switch metadata.kind {
        case .struct, .tuple:
            // In a C type, padding can't be distinguished from members that are not listed.
            guard !metadata.isForeign, !metadata.hidesMembers(among: fields) else { return markAll() }
            for (index, field) in fields.enumerated() where isForgotten?(type, index) != true {
                // A struct's field always has a type.
                if let fieldType = field.type { mark(fieldType, at: start + field.offset, in: &mask, trusted) }
            }
        case .enum, .optional:
            // With one case that carries a value and one that doesn't, the bytes are the value's and perhaps one more.
            // Other enums may use the gaps to distinguish their cases.
            let carrying = fields.filter { $0.type != nil }
            guard fields.count == 2, carrying.count == 1, !carrying[0].isIndirect, let carried = carrying[0].type else {
                return markAll()
            }
            mark(carried, at: start, in: &mask, trusted)
            markAll(from: Metadata(carried).extent.size)
        default: markAll()
        }
    }
}
