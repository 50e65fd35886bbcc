import Foundation
import TapeFormat

/// A message split between its lines, so that a long message alternates with those of other apps. Pure.
struct MessageSlices {
    /// Bytes of a slice, plus the rest of its last line.
    static let bytes = 128 << 10

    private var message: [UInt8]
    private var start = 0

    init(_ message: [UInt8]) {
        self.message = message
    }

    var isEmpty: Bool { start >= message.count }

    /// The lines of the next slice.
    mutating func next() -> [[UInt8]] {
        let end = self.end(from: min(start + Self.bytes, message.count))
        defer {
            start = end
            // A long last line isn't kept twice.
            if isEmpty { (message, start) = ([], 0) }
        }
        return start == 0 && end == message.count ? message.lines : Array(message[start..<end]).lines
    }

    /// Where the line that contains a place ends.
    private func end(from place: Int) -> Int {
        message.withUnsafeBytes { bytes in
            guard let base = bytes.baseAddress, place < bytes.count else { return bytes.count }
            let found = memchr(base + place, Int32(UInt8(ascii: "\n")), bytes.count - place)
            return found.map { UnsafeRawPointer($0) - base + 1 } ?? bytes.count
        }
    }
}
