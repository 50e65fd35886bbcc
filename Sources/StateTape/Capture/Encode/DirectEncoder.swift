import TapeFormat

/// Writes an `Encodable` value's JSON text straight into a buffer.
///
/// The text says what Foundation's `JSONEncoder` says with the strategies of ``TreeEncoder``, and equal values give equal
/// bytes: members stand in the order in which they are encoded, those of a `Dictionary` by the UTF-8 of their keys, the
/// pairs of one with other keys by their keys' texts, the elements of a `Set` by their texts. Only a set or such pairs
/// whose `encode(to:)` an app's type calls with its own encoder are not recognised and keep the order of their memory.
///
/// What would stop the process in `JSONEncoder`, such as two kinds of container for one value, is thrown as an
/// `EncodingError`.
///
/// Each value that is being written has a ``DirectFrame``. Values inside each other's calls have theirs on a stack and
/// write to the same bytes. A nested container or a superclass's encoder may be written to until its parent ends, so it
/// has bytes of its own, which are spliced in then. Used by one thread at a time; `encode(to:)` may use it again.
final class DirectEncoder {
    typealias Frame = UnsafeMutablePointer<DirectFrame>

    /// Values inside each other, as many as the tape allows; fewer where the thread's stack is small.
    static let depthLimit = Limits.nesting

    struct State {
        /// The stacked frames that are in use, and those that have ever been.
        var top = 0
        var initialized = 0
        var serial = 0
        var stack = ThreadStack()
        /// Detached frames that are free.
        var free: Frame?
        /// The type of the keys by which `Dictionary` encodes its members; the standard library doesn't name it.
        var dictionaryKey: ObjectIdentifier?
        /// Whether something couldn't be thrown where it happened, in a method that doesn't throw; and what.
        var hasFailed = false
        var failure: EncodingError?
    }

    /// Behind a pointer because a class's stored properties are checked for exclusivity.
    let state: UnsafeMutablePointer<State>
    let leaves = LeafTable()
    let scratch = ByteBuffer()
    private let frames: Frame

    init() {
        state = .allocate(capacity: 1)
        state.initialize(to: State())
        frames = .allocate(capacity: Self.depthLimit)
        // Tells `dictionaryKey`.
        try? encode(["": 0], to: ByteBuffer())
    }

    deinit {
        while let frame = state.pointee.free {
            state.pointee.free = frame.pointee.next
            frame.pointee.page.deinitialize(count: 1).deallocate()
            frame.deinitialize(count: 1).deallocate()
        }
        frames.deinitialize(count: state.pointee.initialized).deallocate()
        state.deinitialize(count: 1).deallocate()
    }

    /// Appends a value's JSON text.
    /// - Parameter slice: What is written of it; nil for everything.
    /// - Throws: What the value's `encode(to:)` throws; `EncodingError` for what JSON can't say and for what nests deeper
    ///   than `depthLimit`. The output is then as it was.
    func encode<Value: Encodable>(_ value: Value, slice: Slice? = nil, to output: ByteBuffer) throws {
        let root = detached()
        root.pointee.page.pointee.bytes = BorrowedBytes(storage: output.storage)
        root.pointee.start = output.count
        root.pointee.slice = slice
        defer {
            release(root)
            withExtendedLifetime(output) {}
        }
        try run(value, in: root)
        guard root.pointee.kind != .nothing else {
            throw EncodingError.invalidValue(
                value, .init(codingPath: [], debugDescription: "\(Value.self) encodes no value at all"))
        }
        end(root)
    }

    /// Writes a value as the member or the element that has been begun.
    /// - Parameters:
    ///   - key: The member's; nil for an element.
    ///   - mark: Where it was begun, for a value that throws.
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
            try parent.bytes.append(value, as: leaf)
        } catch {
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
        // Nobody writes to the parent meanwhile.
        let serial = parent.pointee.serial
        parent.pointee.serial = 0
        do {
            try value.encode(to: node(child))
            if state.pointee.hasFailed, let failure = state.pointee.failure { throw failure }
            end(child)
            pop(child, serial)
        } catch {
            forgetFailure()
            releasePieces(of: child, after: nil)
            pop(child, serial)
            undo(parent, to: mark)
            throw error
        }
    }

    /// Begins a value inside another's call; nil if it is too deep. Not inlined, to keep what each value takes from the
    /// thread's stack small.
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

    /// Writes a value as the one that the frame is for.
    func run<Value: Encodable>(_ value: Value, in frame: Frame) throws {
        let leaf = leaves[Value.self]
        if leaf.isScalar {
            guard frame.pointee.kind == .nothing else { throw misuse(frame, "a second value is encoded in one place") }
            try withUnsafePointer(to: value) { try frame.bytes.append(UnsafeRawPointer($0), as: leaf) }
            frame.pointee.kind = .scalar
            return
        }
        guard !frame.pointee.isFull, frame.pointee.kind != .scalar else {
            throw misuse(frame, "a second value is encoded in one place")
        }
        guard frame.pointee.depth < Self.depthLimit, !state.pointee.stack.isNearlyFull() else {
            throw tooDeep(in: frame)
        }
        let (mark, kind, collection) = (frame.mark, frame.pointee.kind, frame.pointee.collection)
        frame.pointee.depth += 1
        defer { frame.pointee.depth -= 1 }
        do {
            if leaf != .none { frame.pointee.collection = leaf }
            try value.encode(to: node(frame))
            if state.pointee.hasFailed, let failure = state.pointee.failure { throw failure }
        } catch {
            forgetFailure()
            undo(frame, to: mark)
            frame.pointee.kind = kind
            frame.pointee.collection = collection
            frame.pointee.isFull = false
            throw error
        }
    }

    func node(_ frame: Frame) -> DirectNode {
        DirectNode(encoder: self, frame: frame, serial: frame.pointee.serial)
    }

    func nextSerial() -> Int {
        state.pointee.serial &+= 1
        return state.pointee.serial
    }
}
