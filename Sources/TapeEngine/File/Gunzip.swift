import CZlib

/// Decompresses a gzip file, which may have several members, chunk by chunk.
package final class Gunzip {
    package enum Failure: Error {
        /// The decompressed size exceeds the limit.
        case tooBig
        case broken(String)
    }

    /// The first bytes of a gzip file.
    static let magic: [UInt8] = [0x1f, 0x8b]

    private static let room = 256 << 10
    /// The maximum number of members; one more per `bytesPerMember` decompressed bytes. Without this limit a small file of
    /// empty members keeps a core busy.
    private static let maxMembers = 1_000
    private static let bytesPerMember = 256

    /// At a fixed address, because zlib points to it.
    private let stream = UnsafeMutablePointer<z_stream>.allocate(capacity: 1)
    /// The output buffer of one step.
    private let room = UnsafeMutableBufferPointer<UInt8>.allocate(capacity: Gunzip.room)
    private let limit: Int
    private var made = 0
    private var members = 0
    private var isReady: Bool
    /// Whether the last member is complete.
    private var isBetween = true

    /// Whether the file may end here.
    var isWhole: Bool { isBetween && members > 0 }

    /// - Parameter limit: The maximum decompressed size in bytes.
    init(limit: Int) {
        self.limit = limit
        stream.initialize(to: z_stream())
        // 16: accept only gzip.
        isReady =
            inflateInit2_(stream, 16 + MAX_WBITS, zlibVersion(), Int32(MemoryLayout<z_stream>.size)) == Z_OK
    }

    deinit {
        inflateEnd(stream)
        stream.deallocate()
        room.deallocate()
    }

    /// Decompresses a chunk; calls `take` with each part of the output.
    func unpack(_ piece: [UInt8], _ take: ([UInt8]) throws -> Void) throws {
        var rest = piece[...]
        var isMore = !rest.isEmpty
        while isMore {
            guard isReady else { throw Failure.broken("there is no stream") }
            let (taken, output, code) = step(rest)
            rest = rest.dropFirst(taken)
            made += output.count
            guard made <= limit else { throw Failure.tooBig }
            if !output.isEmpty { try take(output) }
            switch code {
            case Z_STREAM_END:
                isBetween = true
                members += 1
                guard members <= Self.maxMembers + made / Self.bytesPerMember else {
                    throw Failure.broken("it has \(members) parts with almost no content")
                }
                isReady = inflateReset(stream) == Z_OK
            case Z_OK: isBetween = false
            // No more output: the previous step filled the buffer exactly.
            case Z_BUF_ERROR where rest.isEmpty: break
            default:
                isReady = false
                throw Failure.broken(stream.pointee.msg.map { String(cString: $0) } ?? "code \(code)")
            }
            isMore = !rest.isEmpty || output.count == Self.room
        }
    }

    private func step(_ input: ArraySlice<UInt8>) -> (taken: Int, output: [UInt8], code: Int32) {
        let code = input.withUnsafeBufferPointer { input in
            // zlib doesn't write to its input.
            stream.pointee.next_in = UnsafeMutablePointer(mutating: input.baseAddress)
            stream.pointee.avail_in = UInt32(input.count)
            stream.pointee.next_out = room.baseAddress
            stream.pointee.avail_out = UInt32(room.count)
            return inflate(stream, Z_NO_FLUSH)
        }
        let output = [UInt8](room.prefix(room.count - Int(stream.pointee.avail_out)))
        return (input.count - Int(stream.pointee.avail_in), output, code)
    }
}
