import Foundation
import TapeFormat
import Testing

@testable import TapeEngine

/// Redux DevTools exports and the tapes that they become; `Tests/Browser/test_redux_files.py` reads them with the page.
///
/// `STATETAPE_WRITE_CORPUS=1` writes the tapes again.
@Suite("Redux DevTools fixtures", .timeLimit(.minutes(1))) struct ReduxFixtureTests {
    static let folder = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .appendingPathComponent("Fixtures/Redux")
    static let names = ((try? FileManager.default.contentsOfDirectory(atPath: folder.path)) ?? [])
        .filter { $0.hasSuffix(".json") }.map { String($0.dropLast(".json".count)) }.sorted()

    @Test("There are fixtures")
    func some() {
        #expect(Self.names.count > 20)
    }

    @Test("Each export becomes its tape, and each line is one", arguments: names)
    func tape(_ name: String) throws {
        let file = Self.folder.appendingPathComponent("\(name).json")
        let opened = try OpenedTape(FileHandle(forReadingFrom: file)) { _ in "redux-fixture" }
        var text = opened.header.json.text + "\n"
        try opened.each(in: opened.seqs) { line in
            text += String(decoding: line.bytes, as: UTF8.self) + "\n"
            return true
        }
        let expected = Self.folder.appendingPathComponent("\(name).tape")
        if ProcessInfo.processInfo.environment["STATETAPE_WRITE_CORPUS"] != nil {
            try Data(text.utf8).write(to: expected)
        }
        // The start of a file without times is now.
        #expect(try Self.lines(text) == Self.lines(String(contentsOf: expected, encoding: .utf8)))
        for line in try Self.lines(text) { _ = try EventLine(parsing: Array(line.utf8)) }
    }

    private static func lines(_ text: String) throws -> [Substring] {
        Array(text.split(separator: "\n").dropFirst())
    }

    @Test("References resolve to what jsan would make of them")
    func references() throws {
        let file = Self.folder.appendingPathComponent("references.json")
        let opened = try OpenedTape(FileHandle(forReadingFrom: file)) { _ in "redux-fixture" }
        let todo: JSON = ["id": 1, "title": "Milk"]
        func state(_ todos: JSON, _ filter: JSON) -> JSON {
            [
                "todos": todos, "user": ["name": "Ana", "since": "2023-11-14T22:13:20.000Z"], "filter": filter,
                "seen": [:], "limit": .null,
            ]
        }
        let states = States()
        for (seq, expected) in [
            state([todo], "all"), state([todo], "done"), state([todo, ["id": 2, "title": "Bread"]], "done"),
        ].enumerated() {
            #expect(try states.states(of: opened, after: seq) == ["main": expected])
        }
    }
}
