#if Server
    import CZlib

    /// Unpacks a gzip file that comes in pieces: one member after the other.
    final class Gunzip {
        enum Failure: Error {
            /// It stands for more than may be.
            case tooBig
            case broken(String)
        }

        /// What gzip files begin with.
        static let magic: [UInt8] = [0x1f, 0x8b]

        private static let room = 256 << 10

        /// It stays where it is: zlib points to it.
        private let stream = UnsafeMutablePointer<z_stream>.allocate(capacity: 1)
        private let limit: Int
        private var made = 0
        private var isReady: Bool
        /// Between two members, or after the last one.
        private var isBetween = true

        /// Whether the file may end here.
        var isWhole: Bool { isBetween && made > 0 }

        /// - Parameter limit: Bytes that the file may stand for at most.
        init(limit: Int) {
            self.limit = limit
            stream.initialize(to: z_stream())
            // 16: gzip, and nothing else.
            isReady =
                inflateInit2_(stream, 16 + MAX_WBITS, zlibVersion(), Int32(MemoryLayout<z_stream>.size)) == Z_OK
        }

        deinit {
            inflateEnd(stream)
            stream.deallocate()
        }

        /// Unpacks a piece; `take` gets what it stands for, a part at a time.
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
                    isReady = inflateReset(stream) == Z_OK
                case Z_OK: isBetween = false
                // There was nothing to do: it had just filled the room.
                case Z_BUF_ERROR where rest.isEmpty: break
                default:
                    isReady = false
                    throw Failure.broken(stream.pointee.msg.map { String(cString: $0) } ?? "code \(code)")
                }
                isMore = !rest.isEmpty || output.count == Self.room
            }
        }

        private func step(_ input: ArraySlice<UInt8>) -> (taken: Int, output: [UInt8], code: Int32) {
            var code = Z_OK
            let output = [UInt8](unsafeUninitializedCapacity: Self.room) { output, count in
                code = input.withUnsafeBufferPointer { input in
                    // zlib does not write there.
                    stream.pointee.next_in = UnsafeMutablePointer(mutating: input.baseAddress)
                    stream.pointee.avail_in = UInt32(input.count)
                    stream.pointee.next_out = output.baseAddress
                    stream.pointee.avail_out = UInt32(output.count)
                    return inflate(stream, Z_NO_FLUSH)
                }
                count = output.count - Int(stream.pointee.avail_out)
            }
            return (input.count - Int(stream.pointee.avail_in), output, code)
        }
    }
#endif
