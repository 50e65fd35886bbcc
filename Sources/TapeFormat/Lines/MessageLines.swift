#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#elseif canImport(Darwin)
    import Darwin
#endif

extension [UInt8] {
    /// The lines of a message without their newlines; empty ones are left out.
    package var lines: [[UInt8]] {
        withUnsafeBufferPointer { bytes in
            guard let base = bytes.baseAddress else { return [] }
            var lines: [[UInt8]] = []
            var start = 0
            while start < bytes.count {
                let found = memchr(base + start, Int32(UInt8(ascii: "\n")), bytes.count - start)
                let end = found.map { UnsafeRawPointer($0) - UnsafeRawPointer(base) } ?? bytes.count
                if end > start { lines.append([UInt8](bytes[start..<end])) }
                start = end + 1
            }
            return lines
        }
    }
}
