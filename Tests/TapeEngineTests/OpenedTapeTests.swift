import Foundation
import SampleTapes
import TapeFormat
import Testing

@testable import TapeEngine

@Suite("Opened tapes", .timeLimit(.minutes(1))) struct OpenedTapeTests {
    private func open(_ lines: [EventLine], header: Header = Sample.header(), end: String = "") throws -> OpenedTape {
        let bytes = lines.reduce(into: header.json.bytes + [10]) { $0 += $1.bytes + [10] } + Array(end.utf8)
        return try open(Data(bytes))
    }

    private func open(_ data: Data) throws -> OpenedTape {
        let folder = TemporaryFolder()
        try FileManager.default.createDirectory(at: folder.url, withIntermediateDirectories: true)
        let file = folder.url.appendingPathComponent("tape")
        try data.write(to: file)
        return try OpenedTape(FileHandle(forReadingFrom: file)) { "file-\($0.count)" }
    }

    private func failure(_ data: Data) -> String {
        #expect(throws: OpenedTape.Failure.self) { try open(data) }?.description ?? ""
    }

    @Test("Lines, heads and batches match the file, from any event on")
    func lines() throws {
        var (tape, chance) = (RandomTape(), Chance(3))
        let lines = (0..<2_000).map { _ in tape.next(&chance) }
        let opened = try open(lines)
        #expect(opened.seqs == 0..<(lines.last?.seq ?? 0) + 1 && opened.cutLine == nil)
        for seq in [0, 1, 255, 256, 257, 700, opened.seqs.upperBound - 1] {
            let expected = lines.first { $0.seq >= seq }
            #expect(try opened.line(at: seq)?.bytes == expected?.bytes)
            let batch = try #require(try opened.batch(at: seq))
            #expect(batch.first..<batch.next ~= seq)
            #expect(try batch.lines.map(\.bytes) == lines.filter { batch.first..<batch.next ~= $0.seq }.map(\.bytes))
        }
        #expect(try opened.lines(from: opened.seqs.upperBound) == nil)
        var seqs: [Int] = []
        var scan = EventScan(opened)
        try scan.run { head, _ in
            seqs.append(head.seq)
            return true
        }
        #expect(seqs == lines.map(\.seq))
    }

    @Test("States after any event are correct, in any order of reading")
    func states() throws {
        let opened = try open(Sample.counting(to: 1_500))
        let states = States()
        for seq in [1_499, 3, 700, 701, 0, 512] {
            guard case .state(let state) = try states.state(of: opened, store: "main", after: seq) else {
                Issue.record("no state after \(seq)")
                continue
            }
            #expect(try state.json() == ["n": .number(.init(seq))])
        }
    }

    @Test("A part of a longer tape starts with the states of its header")
    func cutOut() throws {
        var header = Sample.header()
        header.from = 100
        header.states = ["main": ["n": 99], "side": 1]
        let opened = try open((100..<110).map { Sample.count($0, to: $0) }, header: header)
        let states = States()
        #expect(opened.seqs == 100..<110)
        #expect(try states.states(of: opened, after: 99) == ["main": ["n": 99], "side": 1])
        #expect(try states.states(of: opened, after: 104) == ["main": ["n": 104], "side": 1])
        var check = TapeCheck(opened)
        #expect(try check.take(Array(#require(try opened.lines(from: 100)))) == [])
    }

    @Test("A file that is cut off in a line is read up to that line")
    func truncated() throws {
        let opened = try open(Sample.counting(to: 10), end: #"{"seq":10,"at":1"#)
        #expect(opened.seqs == 0..<10 && opened.cutLine == 12)
        // A complete last line needs no newline.
        let last = String(decoding: Sample.count(10, to: 10).bytes, as: UTF8.self)
        let whole = try open(Sample.counting(to: 10), end: last)
        #expect(whole.seqs == 0..<11 && whole.cutLine == nil)
    }

    @Test("The error of an invalid file has the line number")
    func wrong() throws {
        let header = String(decoding: Sample.header().json.bytes, as: UTF8.self)
        let start = String(decoding: Sample.start(0).bytes, as: UTF8.self)
        for (text, reason) in [
            (header + "\n" + start + "\n\n" + start + "\n", "line 4: member “seq” must be 1, but is 0"),
            (header + "\n" + start + "\n{}\n", "line 3: member “seq”"),
            (header + "\n" + header + "\n", "line 2: another tape begins there"),
            ("{\"tape\":1}\n", "line 1: member “session”"),
            ("{\"tape\":9,\"session\":\"x\"}\n", "line 1: "), ("", "neither a tape"), ("[1]", "neither a tape"),
            (String(repeating: "[", count: 100_000), "neither a tape"),
            (header + String(repeating: "\n", count: 1_100), "blank lines"),
        ] {
            #expect(failure(Data(text.utf8)).contains(reason), "\(text.prefix(80)): \(failure(Data(text.utf8)))")
        }
    }

    @Test("A Redux DevTools export is opened as a tape")
    func redux() throws {
        let file: JSON = [
            "actionsById": ["0": ["action": ["type": "@@INIT"]], "1": ["action": ["type": "add"]]],
            "stagedActionIds": [0, 1], "computedStates": [["state": ["n": 0]], ["state": ["n": 1]]],
        ]
        let opened = try open(Data(file.bytes))
        #expect(opened.header.session == "file-\(file.bytes.count)" && opened.seqs == 0..<2)
        #expect(try States().states(of: opened, after: 1) == ["main": ["n": 1]])
    }
}
