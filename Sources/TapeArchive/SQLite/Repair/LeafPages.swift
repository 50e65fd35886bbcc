import Foundation
import GRDB

/// The rows on a file's pages, whether a tree leads to them or not.
///
/// Where the pages that lead to rows are lost, the rows may still be there. Also some that were deleted: nothing tells
/// them apart.
struct LeafPages {
    private static let size = 4_096
    /// The kind of a page with rows of a table.
    private static let leaf: UInt8 = 13
    private let file: Data

    init(_ file: URL) throws {
        self.file = try Data(contentsOf: file, options: .alwaysMapped)
    }

    /// - Parameter body: Gets the number of a row, and its values.
    func each(_ body: (Int64, [DatabaseValue]) throws -> Void) throws {
        for number in 1...max(1, file.count / Self.size) {
            guard let page = page(number) else { return }
            let start = number == 1 ? 100 : 0
            guard page[start] == Self.leaf else { continue }
            let count = Int(page[start + 3]) << 8 | Int(page[start + 4])
            guard start + 8 + 2 * count <= Self.size else { continue }
            for cell in 0..<count {
                let place = start + 8 + 2 * cell
                guard let row = row(page, at: Int(page[place]) << 8 | Int(page[place + 1])) else { continue }
                try body(row.number, row.values)
            }
        }
    }

    private func page(_ number: Int) -> [UInt8]? {
        let start = (number - 1) * Self.size
        guard number > 0, start + Self.size <= file.count else { return nil }
        return [UInt8](file[start..<start + Self.size])
    }

    private func row(_ page: [UInt8], at place: Int) -> (number: Int64, values: [DatabaseValue])? {
        var place = place
        guard let length = Self.number(page, &place), let number = Self.number(page, &place),
            0 < length, length <= file.count, let payload = payload(page, place, Int(length)),
            let values = Self.values(payload)
        else { return nil }
        return (number, values)
    }

    /// What of a row is on its page, and on those that follow.
    private func payload(_ page: [UInt8], _ place: Int, _ length: Int) -> [UInt8]? {
        let most = Self.size - 35
        let least = (Self.size - 12) * 32 / 255 - 23
        let part = least + (length - least) % (Self.size - 4)
        let here = length <= most ? length : part <= most ? part : least
        guard place + here + (length > here ? 4 : 0) <= Self.size else { return nil }
        var bytes = Array(page[place..<place + here])
        var next = Self.pageNumber(page, place + here, isThere: length > here)
        while bytes.count < length {
            // Each page adds something.
            guard let page = self.page(next) else { return nil }
            bytes += page[4..<4 + min(Self.size - 4, length - bytes.count)]
            next = Self.pageNumber(page, 0, isThere: true)
        }
        return bytes
    }

    private static func pageNumber(_ page: [UInt8], _ place: Int, isThere: Bool) -> Int {
        isThere ? page[place..<place + 4].reduce(0) { $0 << 8 | Int($1) } : 0
    }

    private static func number(_ bytes: [UInt8], _ place: inout Int) -> Int64? {
        var value: UInt64 = 0
        for index in 0..<9 {
            guard place < bytes.count else { return nil }
            let byte = bytes[place]
            place += 1
            if index == 8 { return Int64(bitPattern: value << 8 | UInt64(byte)) }
            value = value << 7 | UInt64(byte & 127)
            if byte < 128 { break }
        }
        return Int64(bitPattern: value)
    }

    private static func values(_ payload: [UInt8]) -> [DatabaseValue]? {
        var place = 0
        guard let length = number(payload, &place), length <= payload.count else { return nil }
        var at = Int(length)
        var values: [DatabaseValue] = []
        while place < length {
            guard let type = number(payload, &place), let size = size(type), size <= payload.count - at else {
                return nil
            }
            values.append(value(type, payload[at..<at + size]))
            at += size
        }
        return place == length && at == payload.count ? values : nil
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

    private static func value(_ type: Int64, _ bytes: ArraySlice<UInt8>) -> DatabaseValue {
        switch type {
        case 0: return .null
        case 8, 9: return (type - 8).databaseValue
        case 12...:
            return type % 2 == 0 ? Data(bytes).databaseValue : String(decoding: bytes, as: UTF8.self).databaseValue
        default:
            let isNegative = bytes.first.map { $0 > 127 } ?? false
            let bits = bytes.reduce(isNegative ? UInt64.max : 0) { $0 << 8 | UInt64($1) }
            return type == 7 ? Double(bitPattern: bits).databaseValue : Int64(bitPattern: bits).databaseValue
        }
    }
}
