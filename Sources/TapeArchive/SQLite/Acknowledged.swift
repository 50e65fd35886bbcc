import Foundation
import TapeFormat

#if os(Linux)
    import CLinux
#endif

/// A small file beside the archive with the end of each session that was acknowledged.
///
/// SQLite ends its log at the first damaged frame and doesn't tell that more followed. A commit's positions are written
/// here after it, without a sync: they must survive the process, and never be ahead of the archive. After a power
/// failure they may be older. Each session has a slot of its own, so that a damage of this file concerns few. The first
/// slot, which no session has, holds the archive's id, since the file may be put in the place of another one, and the number
/// of changes by users, which no event tells.
final class Acknowledged: Sendable {
    struct End: Equatable, Sendable {
        let id: String
        /// The seq after the last event that was acknowledged.
        let next: Int
        /// Whether somebody has deleted the session.
        var isDeleted = false
    }

    private static let slot = 96
    private static let maxID = 64
    /// In place of the end of a session that was deleted.
    private static let deleted = Int64.max

    private let file: Int32
    /// The ids of the sessions that this process writes, until they are deleted.
    private let ids = Locked<[Int64: String]>([:])

    private let archive: String
    /// How many changes by users the archive has.
    private let edits: Locked<Int>

    /// - Parameters:
    ///   - path: The file; created if it doesn't exist.
    ///   - archive: The archive's id.
    ///   - edits: How many changes by users it has.
    /// - Throws: ``ServerError`` if it can't be opened.
    init(_ path: String, of archive: String, edits: Int = 0) throws(ServerError) {
        self.archive = archive
        self.edits = Locked(edits)
        file = try DataFile.open(path, O_RDWR)
        note(edits: edits)
    }

    /// Notes how many changes by users the archive has. A later one may be noted first.
    func note(edits: Int) {
        self.edits.withLock {
            $0 = max($0, edits)
            write(End(id: archive, next: $0), row: 0)
        }
    }

    deinit {
        close(file)
    }

    func note(_ session: Session, next: Int) {
        ids.withLock { $0[session.row] = session.id }
        write(End(id: session.id, next: next), row: session.row)
    }

    func note(_ batch: Batch) {
        guard let id = ids.withLock({ $0[batch.session] }) else { return }
        write(End(id: id, next: batch.next), row: batch.session)
    }

    /// The archive may be damaged where it says so.
    func noteDeleted(_ id: String, row: Int64) {
        ids.withLock { $0[row] = nil }
        write(End(id: id, next: 0, isDeleted: true), row: row)
    }

    /// Forgets all positions except these, once the archive's file has the rest.
    func keep(_ ends: [Int64: End]) {
        guard ftruncate(file, 0) == 0 else { return }
        note(edits: 0)
        for (row, end) in ends { write(end, row: row) }
    }

    private func write(_ end: End, row: Int64) {
        guard row >= 0, row < 1 << 32 else { return }
        let slot = Self.bytes(end, row: row)
        _ = pwrite(file, slot, slot.count, off_t(row) * off_t(slot.count))
    }

    /// A checksum, the end, and the id.
    private static func bytes(_ end: End, row: Int64) -> [UInt8] {
        let id = Array(end.id.utf8.prefix(maxID))
        var content = withUnsafeBytes(of: (end.isDeleted ? deleted : Int64(end.next)).littleEndian, Array.init) + id
        content += repeatElement(0, count: slot - 8 - content.count)
        return withUnsafeBytes(of: check(content, row).littleEndian, Array.init) + content
    }

    /// FNV-1a. Zeros are not a valid slot.
    private static func check(_ content: [UInt8], _ row: Int64) -> UInt64 {
        var hash: UInt64 = 0xcbf2_9ce4_8422_2325 ^ UInt64(bitPattern: row)
        for byte in content { hash = (hash ^ UInt64(byte)) &* 0x100_0000_01b3 }
        return hash
    }

    /// The positions in a file; none if it doesn't exist. Damaged ones are left out.
    ///
    /// - Throws: ``ServerError`` if it can't be opened.
    static func read(_ path: String) throws(ServerError) -> [Int64: End] {
        guard let file = try DataFile.openExisting(path, O_RDONLY) else { return [:] }
        defer { close(file) }
        var ends: [Int64: End] = [:]
        var part = [UInt8](repeating: 0, count: slot << 12)
        var row: Int64 = 0
        while true {
            // Rows that nobody wrote are a hole, which may be much larger than the disk.
            let data = nextData(file, off_t(row) * off_t(slot))
            if data < 0, errno == ENXIO { return ends }
            row = max(row, Int64(data) / Int64(slot))
            let count = pread(file, &part, part.count, off_t(row) * off_t(slot))
            guard count >= slot else { return ends }
            for start in stride(from: 0, through: count - slot, by: slot) {
                if let end = end(part[start..<start + slot], row) { ends[row] = end }
                row += 1
            }
        }
    }

    /// The slots of sessions: each once, with its last end. The first slot is no session's.
    static func sessions(_ ends: [Int64: End]) -> [Int64: End] {
        var slots: [String: Int64] = [:]
        for (slot, end) in ends where slot > 0 && !end.isDeleted {
            if let other = slots[end.id], let known = ends[other], (known.next, other) > (end.next, slot) { continue }
            slots[end.id] = slot
        }
        return Dictionary(uniqueKeysWithValues: slots.values.compactMap { slot in ends[slot].map { (slot, $0) } })
    }

    static func nextData(_ file: Int32, _ from: off_t) -> off_t {
        #if os(Linux)
            next_data(file, from)
        #else
            lseek(file, from, SEEK_DATA)
        #endif
    }

    private static func end(_ slot: ArraySlice<UInt8>, _ row: Int64) -> End? {
        guard slot.contains(where: { $0 != 0 }) else { return nil }
        let content = Array(slot.dropFirst(8))
        guard slot.prefix(8).reversed().reduce(UInt64(0), { $0 << 8 | UInt64($1) }) == check(content, row)
        else { return nil }
        let next = content[..<8].reversed().reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
        let id = content[8...].prefix { $0 != 0 }
        let name = String(decoding: id, as: UTF8.self)
        if next == UInt64(deleted) { return End(id: name, next: 0, isDeleted: true) }
        guard 0...UInt64(Limits.seq + 1) ~= next else { return nil }
        return End(id: name, next: Int(next))
    }
}
