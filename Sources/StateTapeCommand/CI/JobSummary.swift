import Foundation

/// What `ci` tells GitHub Actions: a table in the job's summary, and an annotation for each failing test.
struct JobSummary {
    /// GitHub refuses summaries of more than 1 MiB.
    private static let maxRows = 200

    private let failures: [FailedTest]
    /// Tests that have passed when they were run again.
    private let retried: [FailedTest]
    private let label: Label?
    /// What to say without failing tests.
    private let none: String

    init(_ failures: [FailedTest], label: Label?, none: String) {
        self.failures = failures.filter { !$0.hasPassedLater }
        retried = failures.filter(\.hasPassedLater)
        self.label = label
        self.none = none
    }

    /// Writes what the environment asks for.
    func write() {
        let environment = ProcessInfo.processInfo.environment
        if let file = environment["GITHUB_STEP_SUMMARY"], !file.isEmpty { append(to: file) }
        guard environment["GITHUB_ACTIONS"] == "true", !failures.isEmpty else { return }
        // Not `Output.line`, which ends the process if standard output is closed.
        try? FileHandle.standardOutput.write(
            contentsOf: Data((annotations.joined(separator: "\n") + "\n").utf8))
    }

    private func append(to file: String) {
        do {
            // A pipe that nobody reads would hold the job up.
            let flags = O_WRONLY | O_APPEND | O_CREAT | O_NONBLOCK | O_NOCTTY | O_CLOEXEC
            let handle = try RegularFile.open(file, flags)
            try handle.write(contentsOf: Data(markdown.utf8))
        } catch {
            ContinuousIntegration.warn("The job summary \(file) can't be written: \(error.reason)")
        }
    }

    var markdown: String {
        let rest = retried.isEmpty ? "" : "\n" + table("tests that passed when run again", retried)
        return
            (failures.isEmpty
            ? "\n### StateTape\n\n\(none)\n" : table("failing tests", failures)) + rest
    }

    private func table(_ title: String, _ failures: [FailedTest]) -> String {
        var columns = ["Test", "Suite", "First error", "Last action", "Events"]
        if let label { columns.append("First difference from \(label.key)=\(label.value)") }
        columns.append("Tape")
        var lines = [
            "", "### StateTape: \(title)", "", row(columns), row(columns.map { _ in "---" }, isRule: true),
        ]
        for failure in failures.prefix(Self.maxRows) {
            let tape = failure.tape
            var cells = [
                tape.name, tape.suite ?? "", failure.error, tape.lastAction ?? "", String(tape.events),
            ].map { Markup.markdown(Markup.short($0, 500)) }
            if label != nil {
                let comparison = failure.comparison
                let text = Markup.markdown(Markup.short(comparison?.text ?? "", 500))
                cells.append(text + (comparison?.link.map { " [Compare](\($0))" } ?? ""))
            }
            // The archive's links consist of a checked address, a session id and a number.
            cells.append(failure.link.map { "[Open](\($0))" } ?? Markup.markdown(failure.path))
            lines.append("| \(cells.joined(separator: " | ")) |")
        }
        if failures.count > Self.maxRows {
            lines += ["", "… and \(failures.count - Self.maxRows) more, in \(FailureIndex.name)."]
        }
        return lines.joined(separator: "\n") + "\n"
    }

    private func row(_ cells: [String], isRule: Bool = false) -> String {
        "| \(cells.map { isRule ? $0 : Markup.markdown($0) }.joined(separator: " | ")) |"
    }

    /// One workflow command for each failing test.
    var annotations: [String] {
        failures.map { failure in
            var properties = ["title=\(Markup.workflow(property: failure.tape.title))"]
            if let (file, line) = failure.sourcePlace {
                properties = ["file=\(Markup.workflow(property: file))", "line=\(line)"] + properties
            }
            let parts = [Markup.short(failure.error, 2_000), failure.comparison?.text, "Tape: \(failure.place)"]
            let message = parts.compactMap { $0 }.joined(separator: "\n")
            return "::error \(properties.joined(separator: ","))::\(Markup.workflow(message: message))"
        }
    }
}
