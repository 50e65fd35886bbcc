import TapeFormat

extension DirectEncoder {
    /// Writes a value as the member or the element that has begun.
    /// - Parameters:
    ///   - key: The member's key; nil for an element.
    ///   - mark: The position where it began, for a value that throws.
    @inline(__always)
    func encode<Value: Encodable>(
        _ value: Value, in parent: Frame, key: DirectFrame.Key?, mark: DirectFrame.Mark
    ) throws {
        let leaf = leaves[Value.self]
        if leaf.isScalar {
            withUnsafePointer(to: value) { append(UnsafeRawPointer($0), as: leaf, to: parent.bytes) }
        } else {
            try encode(value, leaf, parent, key, mark)
        }
    }

    private func encode<Value: Encodable>(
        _ value: Value, _ leaf: Leaf, _ parent: Frame, _ key: DirectFrame.Key?, _ mark: DirectFrame.Mark
    ) throws {
        guard let child = push(leaf, parent, key, Self.reserve(for: Value.self)) else {
            return try failed(Value.self, tooDeep(in: parent), parent, key, mark, serial: 0, false)
        }
        if state.pointee.hasLeaky { child.pointee.writesMarkers = isLeaky(Value.self) }
        // Nothing may write to the parent meanwhile.
        let serial = parent.pointee.serial
        parent.pointee.serial = 0
        do {
            try value.encode(to: node(child))
            if state.pointee.hasFailed, let failure = state.pointee.failure { throw failure }
            end(child)
            pop(child, serial)
        } catch {
            let (own, wroteMarkers) = (child.pointee.serial, child.pointee.writesMarkers)
            releasePieces(of: child, after: nil)
            child.bytes.truncate(to: child.pointee.start)
            child.pointee.page.pointee.entryCount = child.pointee.firstEntry
            pop(child, serial)
            try failed(Value.self, error, parent, key, mark, serial: own, wroteMarkers)
        }
    }

    /// Writes the marker of a member or an element that threw, or throws the error again.
    ///
    /// - Parameters:
    ///   - serial: That of the value's frame; 0 if it was not encoded.
    ///   - wroteMarkers: Whether the values inside it were written as markers.
    @inline(never)
    private func failed(
        _ type: Any.Type, _ error: any Error, _ parent: Frame, _ key: DirectFrame.Key?, _ mark: DirectFrame.Mark,
        serial: Int, _ wroteMarkers: Bool
    ) throws {
        var path: [any CodingKey] {
            parent.path + [key?.codingKey ?? DirectKey(index: parent.pointee.count - 1) as any CodingKey]
        }
        if self.mark(type, error, writesMarkers: wroteMarkers, serial: serial, in: parent, path) { return }
        undo(parent, to: mark)
        throw error
    }

    @inline(never)
    private func isLeaky(_ type: Any.Type) -> Bool { state.pointee.leaky.contains(ObjectIdentifier(type)) }

    /// The bytes of the stack that a value's `encode(to:)` may take: in a debug build, it copies each of its members.
    @inline(__always)
    private static func reserve<Value>(for _: Value.Type) -> UInt {
        ThreadStack.reserve &+ 4 &* UInt(bitPattern: MemoryLayout<Value>.size)
    }

    /// Begins a value inside another's call; nil if it is too deep. Not inlined, so that each value takes little of the
    /// thread's stack.
    @inline(never)
    private func push(_ leaf: Leaf, _ parent: Frame, _ key: DirectFrame.Key?, _ reserve: UInt) -> Frame? {
        let top = state.pointee.top
        guard parent.pointee.depth < Self.depthLimit, top < Self.depthLimit,
            !state.pointee.stack.isNearlyFull(reserve)
        else {
            return nil
        }
        let child = frames + top
        if top == state.pointee.initialized {
            child.initialize(to: DirectFrame(page: parent.pointee.page))
            state.pointee.initialized = top + 1
        }
        child.pointee.begin(nextSerial(), page: parent.pointee.page, parent: parent)
        child.pointee.key = key
        child.pointee.collection = leaf
        state.pointee.top = top + 1
        return child
    }

    @inline(__always)
    private func pop(_ child: Frame, _ serial: Int) {
        child.pointee.serial = 0
        child.pointee.parent?.pointee.serial = serial
        state.pointee.top &-= 1
    }

    /// Writes a value as the frame's own value.
    func run<Value: Encodable>(_ value: Value, in frame: Frame) throws {
        let leaf = leaves[Value.self]
        if leaf.isScalar {
            guard frame.pointee.kind == .nothing else { throw secondValue(frame) }
            withUnsafePointer(to: value) { append(UnsafeRawPointer($0), as: leaf, to: frame.bytes) }
            frame.pointee.kind = .scalar
            return
        }
        guard !frame.pointee.isFull, frame.pointee.kind != .scalar else {
            throw secondValue(frame)
        }
        guard frame.pointee.depth < Self.depthLimit, !state.pointee.stack.isNearlyFull(Self.reserve(for: Value.self))
        else {
            return try failed(Value.self, tooDeep(in: frame), frame, nil)
        }
        let (mark, kind, collection) = (frame.mark, frame.pointee.kind, frame.pointee.collection)
        let (writesMarkers, isPiece) = (frame.pointee.writesMarkers, frame.pointee.isPiece)
        frame.pointee.writesMarkers = state.pointee.hasLeaky && isLeaky(Value.self)
        frame.pointee.isPiece = false
        frame.pointee.depth += 1
        defer { frame.pointee.depth -= 1 }
        do {
            frame.pointee.collection = leaf
            try value.encode(to: node(frame))
            if state.pointee.hasFailed, let failure = state.pointee.failure { throw failure }
            (frame.pointee.writesMarkers, frame.pointee.isPiece) = (writesMarkers, isPiece)
        } catch {
            let wroteMarkers = frame.pointee.writesMarkers
            undo(frame, to: mark)
            frame.pointee.kind = kind
            frame.pointee.collection = collection
            frame.pointee.isFull = false
            (frame.pointee.writesMarkers, frame.pointee.isPiece) = (writesMarkers, isPiece)
            try failed(Value.self, error, frame, wroteMarkers)
        }
    }

    /// Writes the marker of a frame's own value that threw, or throws the error again.
    ///
    /// - Parameter wroteMarkers: Whether the values inside it were written as markers; nil if it was not encoded.
    @inline(never)
    private func failed(_ type: Any.Type, _ error: any Error, _ frame: Frame, _ wroteMarkers: Bool?) throws {
        let serial = wroteMarkers == nil ? 0 : frame.pointee.serial
        // A container that the frame has already begun leaves no place for a marker.
        let writesMarkers = frame.pointee.writesMarkers
        if frame.pointee.kind != .nothing { frame.pointee.writesMarkers = false }
        defer { frame.pointee.writesMarkers = writesMarkers }
        guard mark(type, error, writesMarkers: wroteMarkers ?? false, serial: serial, in: frame, frame.path) else {
            throw error
        }
        frame.pointee.kind = .scalar
    }
}
