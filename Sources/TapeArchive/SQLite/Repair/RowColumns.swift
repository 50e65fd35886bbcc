import Foundation
import GRDB

/// The kinds and lengths of a row's values, which its first bytes tell.
struct RowColumns {
    private let start: Int
    private let columns: [(type: Int64, size: Int)]

    /// Nil if it isn't a row of any of the archive's tables.
    ///
    /// - Parameters:
    ///   - bytes: The first ones of the row.
    ///   - length: How many the row has.
    init?(_ bytes: ArraySlice<UInt8>, of length: Int) {
        var place = bytes.startIndex
        guard let types = VariableNumber.read(bytes, &place), types <= min(ValueLimits.types, bytes.count) else {
            return nil
        }
        let end = bytes.startIndex + Int(types)
        var columns: [(type: Int64, size: Int)] = []
        var left = length - Int(types)
        while place < end {
            guard columns.count < ValueLimits.columns, let type = VariableNumber.read(bytes[..<end], &place),
                let size = Self.size(type), size <= left
            else { return nil }
            columns.append((type, size))
            left -= size
        }
        guard place == end, left == 0 else { return nil }
        (start, self.columns) = (Int(types), columns)
    }

    /// Whether a server may have written such values.
    var areSane: Bool {
        columns.allSatisfy { $0.size <= ($0.type % 2 == 0 ? ValueLimits.lines : ValueLimits.other) }
    }

    /// - Parameter row: All of its bytes.
    func values(_ row: Data) -> [DatabaseValue] {
        var at = row.startIndex + start
        return columns.map { type, size in
            defer { at += size }
            return Self.value(type, row[at..<at + size])
        }
    }

    private static func size(_ type: Int64) -> Int? {
        switch type {
        case 0, 8, 9: 0
        case 1...4: Int(type)
        case 5: 6
        case 6, 7: 8
        case 12...: Int(clamping: (type - 12) / 2)
        default: nil
        }
    }

    private static func value(_ type: Int64, _ bytes: Data) -> DatabaseValue {
        switch type {
        case 0: return .null
        case 8, 9: return (type - 8).databaseValue
        case 12...:
            return type % 2 == 0 ? bytes.databaseValue : String(decoding: bytes, as: UTF8.self).databaseValue
        default:
            let isNegative = bytes.first.map { $0 > 127 } ?? false
            let bits = bytes.reduce(isNegative ? UInt64.max : 0) { $0 << 8 | UInt64($1) }
            return type == 7 ? Double(bitPattern: bits).databaseValue : Int64(bitPattern: bits).databaseValue
        }
    }
}
