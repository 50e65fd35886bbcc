import ArgumentParser

/// A number of bytes with an optional unit: `500MB`, `1.5 GiB`, `4096`.
struct ByteCount: ExpressibleByArgument, Equatable {
    let bytes: Int

    private static let units: [(name: String, bytes: Double)] = [
        ("KiB", 0x1p10), ("MiB", 0x1p20), ("GiB", 0x1p30), ("TiB", 0x1p40), ("KB", 1e3), ("MB", 1e6), ("GB", 1e9),
        ("TB", 1e12), ("B", 1), ("", 1),
    ]

    init(bytes: Int) {
        self.bytes = bytes
    }

    init?(argument: String) {
        let text = argument.lowercased()
        guard let unit = Self.units.first(where: { text.hasSuffix($0.name.lowercased()) }),
            case let digits = text.dropLast(unit.name.count).filter({ $0 != " " }),
            digits.allSatisfy({ $0.isASCII && ($0.isNumber || $0 == ".") }), let number = Double(digits),
            let bytes = Int(exactly: (number * unit.bytes).rounded())
        else { return nil }
        self.bytes = bytes
    }

    var defaultValueDescription: String {
        let unit = Self.units.prefix(4).last { Double(bytes) >= $0.bytes && bytes % Int($0.bytes) == 0 }
        return unit.map { "\(bytes / Int($0.bytes)) \($0.name)" } ?? "\(bytes) B"
    }

    /// Formats a number of bytes in the largest unit that gives a value of at least 1.
    static func text(_ bytes: Int) -> String {
        guard let unit = units.dropFirst(4).prefix(4).last(where: { Double(bytes) >= $0.bytes }) else {
            return "\(bytes) B"
        }
        let tenths = Int((Double(bytes) / unit.bytes * 10).rounded())
        return "\(tenths / 10).\(tenths % 10) \(unit.name)"
    }
}
