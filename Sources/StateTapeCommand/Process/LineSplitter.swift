import Foundation

/// Takes bytes apart into lines. Of a long line it keeps the beginning.
struct LineSplitter {
    /// The bytes of a line that are kept.
    static let limit = 64 << 10

    private var line: [UInt8] = []
    /// Of the line, after its beginning.
    private var dropped = 0

    /// - Parameter found: Called with each line that ends in these bytes.
    mutating func add(_ bytes: UnsafeRawBufferPointer, _ found: (String) -> Void) {
        var rest = bytes
        while let start = rest.baseAddress, !rest.isEmpty {
            guard let newline = memchr(start, 10, rest.count) else { return keep(rest) }
            let count = UnsafeRawPointer(newline) - start
            keep(UnsafeRawBufferPointer(rebasing: rest[..<count]))
            found(take())
            rest = UnsafeRawBufferPointer(rebasing: rest[(count + 1)...])
        }
    }

    /// A last line without an end.
    mutating func end(_ found: (String) -> Void) {
        if !line.isEmpty { found(take()) }
    }

    private mutating func keep(_ bytes: UnsafeRawBufferPointer) {
        let count = min(bytes.count, Self.limit - line.count)
        line += bytes.prefix(count)
        dropped += bytes.count - count
    }

    private mutating func take() -> String {
        defer { (line, dropped) = ([], 0) }
        return String(decoding: line, as: UTF8.self) + (dropped == 0 ? "" : "… (\(dropped) more bytes)")
    }
}
