#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#elseif canImport(Darwin)
    import Darwin
#endif

/// Which of a type's stored bytes distinguish its values.
///
/// Bytes between fields are left out: they may differ after Swift has copied an array. Two values with all other bytes
/// equal *are* the same value, storage included, if the type ``isValue``. The reverse doesn't hold, and need not: the
/// differ looks into values that differ.
final class Layout {
    let size: Int
    let stride: Int
    /// Whether equal bytes mean an equal value. They don't if the type contains one of the app's class instances, which
    /// can change in place.
    let isValue: Bool
    /// A one for each bit that counts, eight bytes at a time, then the last ones.
    private let words: [UInt64]
    private let tail: [UInt8]
    private let isDense: Bool
    /// How many elements are compared at once.
    let page: Int

    init(mask: [UInt8], stride: Int, isValue: Bool) {
        size = mask.count
        self.stride = stride
        self.isValue = isValue
        page = max(1, 4_096 / max(1, stride))
        isDense = mask.allSatisfy { $0 == 0xff }
        let whole = mask.count / 8
        words = (0..<whole).map { word in
            (0..<8).reduce(0) { $0 | UInt64(mask[8 * word + $1]) << (8 * UInt64($1)) }.littleEndian
        }
        tail = Array(mask[(8 * whole)...])
    }

    /// Whether two values of the layout's type are surely the same.
    ///
    /// - Parameters:
    ///   - left: A value of any type: the caller vouches for the type, and only the bytes are compared.
    func areSame<Left, Right>(_ left: Left, _ right: Right) -> Bool {
        isValue && withUnsafePointer(to: left) { left in withUnsafePointer(to: right) { isSame(left, $0) } }
    }

    /// Whether the bytes that count are equal.
    func isSame(_ left: UnsafeRawPointer, _ right: UnsafeRawPointer) -> Bool {
        if isDense { return memcmp(left, right, size) == 0 }
        var offset = 0
        for word in words {
            let (left, right) = (
                left.loadUnaligned(fromByteOffset: offset, as: UInt64.self),
                right.loadUnaligned(fromByteOffset: offset, as: UInt64.self)
            )
            if (left ^ right) & word != 0 { return false }
            offset += 8
        }
        for mask in tail {
            let (left, right) = (
                left.load(fromByteOffset: offset, as: UInt8.self), right.load(fromByteOffset: offset, as: UInt8.self)
            )
            if (left ^ right) & mask != 0 { return false }
            offset += 1
        }
        return true
    }

    /// How many elements from the start are the same in two arrays, at most `count`.
    func commonPrefix(_ left: UnsafeRawPointer, _ right: UnsafeRawPointer, _ count: Int) -> Int {
        var index = 0
        // Compares whole pages first. A page may differ only in bytes that don't count.
        while index + page <= count {
            let (start, end) = (index, index + page)
            if memcmp(left + start * stride, right + start * stride, page * stride) == 0 {
                index = end
            } else {
                while index < end, isSame(left + index * stride, right + index * stride) { index += 1 }
                if index < end { return index }
            }
        }
        while index < count, isSame(left + index * stride, right + index * stride) { index += 1 }
        return index
    }

    /// How many elements before two ends are the same, at most `count`.
    func commonSuffix(_ leftEnd: UnsafeRawPointer, _ rightEnd: UnsafeRawPointer, _ count: Int) -> Int {
        var index = 0
        while index + page <= count {
            let end = index + page
            if memcmp(leftEnd - end * stride, rightEnd - end * stride, page * stride) == 0 {
                index = end
            } else {
                while index < end, isSame(leftEnd - (index + 1) * stride, rightEnd - (index + 1) * stride) {
                    index += 1
                }
                if index < end { return index }
            }
        }
        while index < count, isSame(leftEnd - (index + 1) * stride, rightEnd - (index + 1) * stride) { index += 1 }
        return index
    }

    /// Mixes in the bytes that count: values for which ``isSame(_:_:)`` holds hash alike.
    func hash(_ value: UnsafeRawPointer, into hasher: inout Hasher) {
        var offset = 0
        for word in words {
            hasher.combine(value.loadUnaligned(fromByteOffset: offset, as: UInt64.self) & word)
            offset += 8
        }
        for mask in tail {
            hasher.combine(value.load(fromByteOffset: offset, as: UInt8.self) & mask)
            offset += 1
        }
    }
}
