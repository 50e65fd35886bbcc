import Foundation
import SampleTapes
import TapeFormat
import Testing

@testable import TapeEngine

@Suite("A header with large states", .timeLimit(.minutes(5))) struct LargeHeaderTests {
    @Test("A cut with states of more than 64 MiB in its header is read as it was exported")
    func cut() throws {
        let folder = TemporaryFolder()
        try FileManager.default.createDirectory(at: folder.url, withIntermediateDirectories: true)
        let (whole, part) = (folder.url.appendingPathComponent("whole"), folder.url.appendingPathComponent("part"))
        let text = String(repeating: "x", count: 33 << 20)
        let state: JSON = ["n": 0, "text": .string(text)]
        let lines =
            [Sample.start(0, state), Sample.start(1, store: "two", state)] + (2..<6).map { Sample.count($0, to: $0) }
        try Data(lines.reduce(into: Sample.header().json.bytes + [10]) { $0 += $1.bytes + [10] }).write(to: whole)
        let opened = try OpenedTape(FileHandle(forReadingFrom: whole)) { _ in "" }
        var export = try TapeExport(opened, 4..<6, States())
        var bytes = Data()
        while let piece = try export.piece() { bytes += piece }
        #expect(bytes.count > 64 << 20)
        try bytes.write(to: part)
        let cut = try OpenedTape(FileHandle(forReadingFrom: part)) { _ in "" }
        #expect(cut.seqs == 4..<6 && cut.header.from == 4)
        let states = try States().states(of: cut, after: 5)
        #expect(states["main"]?["n"] == 5 && states["two"]?["n"] == 0)
        #expect(states.values.allSatisfy { $0["text"]?.string?.utf8.count == text.utf8.count })
    }
}
