import Foundation
import TapeFormat

/// One version of a file, ready to send.
protocol StaticFile: Sendable {
    /// The version's entity tag.
    var tag: String { get }

    /// Answers with the content.
    ///
    /// - Returns: False if the file no longer exists.
    func send(_ exchange: HTTPExchange, _ headers: [(String, String)]) -> Bool
}

/// A regular file.
struct FolderFile: StaticFile {
    let tag: String
    private let url: URL
    private let size: Int

    /// Nil if it isn't a regular file.
    init?(_ url: URL) {
        var facts = stat()
        guard stat(url.path, &facts) == 0, facts.st_mode & S_IFMT == S_IFREG else { return nil }
        self.url = url
        size = Int(facts.st_size)
        #if os(Linux)
            let changed = facts.st_mtim
        #else
            let changed = facts.st_mtimespec
        #endif
        tag =
            "\"\(String(size, radix: 16))-\(String(changed.tv_sec, radix: 16))-\(String(changed.tv_nsec, radix: 16))\""
    }

    func send(_ exchange: HTTPExchange, _ headers: [(String, String)]) -> Bool {
        guard let handle = try? FileHandle(forReadingFrom: url) else { return false }
        let rest = Locked(size)
        exchange.stream(status: 200, headers: headers + [("content-length", "\(size)")]) {
            let wanted = rest.withLock { min($0, 64 << 10) }
            guard wanted > 0 else { return nil }
            // If the file is truncated in the meantime, the body breaks off.
            guard let piece = try handle.read(upToCount: wanted), !piece.isEmpty else {
                throw CocoaError(.fileReadUnknown)
            }
            rest.withLock { $0 -= piece.count }
            return [UInt8](piece)
        }
        return true
    }
}

/// A file in memory.
struct MemoryFile: StaticFile {
    let tag: String
    private let content: [UInt8]

    init(_ content: [UInt8]) {
        self.content = content
        // FNV-1a (Fowler, Noll, Vo 1991). Enough to tell a page's versions apart.
        let hash = content.reduce(0xcbf2_9ce4_8422_2325 as UInt64) { ($0 ^ UInt64($1)) &* 0x100_0000_01b3 }
        tag = "\"\(String(content.count, radix: 16))-\(String(hash, radix: 16))\""
    }

    func send(_ exchange: HTTPExchange, _ headers: [(String, String)]) -> Bool {
        exchange.respond(HTTPResponse(status: 200, headers: headers, body: content))
        return true
    }
}
