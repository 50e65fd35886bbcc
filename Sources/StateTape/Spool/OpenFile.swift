import Foundation

/// Why something could not be done with a file, as the end of a sentence.
struct FileFailure: Error, CustomStringConvertible {
    let description: String

    /// - Parameter code: An `errno`.
    init(_ place: URL, code: Int32 = errno) {
        description = "\(place.path): \(String(cString: strerror(code)))"
    }
}

/// An open file, closed when it is let go of, which also frees its lock.
final class OpenFile: Sendable {
    let descriptor: Int32
    private let place: URL

    /// Opens a file for its owner alone.
    ///
    /// - Parameter flags: Of `open(2)`; a child process never inherits the file, and a link is not followed.
    init(_ place: URL, _ flags: Int32) throws(FileFailure) {
        self.place = place
        descriptor = open(place.path, flags | O_CLOEXEC | O_NOFOLLOW, 0o600)
        guard descriptor >= 0 else { throw FileFailure(place) }
    }

    deinit {
        guard descriptor >= 0 else { return }
        close(descriptor)
    }

    /// Takes the lock that no other open file of the same place can have meanwhile, in this process or another.
    ///
    /// - Returns: False if somebody has it.
    func lock() throws(FileFailure) -> Bool {
        if flock(descriptor, LOCK_EX | LOCK_NB) == 0 { return true }
        guard errno == EWOULDBLOCK else { throw FileFailure(place) }
        return false
    }

    /// Whether both are one file, not only of one name.
    func isSame(as other: OpenFile) -> Bool {
        var (own, found) = (stat(), stat())
        return fstat(descriptor, &own) == 0 && fstat(other.descriptor, &found) == 0 && own.st_ino == found.st_ino
            && own.st_dev == found.st_dev
    }

    /// Writes at the end of what was written.
    func write(_ bytes: [UInt8]) throws(FileFailure) {
        var written = 0
        while written < bytes.count {
            let count = bytes.withUnsafeBytes { bytes in
                Foundation.write(descriptor, bytes.baseAddress.map { $0 + written }, bytes.count - written)
            }
            if count < 0, errno == EINTR { continue }
            // A file system that is full may take a part.
            guard count > 0 else { throw FileFailure(place, code: count < 0 ? errno : ENOSPC) }
            written += count
        }
    }

    func truncate(to count: Int) throws(FileFailure) {
        guard ftruncate(descriptor, off_t(count)) == 0 else { throw FileFailure(place) }
    }

    /// Makes the file so long and maps it. The disk gives the room now: where it is missing, touching a page later would
    /// stop the process.
    ///
    /// - Returns: Memory that outlives the process's death in the file, until `munmap`.
    func mapped(_ count: Int) throws(FileFailure) -> UnsafeMutableRawPointer {
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
