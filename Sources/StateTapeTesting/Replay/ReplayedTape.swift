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

    /// Writes the tape where the tapes of tests go.
    ///
    /// - Parameter name: The name of the recorded tape.
    /// - Returns: The new file.
    func write(beside name: String) throws -> URL {
        let place = TestTape.current?.replayed(name) ?? TestTape.temporary(name)
        var header = tape.header
        header.session = place.session
        header.labels.merge(place.labels) { $1 }
        try FileManager.default.createDirectory(
            at: place.file.deletingLastPathComponent(), withIntermediateDirectories: true)
        try contents(header).write(to: place.file, options: .atomic)
        return place.file
    }

    private func contents(_ header: Header) throws -> Data {
        var data = Data(header.json.bytes)
        try tape.each(in: tape.seqs) { line in
            data.append(UInt8(ascii: "\n"))
            data.append(contentsOf: (lines[line.seq] ?? line).bytes)
            return true
        }
        data.append(UInt8(ascii: "\n"))
        return data
    }
}
