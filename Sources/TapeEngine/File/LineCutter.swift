import Foundation

/// Cuts what comes in pieces into lines.
package struct LineCutter {
    /// Bytes of a line that has no end yet.
    package private(set) var rest: [UInt8] = []

    package init() {}

    /// Adds a piece; `take` gets each line that it completes, without its newline.
    ///
    /// The rest may grow beyond a line's limit by a piece: who takes lines checks it.
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

    /// The place of the next newline.
    static func newline(_ bytes: [UInt8], from start: Int) -> Int? {
        bytes.withUnsafeBytes { bytes in
            guard start < bytes.count, let base = bytes.baseAddress,
                let found = memchr(base + start, Int32(UInt8(ascii: "\n")), bytes.count - start)
            else { return nil }
            return UnsafeRawPointer(found) - base
        }
    }
}
