package import Foundation

/// Why a file operation failed, as the end of a sentence.
package struct FileFailure: Error, CustomStringConvertible {
    package let description: String

    /// - Parameter code: An `errno`.
    package init(_ place: URL, code: Int32 = errno) {
        self.init(place, String(cString: strerror(code)))
    }

    package init(_ place: URL, _ reason: String) {
        description = "\(place.path): \(reason)"
    }
}

/// An open file. Releasing it closes the file and frees its lock.
package final class OpenFile: Sendable {
    package let descriptor: Int32
    private let place: URL

    /// Opens a file.
    ///
    /// - Parameters:
    ///   - flags: Flags of `open(2)`; child processes never inherit the file.
    ///   - followsLinks: Whether a symbolic link at the path is followed.
    ///   - mode: The permissions of a new file.
    package init(
        _ place: URL, _ flags: Int32, followsLinks: Bool = false, mode: mode_t = 0o600
    ) throws(FileFailure) {
        self.place = place
        descriptor = open(place.path, flags | O_CLOEXEC | (followsLinks ? 0 : O_NOFOLLOW), mode)
        guard descriptor >= 0 else { throw FileFailure(place) }
    }

    /// Takes over a descriptor.
    package init(_ place: URL, descriptor: Int32) {
        self.place = place
        self.descriptor = descriptor
    }

    /// The file's status; nil if the system can't tell it.
    package var status: stat? {
        var found = stat()
        return fstat(descriptor, &found) == 0 ? found : nil
    }

    /// Whether it is a file with bytes, not a folder, pipe or device.
    package var isRegular: Bool { status.map { $0.st_mode & S_IFMT == S_IFREG } ?? false }

    deinit {
        guard descriptor >= 0 else { return }
        close(descriptor)
    }

    /// The longest file to read whole, in bytes: more than a segment holds, with several states of the longest line.
    private static let maxSize = 1 << 30

    /// The bytes of a regular file. It never waits for a pipe or a device.
    package static func read(_ place: URL) throws(FileFailure) -> [UInt8] {
        let file = try OpenFile(place, O_RDONLY | O_NONBLOCK)
        guard let found = file.status else { throw FileFailure(place) }
        guard found.st_mode & S_IFMT == S_IFREG else { throw FileFailure(place, "it is not a regular file") }
        // A sparse file may report more than the memory holds.
        guard found.st_size <= maxSize else { throw FileFailure(place, "it is longer than \(maxSize) bytes") }
        guard let bytes = file.contents(atMost: Int(found.st_size)) else { throw FileFailure(place) }
        return bytes
    }

    /// The first bytes of the file; nil if it can't be read.
    package func contents(atMost limit: Int) -> [UInt8]? {
        var isRead = true
        let bytes = [UInt8](unsafeUninitializedCapacity: limit) { buffer, count in
            while count < limit, let base = buffer.baseAddress {
                let read = pread(descriptor, base + count, limit - count, off_t(count))
                if read < 0, errno == EINTR { continue }
                isRead = isRead && read >= 0
                guard read > 0 else { break }
                count += read
            }
        }
        return isRead ? bytes : nil
    }

    /// Takes the file's lock, which only one open file can have, in this process or another.
    ///
    /// - Returns: False if another open file has it.
    package func lock() throws(FileFailure) -> Bool {
        if flock(descriptor, LOCK_EX | LOCK_NB) == 0 { return true }
        guard errno == EWOULDBLOCK else { throw FileFailure(place) }
        return false
    }

    /// Whether both are the same file, not only two files of one name.
    package func isSame(as other: OpenFile) -> Bool {
        guard let own = status, let found = other.status else { return false }
        return own.st_ino == found.st_ino && own.st_dev == found.st_dev
    }

    /// Writes after the bytes written before.
    package func write(_ bytes: [UInt8]) throws(FileFailure) {
        var written = 0
        while written < bytes.count {
            let count = bytes.withUnsafeBytes { bytes in
                Foundation.write(descriptor, bytes.baseAddress.map { $0 + written }, bytes.count - written)
            }
            if count < 0, errno == EINTR { continue }
            // A full file system may accept only a part.
            guard count > 0 else { throw FileFailure(place, code: count < 0 ? errno : ENOSPC) }
            written += count
        }
    }

    /// Overwrites the file. At no moment is it empty.
    package func replace(by bytes: [UInt8]) throws(FileFailure) {
        guard lseek(descriptor, 0, SEEK_SET) == 0 else { throw FileFailure(place) }
        try write(bytes)
        try truncate(to: bytes.count)
    }

    package func truncate(to count: Int) throws(FileFailure) {
        guard ftruncate(descriptor, off_t(count)) == 0 else { throw FileFailure(place) }
    }

    /// Sets the file's length and maps it. The disk space is allocated now: if it were missing later, touching a page
    /// would kill the process.
    ///
    /// - Returns: Memory whose bytes stay in the file after the process dies, until `munmap`.
    package func mapped(_ count: Int) throws(FileFailure) -> UnsafeMutableRawPointer {
        #if canImport(Darwin)
            var store = fstore_t(
                fst_flags: UInt32(F_ALLOCATEALL), fst_posmode: F_PEOFPOSMODE, fst_offset: 0, fst_length: off_t(count),
                fst_bytesalloc: 0)
            guard fcntl(descriptor, F_PREALLOCATE, &store) >= 0 else { throw FileFailure(place) }
            try truncate(to: count)
        #else
            let code = posix_fallocate(descriptor, 0, off_t(count))
            guard code == 0 else { throw FileFailure(place, code: code) }
        #endif
        let memory = mmap(nil, count, PROT_READ | PROT_WRITE, MAP_SHARED, descriptor, 0)
        guard let memory, memory != UnsafeMutableRawPointer(bitPattern: -1) else { throw FileFailure(place) }
        return memory
    }
}
