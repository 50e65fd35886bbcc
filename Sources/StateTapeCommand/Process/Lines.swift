import TapeFormat

/// Lines that another thread reads. Of a long output they are the first and the last ones.
final class Lines: Sendable {
    private struct Part {
        var lines: [String] = []
        var bytes = 0

        mutating func add(_ line: String) {
            lines.append(line)
            bytes += line.utf8.count
        }
    }

    /// In bytes, at most.
    private let limit: Int
    private let parts = Locked((first: Part(), middle: Part(), last: Part()))

    init(limit: Int = 16 << 20) {
        self.limit = limit
    }

    var all: [String] { parts.withLock { $0.first.lines + $0.middle.lines + $0.last.lines } }

    func add(_ line: String) {
        parts.withLock { parts in
            if parts.first.bytes < limit / 2, parts.last.lines.isEmpty { return parts.first.add(line) }
            // The older of two quarters goes as a whole, which is quicker than line by line.
            if parts.last.bytes > limit / 4 { (parts.middle, parts.last) = (parts.last, Part()) }
            parts.last.add(line)
        }
    }
}
