import Foundation
import TapeFormat

/// Disk space reserved for deletions: on a full disk, even a deletion must write something first.
final class DiskReserve: Sendable {
    private let path: String
    private let folder: String
    private let size: Int
    /// Whether the space was released to the disk and not reserved again.
    private let isReleased = Locked(false)
    /// The largest reserve in bytes, and the largest part of the disk.
    private static let maxSize = 16 << 20
    private static let part = 4

    /// - Parameter path: The file that takes the space; created if the disk has enough.
    init(_ path: String) {
        self.path = path
        folder = (path as NSString).deletingLastPathComponent
        var system = statvfs()
        // 0 for a folder that doesn't exist yet.
        let total = statvfs(folder, &system) == 0 ? Self.bytes(system.f_blocks, of: system.f_frsize) : 0
        size = min(Self.maxSize, total / Self.part)
        take(leaving: size)
    }

    /// Reserves the space again once the disk has enough.
    ///
    /// - Returns: False if it is still released.
    func retake() -> Bool {
        isReleased.withLock { isReleased in
            if take(leaving: slack) { isReleased = false }
            return !isReleased
        }
    }

    /// Whether the disk has this many bytes free besides the reserve.
    func leaves(_ bytes: Int) -> Bool { free.map { $0 >= bytes + slack } ?? true }

    /// Releases the space to the disk.
    ///
    /// - Returns: False if none was reserved.
    func release() -> Bool {
        isReleased.withLock { isReleased in
            guard unlink(path) == 0 else { return false }
            isReleased = true
            return true
        }
    }

    /// Extra bytes for small writes besides the reserve.
    private var slack: Int { size / 4 }

    /// Free bytes of the disk; nil if unknown.
    private var free: Int? {
        var system = statvfs()
        return statvfs(folder, &system) == 0 ? Self.bytes(system.f_bavail, of: system.f_frsize) : nil
    }

    /// - Returns: Whether the space is reserved.
    @discardableResult
    private func take(leaving rest: Int) -> Bool {
        guard size > 0, access(path, F_OK) != 0, let free else { return true }
        guard free - size >= rest else { return false }
        let file = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
        guard file >= 0 else { return false }
        defer { close(file) }
        if Self.allocate(size, file) { return true }
        unlink(path)
        return false
    }

    private static func allocate(_ size: Int, _ file: Int32) -> Bool {
        #if canImport(Darwin)
            var store = fstore_t(
                fst_flags: UInt32(F_ALLOCATEALL), fst_posmode: F_PEOFPOSMODE, fst_offset: 0,
                fst_length: off_t(size), fst_bytesalloc: 0)
            return fcntl(file, F_PREALLOCATE, &store) >= 0 && ftruncate(file, off_t(size)) == 0
        #else
            return posix_fallocate(file, 0, off_t(size)) == 0
        #endif
    }

    private static func bytes<Blocks: BinaryInteger, Size: BinaryInteger>(_ blocks: Blocks, of size: Size) -> Int {
        let (bytes, isTooMany) = Int(clamping: blocks).multipliedReportingOverflow(by: Int(clamping: size))
        return isTooMany ? .max : bytes
    }
}
