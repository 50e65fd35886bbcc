#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#elseif canImport(Darwin)
    import Darwin
#endif

/// Iterates over valid JSON text without validating it again.
///
/// For invalid JSON the ranges are wrong, but never outside of the text.
package struct CheckedText {
    private let bytes: UnsafeBufferPointer<UInt8>

    package init(_ bytes: UnsafeBufferPointer<UInt8>) {
        self.bytes = bytes
    }

    /// Calls `body` with the ranges of each member's key, without its quotes, and value, until it returns true.
    ///
    /// - Parameter object: The range of the object.
    /// - Returns: Whether `body` returned true.
    package func contains(memberOf object: Range<Int>, where body: (Range<Int>, Range<Int>) -> Bool) -> Bool {
        var place = object.lowerBound
        while let key = next(UInt8(ascii: "\""), from: place, before: object.upperBound) {
            let keyEnd = endOfString(from: key)
            guard let colon = next(UInt8(ascii: ":"), from: keyEnd, before: object.upperBound) else { return false }
            let start = afterSpace(colon + 1)
            let end = min(self.end(from: start), object.upperBound)
            guard start < end else { return false }
            if body(key + 1..<max(key + 1, keyEnd - 1), start..<end) { return true }
            place = end
        }
        return false
    }

    /// Calls `body` with the range of each element of an array, until it returns true.
    ///
    /// - Returns: Whether `body` returned true.
    package func contains(elementOf array: Range<Int>, where body: (Range<Int>) -> Bool) -> Bool {
        var start = afterSpace(array.lowerBound + 1)
        while start < array.upperBound - 1 {
            let end = min(self.end(from: start), array.upperBound - 1)
            guard start < end else { return false }
            if body(start..<end) { return true }
            guard let comma = next(UInt8(ascii: ","), from: end, before: array.upperBound) else { return false }
            start = afterSpace(comma + 1)
        }
        return false
    }

    /// Calls `body` with the range of each string, key, number and literal in a value, until it returns true.
    ///
    /// - Returns: Whether `body` returned true.
    package func contains(scalarIn value: Range<Int>, where body: (Range<Int>) -> Bool) -> Bool {
        var place = value.lowerBound
        while place < value.upperBound {
            var end = place + 1
            switch bytes[place] {
            case UInt8(ascii: "\""): end = endOfString(from: place)
            case UInt8(ascii: "-"), UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "t"), UInt8(ascii: "f"),
                UInt8(ascii: "n"):
                end = self.end(from: place)
            default:
                place = end
                continue
            }
            if body(place..<min(end, value.upperBound)) { return true }
            place = end
        }
        return false
    }

    /// Whether the text in a range equals `text` byte by byte.
    package func isSame(_ place: Range<Int>, as text: StaticString) -> Bool {
        guard place.count == text.utf8CodeUnitCount, let base = bytes.baseAddress else { return false }
        return memcmp(base + place.lowerBound, text.utf8Start, place.count) == 0
    }

    /// The end of the value that starts at a position.
    private func end(from start: Int) -> Int {
        var (place, depth) = (start, 0)
        while place < bytes.count {
            switch bytes[place] {
            case UInt8(ascii: "\""):
                place = endOfString(from: place)
                if depth == 0 { return place }
                continue
            case UInt8(ascii: "{"), UInt8(ascii: "["): depth += 1
            case UInt8(ascii: "}"), UInt8(ascii: "]"):
                if depth == 0 { return place }
                depth -= 1
                if depth == 0 { return place + 1 }
            case UInt8(ascii: ","), 0x20, 0x0a, 0x0d, 0x09:
                if depth == 0 { return place }
            default: break
            }
            place += 1
        }
        return place
    }

    /// The end of the string that starts at a position, after its closing quote.
    private func endOfString(from start: Int) -> Int {
        var place = start + 1
        while place < bytes.count {
            switch bytes[place] {
            case UInt8(ascii: "\""): return place + 1
            case UInt8(ascii: "\\"): place += 2
            default: place += 1
            }
        }
        return bytes.count
    }

    private func next(_ byte: UInt8, from start: Int, before end: Int) -> Int? {
        var place = start
        while place < end, place < bytes.count {
            if bytes[place] == byte { return place }
            place += 1
        }
        return nil
    }

    private func afterSpace(_ start: Int) -> Int {
        var place = start
        while place < bytes.count, bytes[place] <= 0x20 { place += 1 }
        return place
    }
}
