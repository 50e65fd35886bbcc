#if Server
    import Foundation

    /// The first page of a SQLite file: the file's size, and where its tables are.
    enum HeadPage {
        private static let magic = Array("SQLite format 3\0".utf8)
        private static let size = 4_096
        /// Where the page has the number of the file's pages.
        private static let count = 28..<32

        /// Makes a file that was cut as long as it says it is, with empty pages.
        static func lengthen(_ file: URL) throws {
            let handle = try FileHandle(forUpdating: file)
            defer { try? handle.close() }
            let header = [UInt8](try handle.read(upToCount: 100) ?? Data())
            guard header.count == 100, Array(header[..<16]) == magic, header[16] == 16, header[17] == 0 else { return }
            let pages = header[count].reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
            let length = try handle.seekToEnd()
            // A damaged number may be anything.
            if length < pages * UInt64(size), pages < 1 << 22 { try handle.truncate(atOffset: pages * UInt64(size)) }
        }

        /// Replaces the first page by that of another file, except for the number of pages.
        static func replace(in file: URL, by other: URL) throws {
            let source = try FileHandle(forReadingFrom: other)
            var page = [UInt8](try source.read(upToCount: size) ?? Data())
            try source.close()
            let handle = try FileHandle(forUpdating: file)
            defer { try? handle.close() }
            let pages = UInt32(clamping: max(UInt64(size), try handle.seekToEnd()) / UInt64(size))
            page.replaceSubrange(count, with: withUnsafeBytes(of: pages.bigEndian, Array.init))
            // No free pages: what is in them isn't known.
            page.replaceSubrange(32..<40, with: [UInt8](repeating: 0, count: 8))
            try handle.seek(toOffset: 0)
            try handle.write(contentsOf: Data(page))
        }
    }
#endif
