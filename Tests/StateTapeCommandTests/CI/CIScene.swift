import Foundation
import TapeFormat

@testable import StateTapeCommand

/// A folder in which `statetape ci` runs a shell script that leaves prepared tapes.
struct CIScene {
    /// How a recorded test ended.
    enum Ending {
        /// The label `outcome` and the event `end`.
        case outcome(String)
        /// The process died: the tape has no end.
        case died
        case ended
    }

    let folder: TestFolder

    init() throws {
        folder = try TestFolder()
    }

    /// A tape of a test.
    ///
    /// - Parameters:
    ///   - session: The session's id.
    ///   - test: The test's name; nil for a tape of another process.
    ///   - errors: The texts of its error notes.
    ///   - caller: The call site of these notes.
    ///   - value: The state after the last action.
    static func tape(
        _ session: String, test: String?, suite: String? = "CheckoutTests", _ ending: Ending, errors: [String] = [],
        caller: String? = nil, value: Int = 1, labels: [String: String] = [:]
    ) -> Data {
        var header = Header(
            session: session, app: .init(id: "com.example.shop"), started: "2026-11-20T10:00:00Z", labels: labels)
        header.labels["test"] = test
        if test != nil { header.labels["suite"] = suite }
        if case .outcome(let outcome) = ending { header.labels["outcome"] = outcome }
        var lines = [
            EventLine(seq: 0, at: 0, kind: .`init`, members: [("state", ["n": 0])]),
            EventLine(
                seq: 1, at: 1, kind: .action,
                members: [
                    ("action", ["type": "cart/add"]),
                    ("patch", [["op": "replace", "path": "/n", "value": .number(.init(value))]]),
                ]),
        ]
        for error in errors {
            lines.append(
                EventLine(
                    seq: lines.count, at: 2, kind: .note,
                    members: [("level", "error"), ("text", .string(error))]
                        + (caller.map { [("caller", .string($0))] } ?? [])))
        }
        if case .died = ending {} else { lines.append(EventLine(seq: lines.count, at: 3, kind: .end)) }
        return Data(lines.reduce(into: header.json.bytes + [10]) { $0 += $1.bytes + [10] })
    }

    /// A tape that the script leaves.
    func leave(_ name: String, _ tape: Data) throws {
        try folder.write("prepared/\(name)", tape)
    }

    /// Runs `statetape ci` with a script that leaves the prepared tapes, then runs more commands.
    func run(
        _ arguments: [String] = [], script: String = "", environment: [String: String] = [:], input: Data? = nil,
        edit: (Process) throws -> Void = { _ in }
    ) throws -> CommandProcess.Result {
        let copy = "[ ! -d prepared ] || cp -R prepared/. \"$(dirname \"$STATETAPE_FILE\")\""
        let command = ["--", "/bin/sh", "-c", "\(copy)\n\(script)"]
        return try CommandProcess.run(["ci"] + arguments + command, input: input) { process in
            process.currentDirectoryURL = folder.url
            process.environment = process.environment?.filter { name, _ in
                !["GITHUB_", "CI", "BUILDKITE", "GIT_", "BRANCH"].contains(where: name.hasPrefix)
            }
            process.environment?.merge(environment) { $1 }
            try edit(process)
        }
    }

    /// The names in the output folder, without the marker.
    func output(_ name: String = "statetape-ci") throws -> [String] {
        try folder.names(name).filter { $0 != ".statetape-ci" }
    }

    var index: String { get throws { try folder.text("statetape-ci/index.html") } }
}
