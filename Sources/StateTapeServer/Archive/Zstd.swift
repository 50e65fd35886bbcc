#if Server
    import CZstd
    import TapeFormat

    /// Compression of sealed data. Every frame has a checksum, which is verified on reading.
    enum Zstd {
        struct Failure: Error, CustomStringConvertible {
            let description: String
        }

        /// Lower levels are faster, with 10 % more output. Higher ones save a few per cent for several times the time.
        private static let level: Int32 = 6
        /// The limit in bytes of the content: a damaged frame might ask for any amount of memory.
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

        /// - Throws: `Failure` if the bytes are not a frame, or are damaged.
        static func decompress(_ frame: [UInt8]) throws(Failure) -> [UInt8] {
            return try make(capacity: size(of: frame)) { target in
                frame.withUnsafeBytes {
                    ZSTD_decompress(target.baseAddress, target.count, $0.baseAddress, $0.count)
                }
            }
        }

        /// The size of a frame's content in bytes, from the frame's first 18 bytes.
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
