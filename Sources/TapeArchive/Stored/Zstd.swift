import CZstd
package import TapeEngine
import TapeFormat

/// Compression of sealed data. Every frame has a checksum, which is verified on reading.
package enum Zstd {
    package struct Failure: Error, CustomStringConvertible {
        package let description: String
    }

    /// Lower levels are faster, with 10 % more output. Higher ones save a few per cent for several times the time.
    private static let level: Int32 = 6
    /// The limit in bytes of the content: a damaged frame might ask for any amount of memory.
    private static let maxSize: UInt64 = 1 << 31
    /// The size in bytes of the pieces of a state.
    private static let piece = 1 << 20

    package static func compress(_ bytes: [UInt8]) throws(Failure) -> [UInt8] {
        let kept = spare.withLock { $0.take() }
        let compressor = if let kept { kept } else { try Compressor() }
        defer { if compressor.isSmall { spare.withLock { $0 = compressor } } }
        return try make(capacity: ZSTD_compressBound(bytes.count)) { target in
            bytes.withUnsafeBytes {
                ZSTD_compress2(compressor.context, target.baseAddress, target.count, $0.baseAddress, $0.count)
            }
        }
    }

    /// Compresses the text of a state piece by piece.
    package static func compress(_ state: HeldState) throws -> [UInt8] {
        if case .value(let value) = state { return try compress(value.bytes) }
        var size = 0
        state.write(inPiecesOf: piece) { size += $0.count }
        let compressor = try Compressor()
        let context = compressor.context
        // Readers take the content's size from the head of the frame.
        ZSTD_CCtx_setPledgedSrcSize(context, UInt64(size))
        var frame: [UInt8] = []
        try state.write(inPiecesOf: piece) { try add($0, ZSTD_e_continue, to: &frame, context) }
        try add([], ZSTD_e_end, to: &frame, context)
        return frame
    }

    private static func add(
        _ piece: [UInt8], _ mode: ZSTD_EndDirective, to frame: inout [UInt8], _ context: OpaquePointer
    ) throws(Failure) {
        var read = 0
        var left = 0
        repeat {
            frame += try make(capacity: ZSTD_CStreamOutSize()) { target in
                piece.withUnsafeBytes { source in
                    var input = ZSTD_inBuffer(src: source.baseAddress, size: source.count, pos: read)
                    var output = ZSTD_outBuffer(dst: target.baseAddress, size: target.count, pos: 0)
                    left = ZSTD_compressStream2(context, &output, &input, mode)
                    read = input.pos
                    return ZSTD_isError(left) == 0 ? output.pos : left
                }
            }
        } while read < piece.count || mode == ZSTD_e_end && left > 0
    }

    /// Kept for the next chunk: clearing a new one's tables took a tenth of sealing.
    private static let spare = Locked<Compressor?>(nil)

    // Unchecked: used by one thread at a time.
    private final class Compressor: @unchecked Sendable {
        private static let maxKept = 8 << 20
        let context: OpaquePointer

        init() throws(Failure) {
            guard let context = ZSTD_createCCtx() else { throw Failure(description: "no memory to compress") }
            self.context = context
            ZSTD_CCtx_setParameter(context, ZSTD_c_compressionLevel, level)
            ZSTD_CCtx_setParameter(context, ZSTD_c_checksumFlag, 1)
        }

        deinit {
            ZSTD_freeCCtx(context)
        }

        var isSmall: Bool { ZSTD_sizeof_CCtx(context) <= Self.maxKept }
    }

    /// - Throws: `Failure` if the bytes are not a frame, or are damaged.
    package static func decompress(_ frame: [UInt8]) throws(Failure) -> [UInt8] {
        return try make(capacity: size(of: frame)) { target in
            frame.withUnsafeBytes {
                ZSTD_decompress(target.baseAddress, target.count, $0.baseAddress, $0.count)
            }
        }
    }

    /// The size of a frame's content in bytes, from the frame's first 18 bytes.
    package static func size(of frame: [UInt8]) throws(Failure) -> Int {
        let size = frame.withUnsafeBytes { ZSTD_getFrameContentSize($0.baseAddress, $0.count) }
        guard size <= maxSize else { throw Failure(description: "no compressed frame, or a damaged one") }
        return Int(size)
    }

    private static func make(capacity: Int, _ fill: (UnsafeMutableRawBufferPointer) -> Int) throws(Failure) -> [UInt8] {
        var failure: String?
        let bytes = [UInt8](unsafeUninitializedCapacity: capacity) { buffer, count in
            let result = fill(UnsafeMutableRawBufferPointer(buffer))
            if ZSTD_isError(result) == 0 {
                count = result
            } else {
                failure = String(cString: ZSTD_getErrorName(result))
            }
        }
        if let failure { throw Failure(description: failure) }
        return bytes
    }
}
