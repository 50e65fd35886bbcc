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
            try withUnsafePointer(to: value) { try append(UnsafeRawPointer($0), leaf, parent, mark) }
        } else {
            try encode(value, leaf, parent, key, mark)
        }
    }

    private func append(_ value: UnsafeRawPointer, _ leaf: Leaf, _ parent: Frame, _ mark: DirectFrame.Mark) throws {
        do {
            try append(value, as: leaf, to: parent.bytes)
        } catch {
            state.pointee.hasThrown = true
            undo(parent, to: mark)
            throw error
        }
    }

    private func encode<Value: Encodable>(
        _ value: Value, _ leaf: Leaf, _ parent: Frame, _ key: DirectFrame.Key?, _ mark: DirectFrame.Mark
    ) throws {
        guard let child = push(leaf, parent, key) else {
            defer { undo(parent, to: mark) }
            throw tooDeep(in: parent)
        }
        // Nothing may write to the parent meanwhile.
        let serial = parent.pointee.serial
        parent.pointee.serial = 0
        do {
            try value.encode(to: node(child))
            if state.pointee.hasFailed, let failure = state.pointee.failure { throw failure }
            end(child)
            pop(child, serial)
        } catch {
            state.pointee.hasThrown = true
            forgetFailure()
            releasePieces(of: child, after: nil)
            pop(child, serial)
            undo(parent, to: mark)
            throw error
        }
    }

    /// Begins a value inside another's call; nil if it is too deep. Not inlined, so that each value takes little of the
    /// thread's stack.
    @inline(never)
    private func push(_ leaf: Leaf, _ parent: Frame, _ key: DirectFrame.Key?) -> Frame? {
        let top = state.pointee.top
        guard parent.pointee.depth < Self.depthLimit, top < Self.depthLimit, !state.pointee.stack.isNearlyFull() else {
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
            do {
                try withUnsafePointer(to: value) { try append(UnsafeRawPointer($0), as: leaf, to: frame.bytes) }
            } catch {
                state.pointee.hasThrown = true
                throw error
            }
            frame.pointee.kind = .scalar
            return
        }
        guard !frame.pointee.isFull, frame.pointee.kind != .scalar else {
            throw secondValue(frame)
        }
        guard frame.pointee.depth < Self.depthLimit, !state.pointee.stack.isNearlyFull() else {
            throw tooDeep(in: frame)
        }
        let (mark, kind, collection) = (frame.mark, frame.pointee.kind, frame.pointee.collection)
        frame.pointee.depth += 1
        defer { frame.pointee.depth -= 1 }
        do {
            frame.pointee.collection = leaf
            try value.encode(to: node(frame))
            if state.pointee.hasFailed, let failure = state.pointee.failure { throw failure }
        } catch {
            state.pointee.hasThrown = true
            forgetFailure()
            undo(frame, to: mark)
            frame.pointee.kind = kind
            frame.pointee.collection = collection
            frame.pointee.isFull = false
            throw error
        }
    }
}
