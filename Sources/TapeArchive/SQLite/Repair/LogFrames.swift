import Foundation

/// The pages in SQLite's log, for an archive that SQLite can't open with it.
///
/// SQLite begins the log anew once all of it is in the file, and writes over its beginning. What follows are older pages:
/// they were in the file, and may be all that is left of it. Only the places of pages are kept, not what they have.
struct LogFrames {
    private struct Frame {
        let page: Int
        /// Whether a change ends here.
        let isEnd: Bool
        let salts: ArraySlice<UInt8>
        let sum: ArraySlice<UInt8>
        /// Where its page is in the log.
        let place: Int
    }

    private static let page = PageFile.size
    private static let header = 24
    private static let magic: [UInt8] = [0x37, 0x7f, 0x06]
    /// How many frames are read between two steps.
    private static let frames = 256

    private let log: FileHandle
    private let step: () throws -> Void
    /// By their numbers: the pages as the last change left them, and older ones.
    private var current: [Int: Int] = [:]
    private var older: [Int: Frame] = [:]
    /// Whether a page has a number that none in the file can have.
    private(set) var hasForeign = false

    /// Nil if the file isn't a log.
    ///
    /// - Parameters:
    ///   - pages: The number of pages that the archive's file has without the log.
    ///   - step: Called now and then. It may throw.
    init?(_ file: URL, over pages: Int, step: @escaping () throws -> Void) throws {
        guard let log = try? FileHandle(forReadingFrom: file) else { return nil }
        (self.log, self.step) = (log, step)
        let length = Int(clamping: try log.seekToEnd())
        let head = Self.read(log, 0, 32)
        guard length > 32, head.count == 32, head.starts(with: Self.magic), [0x82, 0x83].contains(head[3]),
            head[8..<12] == [0, 0, 16, 0]
        else { return nil }
        let most = max(pages, ValueLimits.pages) + length / (Self.page + Self.header)
        let isBig = head[3] == 0x83
        let salts = head[16..<24]
        var sum = head[24..<32]
        var isCurrent = Self.sum(head[0..<24], after: [0, 0, 0, 0, 0, 0, 0, 0], isBig) == sum
        var previous: ArraySlice<UInt8>?
        var changed: [Int: Int] = [:]
        let places = stride(from: 32, through: length - Self.page - Self.header, by: Self.page + Self.header)
        for (number, place) in places.enumerated() {
            if number % Self.frames == 0 { try step() }
            let bytes = Self.read(log, place, Self.header + Self.page)
            guard bytes.count == Self.header + Self.page else { break }
            let frame = Self.frame(bytes, place)
            func follows() -> Bool {
                let start = Self.sum(bytes[..<8], after: sum, isBig)
                return Self.sum(bytes[Self.header...], after: start, isBig) == frame.sum
            }
            isCurrent = isCurrent && frame.salts == salts && frame.page > 0 && follows()
            let isForeign = frame.page > most
            if isCurrent {
                sum = frame.sum
                hasForeign = hasForeign || isForeign
                if !isForeign { changed[frame.page] = frame.place }
                guard frame.isEnd else { continue }
                current.merge(changed) { $1 }
                changed = [:]
            } else {
                // Its sum follows from that of the frame before, if that is of the same time.
                if frame.salts == previous, frame.page > 0, !isForeign, follows() { keep(frame) }
                (previous, sum) = (frame.salts, frame.sum)
            }
        }
    }

    /// The first salt counts how often the log was begun.
    private mutating func keep(_ frame: Frame) {
        if let other = older[frame.page], frame.salts.prefix(4).lexicographicallyPrecedes(other.salts.prefix(4)) {
            return
        }
        older[frame.page] = frame
    }

    private static func read(_ log: FileHandle, _ place: Int, _ count: Int) -> [UInt8] {
        var bytes = [UInt8](repeating: 0, count: count)
        let found = pread(log.fileDescriptor, &bytes, count, off_t(place))
        return Array(bytes.prefix(max(0, found)))
    }

    private static func frame(_ bytes: [UInt8], _ place: Int) -> Frame {
        func number(_ start: Int) -> Int { bytes[start..<start + 4].reduce(0) { $0 << 8 | Int($1) } }
        // Its own copy of the few bytes, so that the page isn't kept.
        let head = Array(bytes[..<header])
        return Frame(
            page: number(0), isEnd: number(4) > 0, salts: head[8..<16], sum: head[16..<24], place: place + header)
    }

    /// SQLite's checksum.
    private static func sum(
        _ bytes: ArraySlice<UInt8>, after sum: ArraySlice<UInt8>, _ isBig: Bool
    ) -> ArraySlice<UInt8> {
        func word(_ bytes: ArraySlice<UInt8>, _ start: Int, _ isBig: Bool) -> UInt32 {
            let word =
                UInt32(bytes[start]) << 24 | UInt32(bytes[start + 1]) << 16 | UInt32(bytes[start + 2]) << 8
                | UInt32(bytes[start + 3])
            return isBig ? word : word.byteSwapped
        }
        var (first, second) = (word(sum, sum.startIndex, true), word(sum, sum.startIndex + 4, true))
        for start in stride(from: bytes.startIndex, to: bytes.endIndex, by: 8) {
            first = first &+ word(bytes, start, isBig) &+ second
            second = second &+ word(bytes, start + 4, isBig) &+ first
        }
        return [first, second].flatMap { withUnsafeBytes(of: $0.bigEndian, Array.init) }[...]
    }

    /// Writes the pages into a file; the older ones only where it has none.
    ///
    /// - Returns: Whether it has older ones now.
    func write(into file: URL) throws -> Bool {
        let handle = try FileHandle(forUpdating: file)
        defer { try? handle.close() }
        var hasOlder = false
        for (page, frame) in older where current[page] == nil {
            try handle.seek(toOffset: UInt64((page - 1) * Self.page))
            let there = try handle.read(upToCount: Self.page) ?? Data()
            let isThere = page == 1 ? there.starts(with: Array("SQLite format 3\0".utf8)) : there.contains { $0 != 0 }
            if isThere { continue }
            try put(frame.place, page, handle)
            hasOlder = true
        }
        for (page, place) in current { try put(place, page, handle) }
        return hasOlder
    }

    private func put(_ place: Int, _ page: Int, _ handle: FileHandle) throws {
        try step()
        try handle.seek(toOffset: UInt64((page - 1) * Self.page))
        try handle.write(contentsOf: Data(Self.read(log, place, Self.page)))
    }
}
