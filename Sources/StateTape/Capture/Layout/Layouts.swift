/// The layouts of the types that were met, and whether they are values.
final class Layouts: Sendable {
    private struct Known {
        var layouts: [ObjectIdentifier: Layout] = [:]
        var trusted: Set<ObjectIdentifier> = []
    }

    private let known = Guarded(Known())
    /// A field that the comparison is to forget, by which a test finds out whether it would notice.
    private let isForgotten: (@Sendable (_ type: Any.Type, _ field: Int) -> Bool)?

    init(forgetting isForgotten: (@Sendable (_ type: Any.Type, _ field: Int) -> Bool)? = nil) {
        self.isForgotten = isForgotten
    }

    /// Takes a type for a value, whatever it keeps inside.
    func trust(_ type: Any.Type) {
        known.withLock {
            $0.trusted.insert(ObjectIdentifier(type))
            $0.layouts = [:]
        }
    }

    /// Whether equal bytes mean equal values.
    func isValue(_ type: Any.Type) -> Bool { layout(of: type).isValue }

    func layout(of type: Any.Type) -> Layout {
        let id = ObjectIdentifier(type)
        let (layout, trusted) = known.withLock { ($0.layouts[id], $0.trusted) }
        if let layout { return layout }
        let (size, stride) = Self.extent(of: type)
        let made = Layout(
            mask: mask(of: type, size: size, trusted), stride: stride, isValue: instance(in: type, trusted) == nil)
        known.withLock { $0.layouts[id] = made }
        return made
    }

    /// Where a class instance may be that isn't known to be a value, as `user.photo: Photo`; nil if nowhere.
    func instance(in type: Any.Type) -> String? {
        instance(in: type, known.withLock { $0.trusted })
    }

    fileprivate static func extent(of type: Any.Type) -> (size: Int, stride: Int) {
        func of<Value>(_ type: Value.Type) -> (Int, Int) { (MemoryLayout<Value>.size, MemoryLayout<Value>.stride) }
        return of(type)
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
        let size = Self.extent(of: type).size
        func markAll(from offset: Int = 0) {
            for byte in start + offset..<max(start + size, start + offset) { mask[byte] = 0xff }
        }
        let metadata = Metadata(type)
        guard Metadata.isReadable, !trusted.contains(ObjectIdentifier(type)), let fields = metadata.fields else {
            return markAll()
        }
        switch metadata.kind {
        case .struct, .tuple:
            guard !fields.isEmpty else { return markAll() }
            for (index, field) in fields.enumerated() where isForgotten?(type, index) != true {
                // A struct's field always has a type.
                if let fieldType = field.type { mark(fieldType, at: start + field.offset, in: &mask, trusted) }
            }
        case .enum, .optional:
            // With one case that carries something and one that doesn't, the bytes are those of what is carried and
            // perhaps one more. Others may use the gaps to tell the cases apart.
            let carrying = fields.filter { $0.type != nil }
            guard fields.count == 2, carrying.count == 1, !carrying[0].isIndirect, let carried = carrying[0].type else {
                return markAll()
            }
            mark(carried, at: start, in: &mask, trusted)
            markAll(from: Self.extent(of: carried).size)
        default: markAll()
        }
    }
}

// MARK: What is a value

extension Layouts {
    private func instance(in type: Any.Type, _ trusted: Set<ObjectIdentifier>) -> String? {
        var search = InstanceSearch(trusted: trusted)
        guard let found = search.instance(in: type) else { return nil }
        return (found.fields.isEmpty ? "" : found.fields.joined(separator: ".") + ": ") + found.type
    }
}

/// A search through the types that a type is made of.
private struct InstanceSearch {
    /// The fields that lead to an instance, and its type.
    typealias Found = (fields: [String], type: String)

    let trusted: Set<ObjectIdentifier>
    private var seen: Set<ObjectIdentifier> = []

    init(trusted: Set<ObjectIdentifier>) {
        self.trusted = trusted
    }

    mutating func instance(in type: Any.Type) -> Found? {
        let id = ObjectIdentifier(type)
        let here: Found = ([], String(describing: type))
        guard Metadata.isReadable else { return here }
        // What is being looked at further out, or was, adds nothing.
        guard seen.insert(id).inserted, !ValueTypes.whole.contains(id), !trusted.contains(id) else { return nil }
        let metadata = Metadata(type)
        switch metadata.kind {
        case .opaque: return Self.isPlain(builtin: type) ? nil : here
        case .metatype, .existentialMetatype: return nil
        case nil: return here
        case .struct, .enum, .optional, .tuple: break
        }
        if ValueTypes.containers.contains(ValueTypes.name(of: type)) {
            guard let arguments = metadata.arguments else { return here }
            for argument in arguments {
                if let found = instance(in: argument) { return found }
            }
            return nil
        }
        guard let fields = metadata.fields, !fields.isEmpty || Layouts.extent(of: type).size == 0 else { return here }
        for field in fields {
            guard let fieldType = field.type, let found = instance(in: fieldType) else { continue }
            return metadata.kind == .optional ? found : ([field.name] + found.fields, found.type)
        }
        return nil
    }

    /// Whether a type of the compiler's own is a number, not an address.
    private static func isPlain(builtin type: Any.Type) -> Bool {
        let name = _typeName(type)
        return ["Builtin.Int", "Builtin.FPIEEE", "Builtin.Vec", "Builtin.Word"].contains { name.hasPrefix($0) }
    }
}
