import Foundation
import TapeEngine

/// The labels of every tape of a run: those of STATETAPE_LABELS, and `ci`, `branch`, `commit` and `run`.
struct RunLabels {
    private(set) var all: [(key: String, value: String)]

    init(_ environment: [String: String]) {
        all = (environment["STATETAPE_LABELS"] ?? "").split(separator: ",").compactMap {
            Label(argument: String($0)).map { ($0.key, $0.value) }
        }
        let build = BuildLabels(environment)
        let branch = build.branch ?? Self.git("symbolic-ref", "--quiet", "--short", "HEAD")
        let commit = build.commit ?? Self.git("rev-parse", "HEAD")
        for (key, value) in [("ci", "true"), ("branch", branch), ("commit", commit), ("run", build.run)] {
            // The list in the variable has no escapes.
            guard let value = value?.replacing(",", with: "-"), !value.isEmpty, self[key] == nil else { continue }
            all.append((key, value))
        }
    }

    subscript(_ key: String) -> String? { all.first { $0.key == key }?.value }

    /// The value of STATETAPE_LABELS.
    var text: String { all.map { "\($0.key)=\($0.value)" }.joined(separator: ",") }

    /// What git prints in the working folder; nil if it fails or isn't installed.
    private static func git(_ arguments: String...) -> String? {
        let process = Process()
        process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
        process.arguments = ["git"] + arguments
        let output = Pipe()
        process.standardOutput = output
        process.standardError = FileHandle.nullDevice
        process.standardInput = FileHandle.nullDevice
        guard (try? process.run()) != nil, let data = try? output.fileHandleForReading.readToEnd() else {
            return nil
        }
        process.waitUntilExit()
        let text = String(decoding: data, as: UTF8.self).trimmingCharacters(in: .whitespacesAndNewlines)
        return process.terminationStatus == 0 && !text.isEmpty ? text : nil
    }
}
