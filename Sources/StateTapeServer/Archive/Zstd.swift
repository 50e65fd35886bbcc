#if Server
    import CZstd
    import TapeFormat

    /// Compression of what is sealed. Every frame carries a checksum, which is checked when it is read.
    enum Zstd {
        struct Failure: Error, CustomStringConvertible {
            let description: String
        }

        /// Lower ones are faster and leave a tenth more, higher ones win a few per cent for several times the time.
        private static let level: Int32 = 6
        /// Bytes of the longest content: a damaged frame may ask for any amount of memory.
        private static let maxSize: UInt64 = 1 << 31

        static func compress(_ bytes: [UInt8]) throws(Failure) -> [UInt8] {
            guard let context = ZSTD_createCCtx() else { throw Failure(description: "no memory to compress") }
            defer { ZSTD_freeCCtx(context) }
            ZSTD_CCtx_setParameter(context, ZSTD_c_compressionLevel, level)
            ZSTD_CCtx_setParameter(context, ZSTD_c_checksumFlag, 1)
            return try make(capacity: ZSTD_compressBound(bytes.count)) { target in
                bytes.withUnsafeBytes {
                    ZSTD_compress2(context, target.baseAddress, target.count, $0.baseAddress, $0.count)
                }
            }
        }

        /// - Throws: `Failure` if the bytes are no frame, or damaged.
        static func decompress(_ frame: [UInt8]) throws(Failure) -> [UInt8] {
            return try make(capacity: size(of: frame)) { target in
                frame.withUnsafeBytes {
                    ZSTD_decompress(target.baseAddress, target.count, $0.baseAddress, $0.count)
                }
            }
        }

        /// How many bytes a frame holds, told by its first 18 bytes.
        static func size(of frame: [UInt8]) throws(Failure) -> Int {
            let size = frame.withUnsafeBytes { ZSTD_getFrameContentSize($0.baseAddress, $0.count) }
            guard size <= maxSize else { throw Failure(description: "no compressed frame, or a damaged one") }
            return Int(size)
        }

        private static func make(
            capacity: Int, _ fill: (UnsafeMutableRawBufferPointer) -> Int
        ) throws(Failure) -> [UInt8] {
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
#endif
