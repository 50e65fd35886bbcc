import Foundation

/// The order of members by their unescaped keys, and of pairs and a set's elements by their texts.
struct EntryOrder {
    let bytes: BorrowedBytes
    /// Whether the keys are members' keys, in quotes.
    let isKeyed: Bool
    /// Whether one of the keys has an escape.
    let hasEscapes: Bool

    func isSorted(_ entries: UnsafeMutableBufferPointer<DirectPage.Entry>) -> Bool {
        for index in entries.indices.dropFirst() where keys(entries[index - 1], entries[index]) >= 0 { return false }
        return true
    }

    func precedes(_ left: DirectPage.Entry, _ right: DirectPage.Entry) -> Bool {
        let order = keys(left, right)
        if order != 0 { return order < 0 }
        if isKeyed { return left.start < right.start }
        return bytes.order(left.keyEnd..<left.end, right.keyEnd..<right.end) < 0
    }

    /// Compares two keys: the result is below, at or above 0.
    @inline(__always)
    func keys(_ left: DirectPage.Entry, _ right: DirectPage.Entry) -> Int {
        hasEscapes ? bytes.orderUnescaped(key(left), key(right)) : bytes.order(key(left), key(right))
    }

    /// The key without its quotes: the closing quote would sort before letters but after a space.
    @inline(__always)
    private func key(_ entry: DirectPage.Entry) -> Range<Int> {
        isKeyed ? entry.start + 1..<entry.keyEnd - 1 : entry.start..<entry.keyEnd
    }
}

extension ByteWriting {
    /// Compares byte by byte: the result is below, at or above 0.
    func order(_ left: Range<Int>, _ right: Range<Int>) -> Int {
        withBytes(left) { left in
            withBytes(right) { right in
                let shared = min(left.count, right.count)
                guard let first = left.baseAddress, let second = right.baseAddress else { return 0 }
                let order = memcmp(first, second, shared)
                return order != 0 ? Int(order) : left.count - right.count
            }
        }
    }

    /// Compares JSON strings by their unescaped text.
    func orderUnescaped(_ left: Range<Int>, _ right: Range<Int>) -> Int {
        withBytes(left) { left in
            withBytes(right) { right in
                var (first, second) = (0, 0)
                while first < left.count, second < right.count {
                    let order = Int(left.unescaped(&first)) - Int(right.unescaped(&second))
                    if order != 0 { return order }
                }
                return (left.count - first) - (right.count - second)
            }
        }
    }
}

extension UnsafeRawBufferPointer {
    /// The next unescaped byte of a JSON string, as ``ByteWriting/append(quoted:)`` wrote it.
    fileprivate func unescaped(_ index: inout Int) -> UInt8 {
        index += 1
        guard self[index - 1] == UInt8(ascii: "\\") else { return self[index - 1] }
        index += 1
        switch self[index - 1] {
        case UInt8(ascii: "b"): return 0x08
        case UInt8(ascii: "t"): return 0x09
        case UInt8(ascii: "n"): return 0x0a
        case UInt8(ascii: "f"): return 0x0c
        case UInt8(ascii: "r"): return 0x0d
        case UInt8(ascii: "u"):
            index += 4
            let digit = self[index - 1]
            return (self[index - 2] & 1) << 4
                | (digit <= UInt8(ascii: "9") ? digit & 15 : digit - UInt8(ascii: "a") + 10)
        default: return self[index - 1]
        }
    }
}
