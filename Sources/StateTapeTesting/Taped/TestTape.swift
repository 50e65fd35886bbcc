package import Foundation
import StateTape
import TapeFormat

/// The tapes of one running test: recorded to files, kept if the test fails.
package final class TestTape: Sendable {
    @TaskLocal static var current: TestTape?

    let recordings: TestRecordings
    let labels: TestLabels
    private let state = Locked((recorder: Recorder?.none, hasFailed: false))

    /// - Parameters:
    ///   - labels: Of the test.
    ///   - file: The path of the tape file; without it, `STATETAPE_FILE` or a temporary file.
    init(_ labels: TestLabels, file: String? = nil) {
        self.labels = labels
        let pattern = file ?? Self.environment["STATETAPE_FILE"].flatMap { $0.isEmpty ? nil : $0 }
        let file = pattern ?? FileManager.default.temporaryDirectory.appendingPathComponent("statetape/%s.tape").path
        let place = file.contains("%s") ? file.replacingOccurrences(of: "%s", with: labels.fileName + "-%s") : file
        recordings = TestRecordings(file: place, labels: labels.all)
        let folder = URL(fileURLWithPath: place).deletingLastPathComponent()
        try? FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    }

    static let environment = ProcessInfo.processInfo.environment
    /// Whether the tapes of passing tests are kept too.
    private static let keepsAll = environment["STATETAPE_KEEP"] == "1"

    /// Records what a test does.
    ///
    /// - Returns: The kept tapes.
    package static func record(test: String, suite: String?, _ body: () -> Void) -> [URL] {
        TestTape(TestLabels(test: test, suite: suite)).record(body)
    }

    func record(_ body: () -> Void) -> [URL] {
        Self.$current.withValue(self) { TestRecordings.$current.withValue(recordings, operation: body) }
        return end()
    }

    var recorder: Recorder {
        state.withLock { state in
            if let recorder = state.recorder { return recorder }
            let made = TestRecordings.$current.withValue(recordings) {
                Recorder(
                    .init(log: .custom { FileHandle.standardError.write(Data("StateTape: \($0)\n".utf8)) }))
            }
            state.recorder = made
            return made
        }
    }

    /// Writes an issue of the test to its tapes.
    ///
    /// - Parameter place: The line of the issue, as `Module/File.swift:12`.
    func fail(_ text: String, at place: String?) {
        state.withLock { $0.hasFailed = true }
        recordings.note(error: text, at: place)
    }

    /// Ends the tapes, and deletes those of a test that passed.
    ///
    /// - Returns: The kept tapes.
    func end() -> [URL] {
        let hasFailed = state.withLock { state in
            state.recorder = nil
            return state.hasFailed
        }
        let files = recordings.end()
        guard hasFailed || Self.keepsAll else {
            for file in files { try? FileManager.default.removeItem(at: file) }
            return []
        }
        for file in files { Self.label(file, outcome: hasFailed ? "failed" : "passed") }
        return files
    }

    /// Adds the outcome to the tape's header.
    private static func label(_ file: URL, outcome: String) {
        guard let tape = try? Data(contentsOf: file), let end = tape.firstIndex(of: UInt8(ascii: "\n")),
            var header = try? Header(JSON(parsing: tape[..<end]))
        else { return }
        header.labels["outcome"] = outcome
        // Replaced at once, so that the tape is always complete.
        try? (Data(header.json.bytes) + tape[end...]).write(to: file, options: .atomic)
    }
}
