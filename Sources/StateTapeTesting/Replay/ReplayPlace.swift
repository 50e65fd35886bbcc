import Foundation
import StateTape
import Testing

/// Where the tape of a failed replay goes: to the tapes of its test, so that whoever collects those finds it.
struct ReplayPlace {
    let file: URL
    let session: String
    let labels: [String: String]

    /// - Parameters:
    ///   - name: The name of the recorded tape.
    ///   - module: The test target.
    ///   - pattern: The value of `STATETAPE_FILE`.
    init(_ name: String, module: String?, pattern: String? = TestTape.environment["STATETAPE_FILE"]) {
        let base = URL(fileURLWithPath: name).deletingPathExtension().lastPathComponent
        let test = TestTape.current?.labels ?? Test.current.map { TestLabels($0) }
        session = Recorder.sessionID()
        // A plain test case of XCTest can't be asked for its name.
        let all = (test ?? TestLabels(test: base, suite: nil, module: module)).all + [("outcome", "failed")]
        labels = Dictionary(all) { $1 }
        let other = TestTape.current?.recordings.file ?? pattern.flatMap { $0.isEmpty ? nil : $0 }
        let folder =
            other.map { URL(fileURLWithPath: $0).deletingLastPathComponent() }
            ?? FileManager.default.temporaryDirectory.appendingPathComponent("statetape", isDirectory: true)
        let parts = [test?.fileName, base, session].compactMap(\.self)
        file = folder.appendingPathComponent(parts.joined(separator: "-") + ".tape")
    }
}
