import CZlib
import TapeFormat

/// Decompresses the messages of one connection. The peer isn't trusted.
final class Inflater {
    enum Failure: Error {
        /// The decompressed message is longer than allowed.
        case tooBig
        /// The bytes are not part of the stream.
        case broken(String)
    }

    /// The most bytes that are decompressed at once.
    private static let mostAtOnce = 1 << 20

    /// At a fixed address, since zlib keeps a pointer to it.
    private let stream = UnsafeMutablePointer<z_stream>.allocate(capacity: 1)
    private var isReady: Bool

    init() {
        stream.initialize(to: z_stream())
        isReady =
            inflateInit2_(
                stream, -Int32(Compression.windowBits), zlibVersion(), Int32(MemoryLayout<z_stream>.size)) == Z_OK
    }

    deinit {
        inflateEnd(stream)
        stream.deallocate()
    }

    /// Decompresses a message. After a failure the stream can't be used any more.
    ///
    /// - Parameters:
    ///   - message: The compressed message, with its mark.
    ///   - limit: The most bytes that the message may have after decompression.
    func message(_ message: [UInt8], limit: Int) throws(Failure) -> [UInt8] {
        var output: [UInt8] = []
        for piece in [message.dropFirst(), Compression.tail[...]] { try inflate(piece, limit, &output) }
        // 128: between two blocks. 63: bits that are left of the last byte.
        guard stream.pointee.data_type & (128 | 63) == 128 else { throw fail("a message ends inside a block") }
        return output
    }

    private func inflate(_ input: ArraySlice<UInt8>, _ limit: Int, _ output: inout [UInt8]) throws(Failure) {
        var rest = input
        // Most messages fit the first time.
        var room = min(limit + 1, Self.mostAtOnce, max(1 << 10, input.count * 16))
        var isMore = true
        while isMore {
            guard isReady else { throw fail("the stream has ended") }
            let (taken, made, code) = step(rest, room, &output)
            rest = rest.dropFirst(taken)
            isMore = !rest.isEmpty || made == room
            guard output.count <= limit else {
                isReady = false
                throw .tooBig
            }
            // Not an error: the last step had just filled the output, and no input was left.
            guard code == Z_OK || code == Z_BUF_ERROR && rest.isEmpty else {
                throw fail(
                    code == Z_STREAM_END
                        ? "the stream has ended" : stream.pointee.msg.map { String(cString: $0) } ?? "code \(code)"
                )
            }
            room = min(limit + 1 - output.count, Self.mostAtOnce, 2 * room)
        }
    }

    /// Decompresses as much input as fits into the output.
    private func step(
        _ input: ArraySlice<UInt8>, _ room: Int, _ output: inout [UInt8]
    ) -> (taken: Int, made: Int, code: Int32) {
        let count = output.count
        output += [UInt8](repeating: 0, count: room)
        let code = input.withUnsafeBufferPointer { input in
            // zlib doesn't write to its input.
            stream.pointee.next_in = UnsafeMutablePointer(mutating: input.baseAddress)
            stream.pointee.avail_in = UInt32(input.count)
            return output.withUnsafeMutableBufferPointer { output in
                stream.pointee.next_out = output.baseAddress.map { $0 + count }
                stream.pointee.avail_out = UInt32(room)
                return CZlib.inflate(stream, Z_SYNC_FLUSH)
            }
        }
        let made = room - Int(stream.pointee.avail_out)
        output.removeLast(room - made)
        return (input.count - Int(stream.pointee.avail_in), made, code)
    }

    private func fail(_ reason: String) -> Failure {
        isReady = false
        return .broken(reason)
    }
}
