extension [UInt8] {
    /// The lines of a message without their newlines; empty ones are left out.
    package var lines: [[UInt8]] {
        withUnsafeBufferPointer { bytes in
            var lines: [[UInt8]] = []
            var rest = bytes[...]
            while !rest.isEmpty {
                let end = rest.firstIndex(of: UInt8(ascii: "\n")) ?? rest.endIndex
                if end > rest.startIndex { lines.append([UInt8](rest[..<end])) }
                rest = rest[Swift.min(end + 1, rest.endIndex)...]
            }
            return lines
        }
    }
}
