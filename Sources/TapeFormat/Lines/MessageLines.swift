#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#elseif canImport(Darwin)
    import Darwin
#endif

extension [UInt8] {
    /// The lines of a message without their newlines; empty lines are skipped.
    package var lines: [[UInt8]] { linePlaces.map { [UInt8](self[$0]) } }

    /// The ranges of the lines of a message.
    package var linePlaces: [Range<Int>] {
        withUnsafeBufferPointer { bytes in
            guard let base = bytes.baseAddress else { return [] }
            var places: [Range<Int>] = []
            var start = 0
            while start < bytes.count {
                let found = memchr(base + start, Int32(UInt8(ascii: "\n")), bytes.count - start)
                let end = found.map { UnsafeRawPointer($0) - UnsafeRawPointer(base) } ?? bytes.count
                if end > start { places.append(start..<end) }
                start = end + 1
            }
            return places
        }
    }
}
