import Foundation
import SampleTapes
import TapeFormat
import Testing

@testable import StateTapeServer
@testable import TapeEngine

/// The engine gives the checked-in answers; `Tests/Browser/test_corpus.py` tests the page with them.
///
/// `STATETAPE_WRITE_CORPUS=1` generates the tapes, queries and answers again.
@Suite("Corpus", .timeLimit(.minutes(2))) struct CorpusTests {
    private static let folder = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
        .deletingLastPathComponent().appendingPathComponent("Fixtures/Corpus")

    @Test("The engine gives the corpus's answers")
    func answers() throws {
        if ProcessInfo.processInfo.environment["STATETAPE_WRITE_CORPUS"] != nil { try write() }
        var tapes = try CorpusAnswers(Self.folder)
        let questions = try Data(contentsOf: Self.folder.appendingPathComponent("answers.jsonl"))
        var count = 0
        for line in [UInt8](questions).lines {
            let question = try JSON(parsing: line)
            let (tape, path) = (question["tape"]?.string ?? "", question["path"]?.string ?? "")
            let (status, body) = try tapes.answer(tape, path)
            #expect(
                question["status"]?.int == status && question["body"]?.text == body.text,
                "\(tape) \(path): \(status) \(body.text.prefix(300))")
            count += 1
        }
        #expect(count > 700)
    }

    private func write() throws {
        try? FileManager.default.removeItem(at: Self.folder)
        try FileManager.default.createDirectory(at: Self.folder, withIntermediateDirectories: true)
        var questions: [(String, String)] = []
        for seed in 1...6 {
            var (tape, chance) = (CorpusTape(seed: UInt64(seed)), Chance(UInt64(seed) &+ 1_000))
            let lines = (0..<120).map { _ in tape.next() }
            let name = "CORPUS-TAPE-\(seed)"
            try write(lines, name)
            questions += CorpusQuestions.make(lines, &chance).map { (name, $0) }
            var original = try CorpusAnswers(Self.folder)
            let variants = try CorpusQuestions.variants(of: lines, &chance) {
                try original.state(name, $0.store, after: $0.seq)
            }
            for (change, other) in variants {
                try write(other, "\(name)-\(change)")
                questions += [(name, "/diff/\(name)-\(change)"), ("\(name)-\(change)", "/diff/\(name)")]
            }
        }
        var tapes = try CorpusAnswers(Self.folder)
        var bytes: [UInt8] = []
        for (tape, path) in questions {
            let (status, body) = try tapes.answer(tape, path)
            let answer: JSON = [
                "tape": .string(tape), "path": .string(path), "status": .number(.init(status)), "body": body,
            ]
            bytes += answer.bytes + [UInt8(ascii: "\n")]
        }
        try Data(bytes).write(to: Self.folder.appendingPathComponent("answers.jsonl"))
    }

    private func write(_ lines: [EventLine], _ name: String) throws {
        let header = Header(
            session: name, app: .init(id: "com.example.corpus", name: "Corpus"), started: "2026-11-20T10:00:00.123Z"
        )
        let bytes = lines.reduce(into: header.json.bytes + [10]) { $0 += $1.bytes + [10] }
        try Data(bytes).write(to: Self.folder.appendingPathComponent("\(name).tape"))
    }
}
