import Foundation
import TapeEngine
import TapeFormat

/// A tape with the states of a replay in the place of the recorded ones.
struct ReplayedTape {
    private let tape: OpenedTape
    private let lines: [Int: EventLine]

    /// - Parameter lines: The lines that differ, by seq.
    init(_ tape: OpenedTape, _ lines: [Int: EventLine]) {
        self.tape = tape
        self.lines = lines
    }

    /// Replaces a tape file. A link to it stays a link.
    ///
    /// - Throws: ``ReplayFailure`` for a file of another format, such as a gzipped one.
    func write(to file: URL) throws {
        let file = file.resolvingSymlinksInPath()
        let reader = try FileHandle(forReadingFrom: file)
        defer { try? reader.close() }
        guard try reader.read(upToCount: 8) == Data("{\"tape\":".utf8) else {
            throw ReplayFailure("\(file.path) was not recorded anew: it is gzipped, or no tape of lines.")
        }
        try contents(tape.header).write(to: file, options: .atomic)
    }

    /// Writes the tape where the tapes of tests go, with the failure as a note.
    ///
    /// - Returns: The new file.
    func write(_ place: ReplayPlace, failure: String, at caller: String) throws -> URL {
        var header = tape.header
        header.session = place.session
        header.labels.merge(place.labels) { $1 }
        try FileManager.default.createDirectory(
            at: place.file.deletingLastPathComponent(), withIntermediateDirectories: true)
        try contents(header, note: [("level", "error"), ("text", .string(failure)), ("caller", .string(caller))])
            .write(to: place.file, options: .atomic)
        return place.file
    }

    /// - Parameter note: The members of a note at the end.
    private func contents(_ header: Header, note: [(String, JSON)]? = nil) throws -> Data {
        var data = Data(header.json.bytes)
        func append(_ bytes: [UInt8]) {
            data.append(UInt8(ascii: "\n"))
            data.append(contentsOf: bytes)
        }
        func append(note: [(String, JSON)], _ seq: Int, _ at: JSON.Number) {
            let head: [(String, JSON)] = [("seq", .number(.init(seq))), ("at", .number(at)), ("event", "note")]
            append(JSON.object(JSON.Object(head + note)).bytes)
        }
        var (seq, at, note) = (tape.seqs.lowerBound, JSON.Number(0), note)
        try tape.each(in: tape.seqs) { line in
            var line = lines[line.seq] ?? line
            if line.kind == .end, let text = note {
                // Nothing comes after the end.
                append(note: text, line.seq, line.at)
                line = line.setting("seq", to: .number(.init(line.seq + 1)))
                note = nil
            }
            append(line.bytes)
            (seq, at) = (line.seq + 1, line.at)
            return true
        }
        if let note { append(note: note, seq, at) }
        data.append(UInt8(ascii: "\n"))
        return data
    }
}
