/// Where a struct stores its `id`, which identifies an element at another place of its array.
struct ElementIdentity {
    /// The elements of an array in memory.
    struct Elements {
        let start: UnsafeRawPointer
        let count: Int
        let stride: Int
    }

    /// Whether two arrays have the same elements in the same order.
    let areInOrder: (_ old: Elements, _ new: Elements) -> Bool
    /// For each new element the index of the old one with the same `id`, or nil; nil as a whole if an `id` occurs
    /// twice.
    let origins: (_ old: Elements, _ new: Elements) -> [Int?]?

    /// Nil unless the type is a struct with a stored `id` (or `_id`, as macros name it) that is hashable and a value.
    init?(of type: Any.Type, _ layouts: Layouts) {
        guard let field = layouts.field(["id", "_id"], of: type), let id = field.type as? any Hashable.Type else {
            return nil
        }
        self.init(id, offset: field.offset)
    }

    private init<ID: Hashable>(_ type: ID.Type, offset: Int) {
        func id(_ index: Int, _ elements: Elements) -> ID {
            (elements.start + index * elements.stride + offset).assumingMemoryBound(to: ID.self).pointee
        }
        areInOrder = { old, new in
            old.count == new.count && (0..<old.count).allSatisfy { id($0, old) == id($0, new) }
        }
        origins = { old, new in
            var places = [ID: Int](minimumCapacity: old.count)
            for index in 0..<old.count where places.updateValue(index, forKey: id(index, old)) != nil { return nil }
            var isUsed = [Bool](repeating: false, count: old.count)
            var origins: [Int?] = []
            origins.reserveCapacity(new.count)
            for index in 0..<new.count {
                let origin = places[id(index, new)]
                if let origin {
                    if isUsed[origin] { return nil }
                    isUsed[origin] = true
                }
                origins.append(origin)
            }
            return origins
        }
    }
}
