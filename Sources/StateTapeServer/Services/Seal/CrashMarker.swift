import Foundation
import TapeArchive

/// A small file that names the current work, so that the next server knows where the last one crashed.
///
/// Written before and after the work, without a sync: it must survive the process, not a power failure.
final class CrashMarker: Sendable {
    struct Work: Equatable, Sendable {
        /// The session's row number, and the next event.
        let session: Int64
        let seq: Int
    }

    /// The unfinished work of the process that used the file before; nil if it had none.
    let left: Work?
    /// How many processes in a row ended there. A single one may simply have been killed.
    let ends: Int
    private let file: Int32
    private static let length = 48

    /// - Parameter path: The file; created if it doesn't exist.
    /// - Throws: ``ServerError`` if it can't be opened.
    init(_ path: String) throws(ServerError) {
        file = try DataFile.open(path, O_RDWR)
        var bytes = [UInt8](repeating: 0, count: Self.length)
        let count = pread(file, &bytes, bytes.count, 0)
        let words = String(decoding: bytes.prefix(max(0, count)), as: UTF8.self).split(separator: " ")
        if words.count > 3, let session = Int64(words[0]), let seq = Int(words[1]), let before = UInt16(words[2]) {
            (left, ends) = (Work(session: session, seq: seq), Int(before) + 1)
        } else {
            (left, ends) = (nil, 0)
        }
        end()
    }

    deinit {
        close(file)
    }

    func begin(_ place: Work) {
        write("\(place.session) \(place.seq) \(place == left ? ends : 0) ")
    }

    func end() {
        write("")
    }

    private func write(_ text: String) {
        var line = Array(text.utf8)
        line += repeatElement(UInt8(ascii: "-"), count: max(0, Self.length - 1 - line.count)) + [10]
        _ = pwrite(file, line, line.count, 0)
    }
}
