package import TapeEngine
package import TapeFormat

/// Lines split into rows, small enough to read one for a single event, and the lines that set or clear a base.
package struct BatchRows {
    package typealias Row = (first: Int, next: Int, bytes: [UInt8])

    private static let maxLines = 256
    private static let maxBytes = 256 << 10

    package private(set) var all: [Row] = []
    package private(set) var bases: [(kind: StateBase.Kind, line: EventLine)] = []

    /// Copies no line on the way: hundreds of thousands arrive per second.
    package init(_ lines: [EventLine]) {
        var start = 0
        while start < lines.count {
            var end = start
            var size = 0
            repeat {
                size += lines[end].bytes.count + 1
                end += 1
            } while end < lines.count && end - start < Self.maxLines
                && size + lines[end].bytes.count <= Self.maxBytes
            var row = Row(first: lines[start].first, next: lines[end - 1].seq + 1, bytes: [])
            row.bytes.reserveCapacity(size)
            for index in start..<end {
                row.bytes += lines[index].bytes
                row.bytes.append(UInt8(ascii: "\n"))
                if let kind = lines[index].base { bases.append((kind, lines[index])) }
            }
            all.append(row)
            start = end
        }
    }
}
