package import Foundation
import TapeFormat

/// Bytes that wait in a file without a name, which is gone with this object.
package final class SpoolFile: Sendable {
    private let descriptor: Int32
    private let length = Locked(0)

    /// An empty one; nil if the file can't be made.
    package init?(in folder: URL) {
        var path = Array(folder.appendingPathComponent("waiting-XXXXXX").path.utf8CString)
        descriptor = mkstemp(&path)
        guard descriptor >= 0 else { return nil }
        _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC)
        unlink(path)
    }

    deinit {
        if descriptor >= 0 { close(descriptor) }
    }

    /// The number of bytes.
    package var count: Int { length.withLock { $0 } }

    /// Returns false if the file can't be written.
    package func append(_ bytes: [UInt8]) -> Bool {
        let isWritten = bytes.withUnsafeBytes { bytes in
            var rest = bytes[...]
            while !rest.isEmpty {
                let count = write(descriptor, UnsafeRawBufferPointer(rebasing: rest).baseAddress, rest.count)
                guard count > 0 else { return false }
                rest = rest.dropFirst(count)
            }
            return true
        }
        if isWritten { length.withLock { $0 += bytes.count } }
        return isWritten
    }

    /// Up to `most` bytes from `start` on, which must not be behind the end. Nil if the file can't be read.
    package func read(from start: Int, most: Int) -> [UInt8]? {
        let wanted = min(most, count - start)
        let bytes = [UInt8](unsafeUninitializedCapacity: wanted) { buffer, count in
            while count < wanted {
                let place = buffer.baseAddress.map { $0 + count }
                let read = pread(descriptor, place, wanted - count, off_t(start + count))
                guard read > 0 else { return }
                count += read
            }
        }
        return bytes.count == wanted ? bytes : nil
    }
}
