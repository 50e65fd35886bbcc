import TapeFormat

/// A collection whose elements are matched with the app's by what identifies them.
protocol MatchedCollection {
    /// Keeps the app's values in the elements of a collection in memory.
    static func keep(
        _ keeper: inout MemberKeeper, in new: UnsafeMutableRawPointer, from app: UnsafeRawPointer, at path: Pointer)
}

extension Array: MatchedCollection {
    static func keep(
        _ keeper: inout MemberKeeper, in new: UnsafeMutableRawPointer, from app: UnsafeRawPointer, at path: Pointer
    ) {
        let (new, own) = (new.assumingMemoryBound(to: Self.self), app.assumingMemoryBound(to: Self.self).pointee)
        let ids = own.map { keeper.id(of: $0) }
        guard !ids.isEmpty, ids.allSatisfy({ $0 != nil }) else {
            return keeper.loseElements(own, at: path)
        }
        // Two elements of one id can't be told apart.
        let indices = Dictionary(zip(ids, own.indices).map { ($0, Optional($1)) }, uniquingKeysWith: { _, _ in nil })
        own.withUnsafeBufferPointer { own in
            new.pointee.withUnsafeMutableBufferPointer { elements in
                guard let start = elements.baseAddress, let source = own.baseAddress else { return }
                for index in elements.indices {
                    guard let match = indices[keeper.id(of: elements[index])] ?? nil else { continue }
                    keeper.keep(
                        Element.self, in: UnsafeMutableRawPointer(start + index),
                        from: UnsafeRawPointer(source + match), at: path.appending(index))
                }
            }
        }
    }
}

extension Dictionary: MatchedCollection {
    static func keep(
        _ keeper: inout MemberKeeper, in new: UnsafeMutableRawPointer, from app: UnsafeRawPointer, at path: Pointer
    ) {
        let (new, own) = (new.assumingMemoryBound(to: Self.self), app.assumingMemoryBound(to: Self.self).pointee)
        for index in new.pointee.indices {
            let key = new.pointee[index].key
            guard let source = own[key] else { continue }
            let name = (key as? any CodingKeyRepresentable)?.codingKey.stringValue ?? "\(key)"
            withUnsafePointer(to: source) { source in
                withUnsafeMutablePointer(to: &new.pointee.values[index]) { value in
                    keeper.keep(
                        Value.self, in: UnsafeMutableRawPointer(value), from: UnsafeRawPointer(source),
                        at: path.appending(Redacted.escaped(name)))
                }
            }
        }
    }
}

/// An optional, whose value is at its start.
protocol OptionalValue {
    /// The type of the value in memory; nil if there is none.
    static func wrapped(at place: UnsafeRawPointer) -> Any.Type?
}

extension Optional: OptionalValue {
    static func wrapped(at place: UnsafeRawPointer) -> Any.Type? {
        if case .some = place.assumingMemoryBound(to: Self.self).pointee { Wrapped.self } else { nil }
    }
}
