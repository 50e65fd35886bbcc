import Foundation
import TapeFormat

/// The lines of an opened tape, in an unlinked temporary file, which the system removes when it is closed.
final class LineStore: Sendable {
    private static let maxWaiting = 1 << 20

    private let file: Int32
    /// The bytes that aren't written yet, and their offset in the file.
    private let waiting = Locked<(start: Int, bytes: [UInt8])>((0, []))

    init() throws {
        let folder = FileManager.default.temporaryDirectory
        var path = Array(folder.appendingPathComponent("statetape-XXXXXX").path.utf8CString)
        file = mkstemp(&path)
        guard file >= 0 else { throw Self.failure("create a file in \(folder.path)") }
        unlink(path)
    }

    deinit {
        close(file)
    }

    func append(_ line: [UInt8]) throws {
        try waiting.withLock { waiting in
            waiting.bytes += line
            waiting.bytes.append(UInt8(ascii: "\n"))
            if waiting.bytes.count >= Self.maxWaiting { try flush(&waiting) }
        }
    }

    /// Reads a range of the appended bytes.
    func read(_ range: Range<Int>) throws -> [UInt8] {
        try waiting.withLock { try flush(&$0) }
        var failure: (any Error)?
        let bytes = [UInt8](unsafeUninitializedCapacity: range.count) { buffer, count in
            while count < range.count {
                let more = pread(
                    file, buffer.baseAddress.map { $0 + count }, range.count - count, off_t(range.lowerBound + count))
                guard more > 0 else {
                    if more < 0, errno == EINTR { continue }
                    failure = Self.failure("read a temporary file")
                    return
                }
                count += more
            }
        }
        if let failure { throw failure }
        return bytes
    }

    private func flush(_ waiting: inout (start: Int, bytes: [UInt8])) throws {
        var written = 0
        while written < waiting.bytes.count {
            let more = waiting.bytes.withUnsafeBytes { bytes in
                pwrite(
                    file, bytes.baseAddress.map { $0 + written }, bytes.count - written,
                    off_t(waiting.start + written))
            }
            if more < 0, errno == EINTR { continue }
            guard more > 0 else { throw Self.failure("write a temporary file") }
            written += more
        }
        waiting = (waiting.start + written, [])
    }

    private static func failure(_ operation: String) -> OpenedTape.Failure {
        OpenedTape.Failure(line: nil, reason: "Can't \(operation): \(String(cString: strerror(errno)))")
    }
}
