import Foundation

/// A database's file, page by page. What was read isn't kept, so that a large file needs no memory.
struct PageFile {
    static let size = 4_096
    /// The number of whole pages.
    let count: Int
    private let file: FileHandle

    init(_ url: URL) throws {
        file = try FileHandle(forReadingFrom: url)
        count = Int(clamping: try file.seekToEnd()) / Self.size
    }

    /// Nil if there is no such page.
    func page(_ number: Int) -> [UInt8]? {
        guard 1...max(1, count) ~= number else { return nil }
        var page = [UInt8](repeating: 0, count: Self.size)
        let read = pread(file.fileDescriptor, &page, Self.size, off_t(number - 1) * off_t(Self.size))
        return read == Self.size ? page : nil
    }

    /// The next page that isn't in a hole, which may be much larger than the disk; nil if there is none.
    func written(from number: Int) -> Int? {
        let data = Acknowledged.nextData(file.fileDescriptor, off_t(number - 1) * off_t(Self.size))
        // A system that knows no holes has none.
        if data < 0 { return errno == ENXIO || number > count ? nil : number }
        let next = max(number, Int(data) / Self.size + 1)
        return next <= count ? next : nil
    }
}
