/// A copy of a value in memory of its own.
final class Box {
    let type: Any.Type
    let start: UnsafeMutableRawPointer
    private let free: (UnsafeMutableRawPointer) -> Void

    init(_ value: Any) {
        func make<Value>(_ type: Value.Type) -> (UnsafeMutableRawPointer, (UnsafeMutableRawPointer) -> Void)? {
            guard let value = value as? Value else { return nil }
            let place = UnsafeMutablePointer<Value>.allocate(capacity: 1)
            place.initialize(to: value)
            return (
                UnsafeMutableRawPointer(place),
                { place in
                    let place = place.assumingMemoryBound(to: Value.self)
                    place.deinitialize(count: 1)
                    place.deallocate()
                }
            )
        }
        type = Swift.type(of: value)
        // A value has its own type; without it, the box would have the existential itself.
        guard let (start, free) = _openExistential(type, do: make) ?? make(Any.self) else {
            preconditionFailure("a value is not of its own type")
        }
        (self.start, self.free) = (start, free)
    }

    deinit { free(start) }

    /// The value of a type at a place in memory.
    static func value(_ type: Any.Type, at place: UnsafeRawPointer) -> Any {
        func read<Value>(_: Value.Type) -> Any { place.assumingMemoryBound(to: Value.self).pointee }
        return _openExistential(type, do: read)
    }

    /// Copies the value of a type over another one.
    static func copy(_ type: Any.Type, from source: UnsafeRawPointer, to target: UnsafeMutableRawPointer) {
        func copy<Value>(_: Value.Type) {
            target.assumingMemoryBound(to: Value.self).pointee = source.assumingMemoryBound(to: Value.self).pointee
        }
        _openExistential(type, do: copy)
    }
}
