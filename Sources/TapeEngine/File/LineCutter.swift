import Foundation

/// Splits chunks of bytes into lines.
package struct LineCutter {
    /// The bytes of the incomplete last line.
    package private(set) var rest: [UInt8] = []

    package init() {}

    /// Adds a chunk; calls `take` with each line that it completes, without its newline.
    ///
    /// The caller checks the length of lines and of ``rest``.
    package mutating func add(_ piece: [UInt8], _ take: ([UInt8]) throws -> Void) rethrows {
        var start = 0
        while let end = Self.newline(piece, from: start) {
            if rest.isEmpty {
                try take(Array(piece[start..<end]))
            } else {
                let line = rest + piece[start..<end]
                rest = []
                try take(line)
            }
            start = end + 1
        }
        rest += piece[start...]
    }

    /// The index of the next newline.
    static func newline(_ bytes: [UInt8], from start: Int) -> Int? {
        bytes.withUnsafeBytes { bytes in
            guard start < bytes.count, let base = bytes.baseAddress,
                let found = memchr(base + start, Int32(UInt8(ascii: "\n")), bytes.count - start)
            else { return nil }
            return UnsafeRawPointer(found) - base
        }
    }
}
