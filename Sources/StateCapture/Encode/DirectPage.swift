/// The bytes to which nested frames write, and the positions of their members and elements.
struct DirectPage {
    /// A member, a set's element, or a dictionary's pair of a key and a value.
    struct Entry {
        var start: Int
        /// Where the key's text ends.
        var keyEnd: Int
        /// The end of the entry; known once the container has ended.
        var end: Int
        var hash: UInt64
    }

    /// The bytes of the buffer, or those of the output.
    var bytes: BorrowedBytes
    let buffer: ByteBuffer
    let names: NameTable
    private(set) var entries: UnsafeMutablePointer<Entry>
    var entryCount = 0
    private var capacity = 16

    init(_ names: NameTable) {
        self.names = names
        buffer = ByteBuffer(capacity: 256)
        bytes = BorrowedBytes(storage: buffer.storage)
        entries = .allocate(capacity: capacity)
    }

    @inline(__always)
    mutating func append(_ entry: Entry) {
        if entryCount == capacity { grow() }
        (entries + entryCount).initialize(to: entry)
        entryCount &+= 1
    }

    private mutating func grow() {
        let larger = UnsafeMutablePointer<Entry>.allocate(capacity: capacity * 2)
        larger.update(from: entries, count: entryCount)
        entries.deallocate()
        entries = larger
        capacity *= 2
    }

    /// Ends the key of the latest pair or member.
    func endKey(at end: Int) {
        entries[entryCount - 1].keyEnd = end
    }

    /// Whether an earlier entry has the last entry's hash.
    func hasTwice(_ hash: UInt64, _ first: Int) -> Bool {
        (first..<entryCount - 1).contains { entries[$0].hash == hash }
    }
}
