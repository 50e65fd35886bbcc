import Foundation
import GRDB

/// The rows on a file's pages, whether a tree leads to them or not.
///
/// Where the pages that lead to rows are lost, the rows may still be there. Also some that were deleted: nothing tells
/// them apart.
struct LeafPages {
    private static let size = PageFile.size
    /// The kind of a page with rows of a table.
    private static let leaf: UInt8 = 13
    /// How many pages are read between two steps.
    private static let pages = 256
    private let file: PageFile
    private let step: () throws -> Void
    private var visits = PageVisits()
    private var read = 0
    /// The number of rows with a value that no server writes.
    private(set) var tooLong = 0

    /// - Parameter step: Called now and then, also within a long row. It may throw.
    init(_ url: URL, step: @escaping () throws -> Void) throws {
        (file, self.step) = (try PageFile(url), step)
    }

    /// - Parameter body: Gets the number of a row, and its values.
    mutating func each(_ body: (Int64, [DatabaseValue]) throws -> Void) throws {
        var from = 1
        while let number = file.written(from: from) {
            from = number + 1
            guard let page = try page(number) else { return }
            let start = number == 1 ? 100 : 0
            guard page[start] == Self.leaf else { continue }
            let count = Int(page[start + 3]) << 8 | Int(page[start + 4])
            guard start + 8 + 2 * count <= Self.size else { continue }
            for cell in 0..<count {
                let place = start + 8 + 2 * cell
                guard let row = try row(page, at: Int(page[place]) << 8 | Int(page[place + 1])) else { continue }
                try body(row.number, row.values)
            }
        }
    }

    private mutating func page(_ number: Int) throws -> [UInt8]? {
        read += 1
        if read % Self.pages == 0 { try step() }
        return file.page(number)
    }

    private mutating func row(_ page: [UInt8], at place: Int) throws -> (number: Int64, values: [DatabaseValue])? {
        var place = place
        guard let length = VariableNumber.read(page[...], &place),
            let number = VariableNumber.read(page[...], &place),
            0 < length, length <= file.count * Self.size
        else { return nil }
        let here = Self.part(of: Int(length))
        guard place + here + (length > here ? 4 : 0) <= Self.size,
            let columns = RowColumns(page[place..<place + here], of: Int(length))
        else { return nil }
        guard columns.areSane else {
            tooLong += 1
            return nil
        }
        guard let payload = try payload(page, place, here, Int(length)) else { return nil }
        return (number, columns.values(payload))
    }

    /// How many bytes of a row are on its page.
    private static func part(of length: Int) -> Int {
        let most = size - 35
        let least = (size - 12) * 32 / 255 - 23
        let part = least + (length - least) % (size - 4)
        return length <= most ? length : part <= most ? part : least
    }

    /// What of a row is on its page, and on those that follow.
    private mutating func payload(_ page: [UInt8], _ place: Int, _ here: Int, _ length: Int) throws -> Data? {
        var bytes = Data(page[place..<place + here])
        var (page, place) = (page, place + here)
        while bytes.count < length {
            let next = page[place..<place + 4].reduce(0) { $0 << 8 | Int($1) }
            guard let found = try self.page(next) else { return nil }
            bytes += found[4..<4 + min(Self.size - 4, length - bytes.count)]
            // A page in a hole leads nowhere, and needs no count.
            if found[..<4].contains(where: { $0 != 0 }), !visits.add(next) { return nil }
            (page, place) = (found, 0)
        }
        return bytes
    }
}
