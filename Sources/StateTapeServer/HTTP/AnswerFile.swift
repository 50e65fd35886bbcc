#if Server
    import Foundation
    import TapeFormat

    /// A body that waits in a file without a name, which is gone when nobody reads it any more.
    final class AnswerFile: Sendable {
        private static let piece = 256 << 10

        private let file: Int32
        private let place = Locked(0)
        private let length = Locked(0)
        private let held: any AnyObject & Sendable

        /// An empty one; nil if the file can't be made.
        ///
        /// - Parameter held: What lives as long as the file.
        init?(in folder: URL, held: any AnyObject & Sendable) {
            self.held = held
            var path = Array(folder.appendingPathComponent("answer-XXXXXX").path.utf8CString)
            file = mkstemp(&path)
            guard file >= 0 else { return nil }
            _ = fcntl(file, F_SETFD, FD_CLOEXEC)
            unlink(path)
        }

        /// Nil if the file can't be written.
        convenience init?(_ body: [UInt8], in folder: URL, held: any AnyObject & Sendable) {
            self.init(in: folder, held: held)
            guard append(body) else { return nil }
        }

        deinit {
            if file >= 0 { close(file) }
        }

        /// The bytes of the body.
        var count: Int { length.withLock { $0 } }

        /// Returns false if the file can't be written.
        func append(_ body: [UInt8]) -> Bool {
            guard Self.write(body, to: file) else { return false }
            length.withLock { $0 += body.count }
            return true
        }

        /// The next piece; nil at the end.
        func next() throws -> [UInt8]? {
            let start = place.withLock { $0 }
            let wanted = min(Self.piece, count - start)
            guard wanted > 0 else { return nil }
            let piece = [UInt8](unsafeUninitializedCapacity: wanted) { buffer, read in
                read = max(0, pread(file, buffer.baseAddress, wanted, off_t(start)))
            }
            guard !piece.isEmpty else { throw CocoaError(.fileReadUnknown) }
            place.withLock { $0 = start + piece.count }
            return piece
        }

        private static func write(_ body: [UInt8], to file: Int32) -> Bool {
            body.withUnsafeBytes { bytes in
                var rest = bytes[...]
                while !rest.isEmpty {
                    let count = Foundation.write(file, UnsafeRawBufferPointer(rebasing: rest).baseAddress, rest.count)
                    guard count > 0 else { return false }
                    rest = rest.dropFirst(count)
                }
                return true
            }
        }
    }
#endif
