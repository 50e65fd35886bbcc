#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#elseif canImport(Darwin)
    import Darwin
#endif

extension String {
    /// Whether both strings have the same UTF-8 bytes.
    package func hasSameUTF8(as other: String) -> Bool {
        let count = utf8.count
        guard count == other.utf8.count else { return false }
        // A fast path for short names that differ.
        if count < 16, self != other { return false }
        var left = self
        var right = other
        return left.withUTF8 { left in
            right.withUTF8 { right in
                guard let left = left.baseAddress, let right = right.baseAddress else { return true }
                return memcmp(left, right, count) == 0
            }
        }
    }
}

/// A string that compares by its UTF-8 bytes, for sets and dictionaries.
package struct UTF8Text: Hashable {
    package let text: String

    package init(_ text: String) {
        self.text = text
    }

    package static func == (left: UTF8Text, right: UTF8Text) -> Bool {
        left.text.hasSameUTF8(as: right.text)
    }

    package func hash(into hasher: inout Hasher) {
        var text = text
        text.withUTF8 { hasher.combine(bytes: UnsafeRawBufferPointer($0)) }
        hasher.combine(0xff as UInt8)
    }
}
