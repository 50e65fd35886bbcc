import Foundation
import TapeEngine
import TapeFormat

/// A tape file that isn't gzipped.
struct PlainTape {
    let header: Header
    private let file: URL

    /// Reads the header.
    ///
    /// - Throws: If the file has no header.
    init(_ file: URL) throws {
        self.file = file
        var header: Header?
        try Self.lines(of: file) { line, _ in
            header = try Header(JSON(parsing: line))
            return false
        }
        guard let header else { throw Failure("\(file.path) is empty.") }
        self.header = header
    }

    /// Copies the lines from event `seq` on to a temporary file, which the caller removes.
    func rest(from seq: Int) throws -> TemporaryFile {
        var start: Int?
        var isFirst = true
        try Self.lines(of: file) { line, offset in
            defer { isFirst = false }
            guard !isFirst else { return true }
            start = offset
            // The server reports invalid lines.
            guard let event = try? EventLine(parsing: line) else { return false }
            start = event.first >= seq ? offset : offset + line.count + 1
            return event.first < seq
        }
        let source = try InputFile(file.path).open()
        try source.seek(toOffset: UInt64(start ?? 0))
        let rest = try TemporaryFile()
        while let piece = try source.read(upToCount: 1 << 20), !piece.isEmpty { try rest.write(piece) }
        return rest
    }

    /// Calls `body` with each line and its byte offset, until it returns false.
    private static func lines(of file: URL, _ body: (_ line: [UInt8], _ offset: Int) throws -> Bool) throws {
        let handle = try InputFile(file.path).open()
        var (offset, isDone) = (0, false)
        var cutter = LineCutter()
        while !isDone, cutter.rest.count <= Limits.line, let piece = try handle.read(upToCount: 1 << 20),
            !piece.isEmpty
        {
            try cutter.add([UInt8](piece)) { line in
                if isDone { return }
                isDone = try !body(line, offset)
                offset += line.count + 1
            }
        }
        if !isDone, !cutter.rest.isEmpty { _ = try body(cutter.rest, offset) }
    }
}
