package import TapeFormat

/// Finds bytes that may contain a number in any notation: its digits in order, with an optional decimal point between
/// them and zeros around them.
package struct DigitSearch: Sendable {
    private let digits: [UInt8]

    package init(_ number: JSON.Number) {
        digits = number.significantDigits
    }

    package func mayBeFound(in bytes: ArraySlice<UInt8>) -> Bool {
        bytes.withUnsafeBufferPointer { bytes in
            digits.withUnsafeBufferPointer { digits in
                var place = 0
                while place < bytes.count {
                    guard Self.isDigit(bytes[place]) else {
                        place += 1
                        continue
                    }
                    if Self.isNumber(of: digits, in: bytes, from: &place) { return true }
                }
                return false
            }
        }
    }

    /// Reads the number at a position, and advances the position past it.
    ///
    /// - Returns: Whether its digits match.
    private static func isNumber(
        of digits: UnsafeBufferPointer<UInt8>, in bytes: UnsafeBufferPointer<UInt8>, from place: inout Int
    ) -> Bool {
        var (isSame, matched, zeros) = (true, 0, 0)
        while place < bytes.count {
            let byte = bytes[place]
            if byte == UInt8(ascii: "0") {
                // Leading zeros are ignored; trailing ones count only if another digit follows.
                if matched > 0 { zeros += 1 }
            } else if isDigit(byte) {
                let end = matched + zeros
                isSame =
                    isSame && end < digits.count && digits[end] == byte
                    && (zeros == 0 || digits[matched..<end].allSatisfy { $0 == UInt8(ascii: "0") })
                matched = isSame ? end + 1 : 1
                zeros = 0
            } else if byte != UInt8(ascii: ".") {
                break
            }
            place += 1
        }
        return isSame && matched == digits.count
    }

    private static func isDigit(_ byte: UInt8) -> Bool { UInt8(ascii: "0")...UInt8(ascii: "9") ~= byte }
}
