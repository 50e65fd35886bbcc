import Foundation

/// The first page of a SQLite file: the file's size, and where its tables are.
enum HeadPage {
    private static let magic = Array("SQLite format 3\0".utf8)
    private static let size = 4_096
    /// Where the page has the number of the file's pages.
    private static let count = 28..<32

    /// Makes a file that was cut as long as it says it is, with empty pages. A file that is missing or empty gets one:
    /// SQLite ignores the log beside an empty file.
    ///
    /// - Returns: Whether pages of it are missing.
    static func lengthen(_ file: URL) throws -> Bool {
        if !FileManager.default.fileExists(atPath: file.path) { try Data().write(to: file) }
        let handle = try FileHandle(forUpdating: file)
        defer { try? handle.close() }
        let header = [UInt8](try handle.read(upToCount: 100) ?? Data())
        if header.count <= 1 {
            try handle.truncate(atOffset: UInt64(size))
            return true
        }
        guard header.count == 100, Array(header[..<16]) == magic, header[16] == 16, header[17] == 0 else {
            return false
        }
        let pages = header[count].reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
        let length = try handle.seekToEnd()
        // A damaged number may be anything.
        guard length < pages * UInt64(size), pages < 1 << 22 else { return false }
        try handle.truncate(atOffset: pages * UInt64(size))
        return true
    }

    /// Lets a file's first page, if it has one, tell the number of its pages. No free pages: what is in them isn't known.
    static func settle(_ file: URL) throws {
        let handle = try FileHandle(forUpdating: file)
        defer { try? handle.close() }
        let length = try handle.seekToEnd()
        let pages = Int(clamping: (length + UInt64(size) - 1) / UInt64(size))
        var head = try page(1, handle)
        guard Array(head[..<16]) == magic else { return }
        settle(&head, pages)
        try handle.truncate(atOffset: UInt64(pages * size))
        try handle.seek(toOffset: 0)
        try handle.write(contentsOf: Data(head))
    }

    private static func settle(_ head: inout [UInt8], _ pages: Int) {
        head.replaceSubrange(count, with: withUnsafeBytes(of: UInt32(pages).bigEndian, Array.init))
        head.replaceSubrange(32..<40, with: [UInt8](repeating: 0, count: 8))
        // The number counts only if the last change, by its number, wrote it.
        head.replaceSubrange(92..<96, with: Array(head[24..<28]))
    }

    /// Replaces the list of tables by that of another file: its first page, and the pages below it, which are appended.
    static func replace(in file: URL, by other: URL) throws {
        let source = try FileHandle(forReadingFrom: other)
        defer { try? source.close() }
        let handle = try FileHandle(forUpdating: file)
        defer { try? handle.close() }
        // At least those where the list says that tables begin.
        let length = max(try handle.seekToEnd(), try source.seekToEnd())
        var pages = Int(clamping: (length + UInt64(size) - 1) / UInt64(size))
        try handle.truncate(atOffset: UInt64(pages * size))
        var head = try page(1, source)
        for place in children(head) {
            try handle.seekToEnd()
            try handle.write(contentsOf: Data(try page(number(head, place), source)))
            pages += 1
            head.replaceSubrange(place..<place + 4, with: withUnsafeBytes(of: UInt32(pages).bigEndian, Array.init))
        }
        settle(&head, pages)
        try handle.seek(toOffset: 0)
        try handle.write(contentsOf: Data(head))
    }

    private static func page(_ number: Int, _ file: FileHandle) throws -> [UInt8] {
        try file.seek(toOffset: UInt64((number - 1) * size))
        let page = [UInt8](try file.read(upToCount: size) ?? Data())
        return page + [UInt8](repeating: 0, count: size - page.count)
    }

    private static func number(_ page: [UInt8], _ place: Int) -> Int {
        page[place..<place + 4].reduce(0) { $0 << 8 | Int($1) }
    }

    /// Where the first page has the numbers of the pages below it; nowhere if the list fits onto it.
    private static func children(_ page: [UInt8]) -> [Int] {
        let header = 100
        guard page[header] == 5 else { return [] }
        let cells = Int(page[header + 3]) << 8 | Int(page[header + 4])
        let places = (0..<cells).map { cell in
            Int(page[header + 12 + cell * 2]) << 8 | Int(page[header + 13 + cell * 2])
        }
        return places + [header + 8]
    }
}
