internal import CZlib

/// The formats that zlib reads and writes.
package enum ZlibFormat {
    /// Without header and checksum, with a window of 2^bits bytes.
    case raw(windowBits: Int32)
    case gzip

    var windowBits: Int32 {
        switch self {
        case .raw(let bits): -bits
        case .gzip: 16 + MAX_WBITS
        }
    }
}

/// Compresses a stream, piece by piece.
package final class Deflation {
    package struct Failure: Error {}

    /// What a piece's output contains.
    package enum Flush {
        /// What zlib chooses.
        case none
        /// Everything so far, so that the other side can read it.
        case sync
        /// Everything, and the end of the stream.
        case finish

        fileprivate var code: Int32 {
            switch self {
            case .none: Z_NO_FLUSH
            case .sync: Z_SYNC_FLUSH
            case .finish: Z_FINISH
            }
        }
    }

    /// At a fixed address, since zlib keeps a pointer to it.
    private let stream = UnsafeMutablePointer<z_stream>.allocate(capacity: 1)

    /// - Parameters:
    ///   - level: From 1, the fastest, to 9.
    ///   - memory: From 1 to 9, the fastest.
    /// - Throws: ``Failure`` if memory is short.
    package init(_ format: ZlibFormat, level: Int32, memory: Int32 = 8) throws(Failure) {
        stream.initialize(to: z_stream())
        let code = deflateInit2_(
            stream, level, Z_DEFLATED, format.windowBits, memory, Z_DEFAULT_STRATEGY, zlibVersion(),
            Int32(MemoryLayout<z_stream>.size))
        guard code == Z_OK else {
            stream.deallocate()
            throw Failure()
        }
    }

    deinit {
        deflateEnd(stream)
        stream.deallocate()
    }

    /// Compresses a piece, and appends what comes out.
    package func add(_ piece: [UInt8], _ flush: Flush, to output: inout [UInt8]) throws(Failure) {
        var count = output.count
        // More than a flush can add.
        output += [UInt8](repeating: 0, count: Int(deflateBound(stream, UInt(piece.count))) + 64)
        var code = Z_OK
        piece.withUnsafeBufferPointer { input in
            // zlib doesn't write to its input.
            stream.pointee.next_in = UnsafeMutablePointer(mutating: input.baseAddress)
            stream.pointee.avail_in = UInt32(input.count)
            repeat {
                if count == output.count { output += [UInt8](repeating: 0, count: output.count) }
                output.withUnsafeMutableBufferPointer { output in
                    stream.pointee.next_out = output.baseAddress.map { $0 + count }
                    stream.pointee.avail_out = UInt32(output.count - count)
                    code = deflate(stream, flush.code)
                    count = output.count - Int(stream.pointee.avail_out)
                }
            } while stream.pointee.avail_out == 0 && code == Z_OK
        }
        output.removeLast(output.count - count)
        guard flush == .finish ? code == Z_STREAM_END : code == Z_OK || code == Z_BUF_ERROR else { throw Failure() }
    }
}
