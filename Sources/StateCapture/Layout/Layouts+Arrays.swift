/// Where values of a type store an array.
struct ArrayPlace {
    /// In bytes from the value's start.
    let offset: Int
    let element: Any.Type
}

extension Layouts {
    private static let array = Metadata([Int].self).declarationID
    private static let maxPlaces = 32
    private static let maxDepth = 16

    /// The arrays that values of a type store in a member, or in a member's member.
    ///
    /// Arrays in optionals and other enums are left out, because these may store something else at that place. Arrays
    /// in collections are left out, too. Elements are structs, enums and tuples that are values: an array of these
    /// never comes from another language.
    func arrays(in type: Any.Type) -> [ArrayPlace] {
        var places: [ArrayPlace] = []
        if comparison == .layout, isValue(type) { find(in: type, at: 0, depth: 0, &places) }
        return places
    }

    private func find(in type: Any.Type, at offset: Int, depth: Int, _ places: inout [ArrayPlace]) {
        let metadata = Metadata(type)
        guard depth <= Self.maxDepth, places.count < Self.maxPlaces, metadata.kind == .struct || metadata.kind == .tuple
        else { return }
        if metadata.kind == .struct, metadata.declarationID == Self.array {
            if let element = metadata.arguments?.first, isComparable(element) {
                places.append(ArrayPlace(offset: offset, element: element))
            }
            return
        }
        // A type that is only declared to be a value may depend on what it stores where.
        guard !ValueTypes.whole.contains(ObjectIdentifier(type)), !isTrusted(type),
            !ValueTypes.containers.contains(ValueTypes.name(of: type)),
            !metadata.isForeign, let fields = metadata.fields, !metadata.hidesMembers(among: fields)
        else { return }
        for field in fields {
            if let type = field.type { find(in: type, at: offset + field.offset, depth: depth + 1, &places) }
        }
    }

    private func isComparable(_ element: Any.Type) -> Bool {
        switch Metadata(element).kind {
        case .struct, .enum, .optional, .tuple: isValue(element) && Metadata(element).extent.size > 0
        default: false
        }
    }
}
