import Foundation

/// The pages in SQLite's log, for an archive that SQLite can't open with it.
///
/// SQLite begins the log anew once all of it is in the file, and writes over its beginning. What follows are older pages:
/// they were in the file, and may be all that is left of it.
struct LogFrames {
    private struct Frame {
        let page: Int
        /// Whether a change ends here.
        let isEnd: Bool
        let salts: [UInt8]
        let sum: [UInt8]
        let content: [UInt8]
        /// Where the frame is in the log.
        let place: Int
    }

    private static let page = 4_096
    private static let header = 24
    private static let magic: [UInt8] = [0x37, 0x7f, 0x06]

    /// By their numbers: the pages as the last change left them, and older ones.
    private var current: [Int: [UInt8]] = [:]
    private var older: [Int: Frame] = [:]

    /// Nil if the file isn't a log.
    init?(_ file: URL) {
        guard let log = try? Data(contentsOf: file, options: .alwaysMapped), log.count > 32,
            log.starts(with: Self.magic), [0x82, 0x83].contains(log[3]),
            [UInt8](log[8..<12]) == [0, 0, 16, 0]
        else { return nil }
        let isBig = log[3] == 0x83
        let salts = [UInt8](log[16..<24])
        var sum = [UInt8](log[24..<32])
        var isCurrent = Self.sum([UInt8](log[0..<24]), after: [0, 0, 0, 0, 0, 0, 0, 0], isBig) == sum
        var previous: [UInt8]?
        var changed: [Int: [UInt8]] = [:]
        for place in stride(from: 32, through: log.count - Self.page - Self.header, by: Self.page + Self.header) {
            let frame = Self.frame(log, place)
            isCurrent = isCurrent && frame.salts == salts && frame.page > 0
            isCurrent = isCurrent && Self.sum(of: frame, log, after: sum, isBig) == frame.sum
            if isCurrent {
                sum = frame.sum
                changed[frame.page] = frame.content
                guard frame.isEnd else { continue }
                current.merge(changed) { $1 }
                changed = [:]
            } else {
                // Its sum follows from that of the frame before, if that is of the same time.
                if frame.salts == previous, frame.page > 0,
                    Self.sum(of: frame, log, after: sum, isBig) == frame.sum
                {
                    keep(frame)
                }
                (previous, sum) = (frame.salts, frame.sum)
            }
        }
    }

    /// The first salt counts how often the log was begun.
    private mutating func keep(_ frame: Frame) {
        if let other = older[frame.page], frame.salts[..<4].lexicographicallyPrecedes(other.salts[..<4]) { return }
        older[frame.page] = frame
    }

    private static func frame(_ log: Data, _ place: Int) -> Frame {
        let head = [UInt8](log[place..<place + header])
        func number(_ start: Int) -> Int { head[start..<start + 4].reduce(0) { $0 << 8 | Int($1) } }
        return Frame(
            page: number(0), isEnd: number(4) > 0, salts: Array(head[8..<16]), sum: Array(head[16..<24]),
            content: [UInt8](log[place + header..<place + header + page]), place: place)
    }

    private static func sum(of frame: Frame, _ log: Data, after sum: [UInt8], _ isBig: Bool) -> [UInt8] {
        self.sum([UInt8](log[frame.place..<frame.place + 8]) + frame.content, after: sum, isBig)
    }

    /// SQLite's checksum.
    private static func sum(_ bytes: [UInt8], after sum: [UInt8], _ isBig: Bool) -> [UInt8] {
        func word(_ bytes: [UInt8], _ start: Int, _ isBig: Bool) -> UInt32 {
            let word =
                UInt32(bytes[start]) << 24 | UInt32(bytes[start + 1]) << 16 | UInt32(bytes[start + 2]) << 8
                | UInt32(bytes[start + 3])
            return isBig ? word : word.byteSwapped
        }
        var (first, second) = (word(sum, 0, true), word(sum, 4, true))
        for start in stride(from: 0, to: bytes.count, by: 8) {
            first = first &+ word(bytes, start, isBig) &+ second
            second = second &+ word(bytes, start + 4, isBig) &+ first
        }
        return [first, second].flatMap { withUnsafeBytes(of: $0.bigEndian, Array.init) }
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
            try put(frame.content, page, handle)
            hasOlder = true
        }
        for (page, content) in current { try put(content, page, handle) }
        return hasOlder
    }

    private func put(_ content: [UInt8], _ page: Int, _ handle: FileHandle) throws {
        try handle.seek(toOffset: UInt64((page - 1) * Self.page))
        try handle.write(contentsOf: Data(content))
    }
}
