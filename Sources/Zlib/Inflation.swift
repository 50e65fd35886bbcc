internal import CZlib

/// Decompresses a stream of a peer that isn't trusted, in steps of a bounded size.
package final class Inflation {
    package enum State {
        /// The stream goes on.
        case open
        /// This was the end of the stream.
        case ended
        case broken(String)
    }

    package struct Step {
        /// How many bytes of the input were taken, and of output made.
        package let taken: Int
        package let made: Int
        package let state: State
    }

    /// At a fixed address, since zlib keeps a pointer to it.
    private let stream = UnsafeMutablePointer<z_stream>.allocate(capacity: 1)
    private var isReady: Bool

    package init(_ format: ZlibFormat) {
        stream.initialize(to: z_stream())
        isReady =
            inflateInit2_(stream, format.windowBits, zlibVersion(), Int32(MemoryLayout<z_stream>.size)) == Z_OK
    }

    deinit {
        inflateEnd(stream)
        stream.deallocate()
    }

    /// Decompresses as much input as fits into `room` bytes, which are appended to the output.
    package func step(_ input: ArraySlice<UInt8>, room: Int, to output: inout [UInt8]) -> Step {
        guard isReady else { return Step(taken: 0, made: 0, state: .broken("the stream has ended")) }
        let count = output.count
        output += [UInt8](repeating: 0, count: room)
        let code = input.withUnsafeBufferPointer { input in
            // zlib doesn't write to its input.
            stream.pointee.next_in = UnsafeMutablePointer(mutating: input.baseAddress)
            stream.pointee.avail_in = UInt32(input.count)
            return output.withUnsafeMutableBufferPointer { output in
                stream.pointee.next_out = output.baseAddress.map { $0 + count }
                stream.pointee.avail_out = UInt32(room)
                return inflate(stream, Z_SYNC_FLUSH)
            }
        }
        let (made, rest) = (room - Int(stream.pointee.avail_out), Int(stream.pointee.avail_in))
        output.removeLast(room - made)
        let state: State
        switch code {
        case Z_OK: state = .open
        // Not an error: the step before had just filled its room, and no input was left.
        case Z_BUF_ERROR where rest == 0: state = .open
        case Z_STREAM_END: state = .ended
        default:
            state = .broken(stream.pointee.msg.map { String(cString: $0) } ?? "code \(code)")
            isReady = false
        }
        return Step(taken: input.count - rest, made: made, state: state)
    }

    /// Begins another stream, after the end of one.
    package func reset() { isReady = inflateReset(stream) == Z_OK }

    /// Whether the input ended between two blocks, with no bits of the last byte left.
    package var isBetweenBlocks: Bool { stream.pointee.data_type & (128 | 63) == 128 }
}
