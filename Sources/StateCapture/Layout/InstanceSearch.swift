/// Searches the types that a type is made of for parts that can change in place.
struct InstanceSearch {
    /// The fields that lead to an instance, and the instance's type.
    typealias Found = (fields: [String], type: String)

    /// The maximum depth: a type may contain itself with another generic argument each time, without end.
    private static let maxDepth = 48
    private static let maxRepeats = 12

    let trusted: Set<ObjectIdentifier>
    private var seen: Set<ObjectIdentifier> = []
    /// The declarations that contain the current type, and how often.
    private var inside: [UInt: Int] = [:]
    private var depth = 0

    init(trusted: Set<ObjectIdentifier>) {
        self.trusted = trusted
    }

    mutating func instance(in type: Any.Type) -> Found? {
        let id = ObjectIdentifier(type)
        // A type that was already searched, here or further out, adds nothing.
        guard seen.insert(id).inserted, !ValueTypes.whole.contains(id), !trusted.contains(id) else { return nil }
        let metadata = Metadata(type)
        let declaration = metadata.declarationID ?? 0
        inside[declaration, default: 0] += 1
        depth += 1
        defer {
            inside[declaration, default: 0] -= 1
            depth -= 1
        }
        guard depth <= Self.maxDepth, inside[declaration, default: 0] <= Self.maxRepeats else { return here(type) }
        return look(into: metadata)
    }

    private func here(_ type: Any.Type) -> Found { ([], String(describing: type)) }

    private mutating func look(into metadata: Metadata) -> Found? {
        let type = metadata.type
        switch metadata.kind {
        case .opaque: return Self.isPlain(builtin: type) ? nil : here(type)
        case .metatype, .existentialMetatype: return nil
        case .fixedArray: return metadata.fixedArray.map { instance(in: $0.element) } ?? here(type)
        case nil: return here(type)
        case .struct, .enum, .optional, .tuple: break
        }
        if ValueTypes.containers.contains(ValueTypes.name(of: type)) {
            guard let arguments = metadata.arguments else { return here(type) }
            for argument in arguments {
                if let found = instance(in: argument) { return found }
            }
            return nil
        }
        guard let fields = metadata.fields, !metadata.hidesMembers(among: fields) else { return here(type) }
        for field in fields {
            guard let fieldType = field.type, let found = instance(in: fieldType) else { continue }
            return metadata.kind == .optional ? found : ([field.name] + found.fields, found.type)
        }
        return nil
    }

    /// Whether one of the compiler's builtin types is a number, not an address.
    private static func isPlain(builtin type: Any.Type) -> Bool {
        let name = _typeName(type)
        return ["Builtin.Int", "Builtin.FPIEEE", "Builtin.Vec", "Builtin.Word"].contains { name.hasPrefix($0) }
    }
}
