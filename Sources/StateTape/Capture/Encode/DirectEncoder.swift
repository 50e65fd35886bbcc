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

    /// Values inside each other; fewer where the thread's stack is small. The tape allows a few more, in which lines put
    /// what they hold.
    static let depthLimit = Limits.nesting - 12

    struct State {
        /// The stacked frames that are in use, and those that have ever been.
        var top = 0
        var initialized = 0
        var serial = 0
        var stack = ThreadStack()
        /// Detached frames that are free.
        var free: Frame?
        var dictionaryKey: ObjectIdentifier?
        /// How many bytes may be written, as far as that is looked at: at each value inside another.
        var limit = Int.max
        var isOverLimit = false
        /// Whether something couldn't be thrown where it happened, in a method that doesn't throw; and what.
        var hasFailed = false
        var failure: EncodingError?
        /// Whether a value inside another has thrown, which that other may have caught.
        var hasThrown = false
    }

    /// Behind a pointer because a class's stored properties are checked for exclusivity.
    let state: UnsafeMutablePointer<State>
    let leaves = LeafTable()
    let redactor: Redactor
    let names: NameTable
    let scratch = ByteBuffer()
    /// The stack.
    let frames: Frame

    /// Found out once: the type of the keys by which `Dictionary` encodes its members. The standard library hides it.
    private static let dictionaryKey: ObjectIdentifier? = {
        let encoder = DirectEncoder(.none, dictionaryKey: nil)
        try? encoder.encode(["": 0], to: ByteBuffer())
        return encoder.state.pointee.dictionaryKey
    }()

    /// - Parameter redactor: Says what is written as ``Redacted``.
    convenience init(_ redactor: Redactor) {
        self.init(redactor, dictionaryKey: Self.dictionaryKey)
    }

    private init(_ redactor: Redactor, dictionaryKey: ObjectIdentifier?) {
        self.redactor = redactor
        names = NameTable(redactor)
        state = .allocate(capacity: 1)
        state.initialize(to: State(dictionaryKey: dictionaryKey))
        frames = .allocate(capacity: Self.depthLimit)
    }

    deinit {
        while let frame = state.pointee.free {
            state.pointee.free = frame.pointee.next
            frame.pointee.page.pointee.entries.deallocate()
            frame.pointee.page.deinitialize(count: 1).deallocate()
            frame.deinitialize(count: 1).deallocate()
        }
        frames.deinitialize(count: state.pointee.initialized).deallocate()
        state.deinitialize(count: 1).deallocate()
        names.deallocate()
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
            scratch.clear()
            withExtendedLifetime(output) {}
        }
        try run(value, in: root)
        guard root.pointee.kind != .nothing else {
            throw EncodingError.invalidValue(
                value, .init(codingPath: [], debugDescription: "\(Value.self) encodes no value at all"))
        }
        end(root)
    }

    /// Whether a value inside another has thrown since this was asked last.
    func takeThrown() -> Bool {
        defer { state.pointee.hasThrown = false }
        return state.pointee.hasThrown
    }

    func node(_ frame: Frame) -> DirectNode {
        DirectNode(encoder: self, frame: frame, serial: frame.pointee.serial)
    }

    func nextSerial() -> Int {
        state.pointee.serial &+= 1
        return state.pointee.serial
    }
}
