import Foundation
import StateTapeServer
import TapeArchive

/// The page that lists the failing tests of a run. It is static: it has no script, and loads nothing.
struct FailureIndex {
    static let name = "index.html"

    private let failures: [FailedTest]
    /// Tests that have passed when they were run again.
    private let retried: [FailedTest]
    private let labels: RunLabels
    /// The label of the passing tapes to compare with.
    private let label: Label?
    /// What to say without failing tests.
    private let none: String

    init(_ failures: [FailedTest], labels: RunLabels, label: Label?, none: String) {
        self.failures = failures.filter { !$0.hasPassedLater }
        retried = failures.filter(\.hasPassedLater)
        self.labels = labels
        self.label = label
        self.none = none
    }

    var html: String {
        var template = String(decoding: PackageResources.failures_html, as: UTF8.self)[...]
        let none = "<p id=\"none\">\(none)</p>"
        // In the order of the template, so that nothing in them is taken for a place.
        let parts = [
            ("{hash}", SHA256.base64(Self.style(of: template))),
            ("{tests}", run + (failures.isEmpty ? none : table(failures)) + (retried.isEmpty ? "" : passedLater)),
        ]
        var html = ""
        for (place, text) in parts {
            guard let range = template.range(of: place) else { preconditionFailure("failures.html has no \(place).") }
            html += template[..<range.lowerBound] + text
            template = template[range.upperBound...]
        }
        return html + template
    }

    /// What the template's policy allows.
    private static func style(of template: Substring) -> String {
        guard let start = template.range(of: "<style>"), let end = template.range(of: "</style>") else { return "" }
        return String(template[start.upperBound..<end.lowerBound])
    }

    private var passedLater: String { "\n<h2>Passed when run again</h2>\n" + table(retried) }

    /// The run's branch, commit and address.
    private var run: String {
        let items = ["branch", "commit"].compactMap { key in
            labels[key].map { "<span>\(key) <code>\(Markup.xml($0))</code></span>" }
        }
        // A label is anybody's text: only a web address becomes a link.
        let link = labels["run"].flatMap { run in
            run.hasPrefix("https://") ? "<a href=\"\(Markup.xml(run))\">Run</a>" : nil
        }
        let all = items + [link].compactMap { $0 }
        return all.isEmpty ? "" : "<p id=\"run\">\(all.joined(separator: " "))</p>\n"
    }

    private var columns: [String] {
        ["Test", "Suite", "First error", "Last action", "Events"] + (label == nil ? [] : [comparisonTitle]) + ["Tape"]
    }

    private var comparisonTitle: String {
        label.map { "First difference from \($0.key)=\($0.value)" } ?? ""
    }

    private func table(_ failures: [FailedTest]) -> String {
        let head = columns.map { "<th scope=\"col\">\(Markup.xml($0))</th>" }.joined()
        return "<table>\n<thead><tr>\(head)</tr></thead>\n<tbody>\n"
            + failures.map { "<tr>\(row($0))</tr>\n" }.joined() + "</tbody>\n</table>"
    }

    private func row(_ failure: FailedTest) -> String {
        let tape = failure.tape
        var cells = [
            text(tape.name), text(tape.suite ?? ""), text(Markup.short(failure.error, 2_000)),
            code(tape.lastAction ?? ""), text(tape.header == nil ? "" : String(tape.events)),
        ]
        if label != nil {
            let comparison = failure.comparison
            let link = comparison?.link.map { " \(self.link($0, "Compare"))" } ?? ""
            cells.append(text(comparison?.text ?? "") + link)
        }
        cells.append(links(failure))
        return zip(columns, cells).map { "<td data-label=\"\(Markup.xml($0))\">\($1)</td>" }.joined()
    }

    private func links(_ failure: FailedTest) -> String {
        [
            failure.address.map { link($0, "Open page") }, link(failure.file.lastPathComponent, "Tape"),
            failure.link.map { link($0, "Archive") },
        ].compactMap { $0 }.joined(separator: " ")
    }

    private func link(_ address: String, _ text: String) -> String {
        "<a href=\"\(Markup.xml(address))\">\(text)</a>"
    }

    private func text(_ text: String) -> String { "<span>\(Markup.xml(text))</span>" }

    private func code(_ text: String) -> String { "<code>\(Markup.xml(text))</code>" }
}
