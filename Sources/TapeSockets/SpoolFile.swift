package import Foundation
import TapeFormat

/// Bytes that wait in a file without a name, which is gone with this object.
package final class SpoolFile: Sendable {
    /// What the system says.
    package struct Failure: Error {
        package let reason: String

        fileprivate init(_ number: Int32) { reason = String(cString: strerror(number)) }
    }

    private let descriptor: Int32
    private let length = Locked(0)

    /// An empty one.
    package init(in folder: URL) throws(Failure) {
        var path = Array(folder.appendingPathComponent("waiting-XXXXXX").path.utf8CString)
        descriptor = mkstemp(&path)
        guard descriptor >= 0 else { throw Failure(errno) }
        _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC)
        unlink(path)
    }

    deinit {
        if descriptor >= 0 { close(descriptor) }
    }

    /// The number of bytes.
    package var count: Int { length.withLock { $0 } }

    package func append(_ bytes: [UInt8]) throws(Failure) {
        let fault: Int32? = bytes.withUnsafeBytes { bytes in
            var rest = bytes[...]
            while !rest.isEmpty {
                let count = write(descriptor, UnsafeRawBufferPointer(rebasing: rest).baseAddress, rest.count)
                guard count > 0 else { return errno }
                rest = rest.dropFirst(count)
            }
            return nil
        }
        if let fault { throw Failure(fault) }
        length.withLock { $0 += bytes.count }
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
