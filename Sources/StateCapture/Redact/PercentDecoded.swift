/// A text without its percent encoding, in which URLs hide names: `pass%77ord=x`, `?next=https%3A%2F%2Fa%3Ftoken%3Dx`.
struct PercentDecoded {
    /// How many URLs inside each other are decoded.
    private static let rounds = 3

    private(set) var bytes: [UInt8]
    /// Where each byte comes from in the text, and the text's end.
    private(set) var places: [Int]

    /// Nil if nothing is encoded.
    init?(_ text: UnsafeBufferPointer<UInt8>) {
        guard text.indices.contains(where: { text[$0] == UInt8(ascii: "%") && text.encodedByte(at: $0) != nil }) else {
            return nil
        }
        bytes = Array(text)
        places = Array(0...text.count)
        for _ in 0..<Self.rounds where !decode() { break }
    }

    /// - Returns: Whether anything was encoded.
    private mutating func decode() -> Bool {
        var (decoded, origins): ([UInt8], [Int]) = ([], [])
        decoded.reserveCapacity(bytes.count)
        origins.reserveCapacity(places.count)
        var index = 0
        while index < bytes.count {
            origins.append(places[index])
            if bytes[index] == UInt8(ascii: "%"), let byte = bytes.encodedByte(at: index) {
                decoded.append(byte)
                index += 3
            } else {
                decoded.append(bytes[index])
                index += 1
            }
        }
        guard decoded.count < bytes.count else { return false }
        origins.append(places[bytes.count])
        (bytes, places) = (decoded, origins)
        return true
    }
}

extension RandomAccessCollection<UInt8> where Index == Int {
    /// The byte whose two digits follow a percent sign.
    fileprivate func encodedByte(at index: Int) -> UInt8? {
        guard index + 2 < endIndex, let high = self[index + 1].hexDigit, let low = self[index + 2].hexDigit else {
            return nil
        }
        return high << 4 | low
    }
}

extension UInt8 {
    fileprivate var hexDigit: UInt8? {
        switch self {
        case UInt8(ascii: "0")...UInt8(ascii: "9"): self - UInt8(ascii: "0")
        case UInt8(ascii: "a")...UInt8(ascii: "f"): self - UInt8(ascii: "a") + 10
        case UInt8(ascii: "A")...UInt8(ascii: "F"): self - UInt8(ascii: "A") + 10
        default: nil
        }
    }
}
