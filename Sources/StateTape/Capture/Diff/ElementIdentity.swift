/// Where a struct stores its `id`, by which an element is known again at another place of its array.
struct ElementIdentity {
    private let offset: Int
    private let areEqual: (UnsafeRawPointer, UnsafeRawPointer) -> Bool
    private let read: (UnsafeRawPointer) -> AnyHashable

    /// Nil unless the type is a struct with a stored and hashable `id` (or `_id`, as macros name it).
    init?(of type: Any.Type) {
        let metadata = Metadata(type)
        guard Metadata.isReadable, metadata.kind == .struct,
            let field = metadata.fields?.first(where: { $0.name == "id" || $0.name == "_id" }),
            let id = field.type as? any Hashable.Type
        else { return nil }
        self.init(id, offset: field.offset)
    }

    private init<ID: Hashable>(_ type: ID.Type, offset: Int) {
        self.offset = offset
        areEqual = { $0.assumingMemoryBound(to: ID.self).pointee == $1.assumingMemoryBound(to: ID.self).pointee }
        read = { AnyHashable($0.assumingMemoryBound(to: ID.self).pointee) }
    }

    func isSame(_ left: UnsafeRawPointer, _ right: UnsafeRawPointer) -> Bool {
        areEqual(left + offset, right + offset)
    }

    func key(of element: UnsafeRawPointer) -> AnyHashable { read(element + offset) }
}
