import TapeFormat

/// Writes an `Encodable` value's JSON text straight into a buffer.
///
/// The text has the same content as that of Foundation's `JSONEncoder` with the strategies of ``TreeEncoder``, and
/// equal values give equal bytes. Members keep the order in which they are encoded. The members of a `Dictionary` are
/// sorted by the UTF-8 of their keys, the pairs of one with other keys by their keys' texts, and the elements of a
/// `Set` by their texts. If an app's type calls the `encode(to:)` of a set or of such pairs with its own encoder, they
/// are not recognised and keep their order in memory.
///
/// Misuse that would stop the process in `JSONEncoder`, such as two kinds of container for one value, throws an
/// `EncodingError`.
///
/// A value that throws, or nests too deep, is written as ``Unencodable``, unless the value around it catches the error,
/// as it could with `JSONEncoder`.
///
/// Each value that is being written has a ``DirectFrame``. Values inside each other's calls have stacked frames and
/// write to the same bytes. A nested container or a superclass's encoder may be written to until its parent ends. So it
/// has its own bytes, which are then spliced in. Used by one thread at a time; `encode(to:)` may use it again.
package final class DirectEncoder {
    typealias Frame = UnsafeMutablePointer<DirectFrame>

    /// The maximum nesting of values; less if the thread's stack is small. The tape allows a few more levels, for the
    /// lines around the values.
    static let depthLimit = Limits.nesting - 12
    /// The maximum number of kinds of markers that are told.
    package static let maxUnencodable = 16

    struct State {
        /// The number of stacked frames in use, and the number that were ever initialized.
        var top = 0
        var initialized = 0
        var serial = 0
        var stack = ThreadStack()
        /// The number of values around the next value that is encoded: a part of a whole nests no deeper than there.
        var outerDepth = 0
        /// Detached frames that are free.
        var free: Frame?
        var dictionaryKey: ObjectIdentifier?
        /// How many bytes may be written, and how many the latest pieces of all frames have.
        var limit = Int.max
        var pieces = 0
        var isOverLimit = false
        /// Whether a value was too deep for the thread's stack, which another thread may have room for.
        var isOutOfStack = false
        /// Whether an error occurred in a method that doesn't throw; and the error.
        var hasFailed = false
        var failure: EncodingError?
        /// Whether only an encoding of the whole value is right, because a value's text depends on more than the value.
        var needsWhole = false
        /// The serial of the value in whose `encode(to:)` a value inside has thrown last.
        var thrownIn = 0
        /// Whether that value has thrown an error of its own, not one of a value inside it.
        var isOwnError = false
        /// The type around the value that has thrown last.
        var suspect: ObjectIdentifier?
        /// Types that don't catch the errors of values inside them, in the value that is encoded now: these values are
        /// written as markers.
        var leaky: Set<ObjectIdentifier> = []
        var hasLeaky = false
        /// The values that were written as markers.
        var unencodable: Set<Unencodable> = []
    }

    /// Behind a pointer, because Swift checks a class's stored properties for exclusivity.
    let state: UnsafeMutablePointer<State>
    let leaves = LeafTable()
    let redactor: Redactor
    let names: NameTable
    let scratch = ByteBuffer()
    /// The stacked frames.
    let frames: Frame

    /// The type of the keys with which `Dictionary` encodes its members; found once. The standard library hides it.
    private static let dictionaryKey: ObjectIdentifier? = {
        let encoder = DirectEncoder(.none, dictionaryKey: nil)
        try? encoder.encode(["": 0], to: ByteBuffer())
        return encoder.state.pointee.dictionaryKey
    }()

    /// - Parameter redactor: Decides what is written as ``Redacted``.
    package convenience init(_ redactor: Redactor) {
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
    /// - Parameter slice: The parts to write; nil for everything.
    /// - Throws: Errors from the `encode(to:)` of the value itself; `EncodingError` if it encodes nothing. The output is
    ///   then unchanged.
    func encode<Value: Encodable>(_ value: Value, slice: Slice? = nil, to output: ByteBuffer) throws {
        // The text must depend on this value alone.
        if state.pointee.hasLeaky, state.pointee.top == 0 { state.pointee.forgetLeaky() }
        let root = detached()
        let limit = state.pointee.limit
        output.limit(to: limit == .max ? .max : output.count + limit)
        root.pointee.page.pointee.bytes = BorrowedBytes(storage: output.storage)
        root.pointee.start = output.count
        root.pointee.slice = slice
        root.pointee.depth = state.pointee.outerDepth
        defer {
            release(root)
            scratch.clear()
            output.limit(to: .max)
        }
        state.pointee.suspect = nil
        do { try run(value, in: root) } catch { try runAgain(value, in: root, after: error) }
        guard root.pointee.kind != .nothing else {
            throw EncodingError.invalidValue(
                value, .init(codingPath: [], debugDescription: "\(Value.self) encodes no value at all"))
        }
        end(root)
        guard output.isOverLimit else { return }
        output.truncate(to: root.pointee.start)
        throw tooLong(root)
    }

    /// Whether a value since the last call did something that makes only an encoding of the whole value right: it threw,
    /// in which case the value around it may have written something else, or it asked for its coding path.
    func takeNeedsWhole() -> Bool {
        defer { state.pointee.needsWhole = false }
        return state.pointee.needsWhole
    }

    /// The values that were written as markers since the last call.
    package func takeUnencodable() -> Set<Unencodable> {
        guard !state.pointee.unencodable.isEmpty else { return [] }
        defer { state.pointee.unencodable = [] }
        return state.pointee.unencodable
    }

    func node(_ frame: Frame) -> DirectNode {
        DirectNode(encoder: self, frame: frame, serial: frame.pointee.serial)
    }

    func nextSerial() -> Int {
        state.pointee.serial &+= 1
        return state.pointee.serial
    }
}
