/// The difference of two UTF-8 texts as one replaced range, whose bounds are between two scalars in both texts.
package struct Splice: Equatable {
    /// The start of the change in both texts, in bytes.
    package let at: Int
    /// The number of bytes that the old text loses.
    package let removed: Int
    /// The range of the new text that replaces them.
    package let inserted: Range<Int>

    /// Returns nil if the texts are equal.
    package init?(from old: UnsafeBufferPointer<UInt8>, to new: UnsafeBufferPointer<UInt8>) {
        let (left, right) = (UnsafeRawBufferPointer(old), UnsafeRawBufferPointer(new))
        let shorter = min(left.count, right.count)
        var prefix = 0
        while prefix + 8 <= shorter, Self.word(left, prefix) == Self.word(right, prefix) { prefix += 8 }
        while prefix < shorter, left[prefix] == right[prefix] { prefix += 1 }
        if prefix == left.count, prefix == right.count { return nil }
        while prefix > 0, Self.isInsideScalar(left, prefix) || Self.isInsideScalar(right, prefix) { prefix -= 1 }
        var suffix = 0
        let most = shorter - prefix
        while suffix + 8 <= most,
            Self.word(left, left.count - suffix - 8) == Self.word(right, right.count - suffix - 8)
        {
            suffix += 8
        }
        while suffix < most, left[left.count - 1 - suffix] == right[right.count - 1 - suffix] { suffix += 1 }
        while suffix > 0, Self.isInsideScalar(left, left.count - suffix) { suffix -= 1 }
        at = prefix
        removed = left.count - prefix - suffix
        inserted = prefix..<right.count - suffix
    }

    private static func word(_ text: UnsafeRawBufferPointer, _ offset: Int) -> UInt64 {
        text.loadUnaligned(fromByteOffset: offset, as: UInt64.self)
    }

    private static func isInsideScalar(_ text: UnsafeRawBufferPointer, _ offset: Int) -> Bool {
        offset < text.count && text[offset] & 0xc0 == 0x80
    }
}
