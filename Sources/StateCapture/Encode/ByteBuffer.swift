/// Bytes that grow at their end, mostly JSON text.
///
/// Its memory is raw, because Swift checks each access to an array in a class for exclusivity. These checks cost a
/// third of the encoding. Used by one thread at a time.
package final class ByteBuffer: ByteWriting {
    let storage: UnsafeMutablePointer<ByteStorage>

    package init(capacity: Int = 1024) {
        let capacity = max(capacity, 64)
        storage = .allocate(capacity: 1)
        storage.initialize(to: ByteStorage(base: .allocate(capacity: capacity), capacity: capacity))
    }

    deinit {
        storage.pointee.base.deallocate()
        storage.deallocate()
    }
}

// For other modules, which can't specialise the generic functions of ``ByteWriting``.
extension ByteBuffer {
    private var own: BorrowedBytes { BorrowedBytes(storage: storage) }

    package var count: Int { storage.pointee.count }
    /// A copy of the bytes.
    package var bytes: [UInt8] { own.bytes }
    /// The bytes until the next change.
    package var borrowed: UnsafeRawBufferPointer {
        UnsafeRawBufferPointer(start: storage.pointee.base, count: storage.pointee.count)
    }

    /// A copy of the bytes from a position on.
    package func array(from start: Int) -> [UInt8] { own.array(from: start) }
    package func append(_ bytes: UnsafeRawBufferPointer) { own.append(bytes) }
    package func append(_ bytes: [UInt8]) { own.append(bytes) }
    package func truncate(to count: Int) { own.truncate(to: count) }
    package func clear() { own.clear() }
}

/// The bytes of a ``ByteBuffer`` that other code keeps alive, for places where reference counting would cost too much.
struct BorrowedBytes: ByteWriting {
    let storage: UnsafeMutablePointer<ByteStorage>
}

/// The contents of a ``ByteBuffer``. Behind a pointer, because Swift checks a class's stored properties for
/// exclusivity.
struct ByteStorage {
    fileprivate var base: UnsafeMutablePointer<UInt8>
    fileprivate var count = 0
    fileprivate var capacity: Int
    /// How many bytes a text may have; −1 once it can't have them all.
    fileprivate var limit = Int.max
}

/// Appends to, reads and edits the bytes of a ``ByteBuffer``.
protocol ByteWriting {
    var storage: UnsafeMutablePointer<ByteStorage> { get }
}

extension ByteWriting {
    @inline(__always) var count: Int { storage.pointee.count }

    /// A copy of the bytes.
    var bytes: [UInt8] { array(from: 0) }

    /// A copy of the bytes from a position on.
    func array(from start: Int) -> [UInt8] {
        withBytes(start..<count) { [UInt8]($0) }
    }

    /// Lends some of the bytes. The caller must not keep them, nor append meanwhile.
    @inline(__always)
    func withBytes<Result, Failure: Error>(
        _ range: Range<Int>, _ body: (UnsafeRawBufferPointer) throws(Failure) -> Result
    ) throws(Failure) -> Result {
        try body(UnsafeRawBufferPointer(start: storage.pointee.base + range.lowerBound, count: range.count))
    }

    @inline(__always)
    func append(_ byte: UInt8) {
        reserve(1)
        storage.pointee.base[storage.pointee.count] = byte
        storage.pointee.count &+= 1
    }

    @inline(__always)
    func append(_ bytes: UnsafeRawBufferPointer) {
        guard let source = bytes.baseAddress else { return }
        append(bytes.count) { UnsafeMutableRawPointer($0).copyMemory(from: source, byteCount: bytes.count) }
    }

    func append(_ bytes: [UInt8]) {
        bytes.withUnsafeBytes { append($0) }
    }

    @inline(__always)
    func append(_ text: StaticString) {
        text.withUTF8Buffer { append(UnsafeRawBufferPointer($0)) }
    }

    func append(utf8 text: String) {
        Self.withUTF8(text) { append(UnsafeRawBufferPointer($0)) }
    }

    func append(_ other: some ByteWriting) {
        reserve(other.count)
        other.withBytes(0..<other.count) { append($0) }
    }

    @inline(__always)
    func truncate(to count: Int) {
        storage.pointee.count = min(storage.pointee.count, count)
    }

    /// How many bytes the encoder may write; the writing of members and elements stops after more.
    func limit(to count: Int) { storage.pointee.limit = count }

    /// Whether the text has more bytes than it may have.
    @inline(__always) var isOverLimit: Bool { storage.pointee.count > storage.pointee.limit }

    /// Notes that the text would have more bytes than it may have.
    func exhaust() { storage.pointee.limit = -1 }

    /// Whether the text may have so many more bytes. If not, it is over its limit from now on.
    @inline(__always)
    func admits(_ more: Int) -> Bool {
        if more <= storage.pointee.limit &- storage.pointee.count { return true }
        exhaust()
        return false
    }

    /// Drops all bytes, and their memory if it is larger than most texts need.
    func clear() {
        storage.pointee.count = 0
        guard storage.pointee.capacity > 64 << 10 else { return }
        storage.pointee.base.deallocate()
        storage.pointee.base = .allocate(capacity: 1024)
        storage.pointee.capacity = 1024
    }

    /// Replaces a range of bytes, and moves the bytes behind it.
    func replace(_ range: Range<Int>, with other: some ByteWriting) {
        let growth = other.count - range.count
        reserve(max(growth, 0))
        let place = UnsafeMutableRawPointer(storage.pointee.base + range.lowerBound)
        (place + other.count).copyMemory(from: place + range.count, byteCount: count - range.upperBound)
        other.withBytes(0..<other.count) { bytes in
            if let source = bytes.baseAddress { place.copyMemory(from: source, byteCount: bytes.count) }
        }
        storage.pointee.count += growth
    }

    func insert(_ other: some ByteWriting, at position: Int) {
        replace(position..<position, with: other)
    }

    /// Appends `count` bytes, which `write` stores at the pointer.
    @inline(__always)
    func append(_ count: Int, write: (UnsafeMutablePointer<UInt8>) -> Void) {
        reserve(count)
        write(storage.pointee.base + storage.pointee.count)
        storage.pointee.count &+= count
    }

    /// Appends at most `limit` bytes, which `write` stores at the pointer.
    /// - Parameter write: Returns how many bytes it wrote.
    /// - Returns: Whether it wrote any.
    @inline(__always) @discardableResult
    func append(atMost limit: Int, write: (UnsafeMutablePointer<UInt8>) -> Int) -> Bool {
        reserve(limit)
        let count = write(storage.pointee.base + storage.pointee.count)
        storage.pointee.count &+= count
        return count > 0
    }

    @inline(__always)
    private func reserve(_ more: Int) {
        if storage.pointee.capacity &- storage.pointee.count < more { grow(more) }
    }

    @inline(never)
    private func grow(_ more: Int) {
        let old = storage.pointee
        let capacity = max(old.capacity * 2, old.count + more)
        let base = UnsafeMutablePointer<UInt8>.allocate(capacity: capacity)
        base.update(from: old.base, count: old.count)
        old.base.deallocate()
        storage.pointee.base = base
        storage.pointee.capacity = capacity
    }

    /// Lends a string's UTF-8; only an Objective-C string is copied.
    @inline(__always)
    static func withUTF8(_ text: String, _ body: (UnsafeBufferPointer<UInt8>) -> Void) {
        if text.utf8.withContiguousStorageIfAvailable(body) == nil {
            var text = text
            text.withUTF8(body)
        }
    }
}
