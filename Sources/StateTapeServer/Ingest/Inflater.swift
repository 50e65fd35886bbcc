#if Server
    import CZlib
    import TapeFormat

    /// Decompresses what comes over one connection, from a peer that nothing is known of.
    final class Inflater {
        enum Failure: Error {
            /// What it stands for is longer than may be.
            case tooBig
            /// It is no piece of the stream.
            case broken(String)
        }

        /// It stays where it is: zlib points to it.
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

        /// What a compressed message stands for. After a failure the stream is at its end.
        ///
        /// - Parameters:
        ///   - message: With the mark.
        ///   - limit: Bytes that it may stand for at most.
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
            var room = min(limit + 1, max(1 << 10, input.count * 16))
            var isMore = true
            while isMore {
                guard isReady else { throw fail("there is no stream") }
                let (taken, made, code) = step(rest, room, &output)
                rest = rest.dropFirst(taken)
                isMore = !rest.isEmpty || made == room
                guard output.count <= limit else {
                    isReady = false
                    throw .tooBig
                }
                // There was nothing to do: it had just filled the room.
                guard code == Z_OK || code == Z_BUF_ERROR && rest.isEmpty else {
                    throw fail(
                        code == Z_STREAM_END
                            ? "the stream has an end" : stream.pointee.msg.map { String(cString: $0) } ?? "code \(code)"
                    )
                }
                room = min(limit + 1 - output.count, 2 * room)
            }
        }

        /// Takes as much of the input as there is room for.
        private func step(
            _ input: ArraySlice<UInt8>, _ room: Int, _ output: inout [UInt8]
        ) -> (taken: Int, made: Int, code: Int32) {
            let count = output.count
            output += [UInt8](repeating: 0, count: room)
            let code = input.withUnsafeBufferPointer { input in
                // zlib does not write there.
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
#endif
