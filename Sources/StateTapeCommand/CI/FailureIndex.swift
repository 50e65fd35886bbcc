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
        """
        <!doctype html>
        <html lang="en">
        <head>
        <meta charset="utf-8">
        <meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src \
        'sha256-\(SHA256.base64(Self.style))'; base-uri 'none'; form-action 'none'">
        <meta name="viewport" content="width=device-width, initial-scale=1">
        <title>Failing tests – StateTape</title>
        <style>\(Self.style)</style>
        </head>
        <body>
        <main>
        <h1>Failing tests</h1>
        \(run)\(failures.isEmpty ? "<p id=\"none\">\(none)</p>" : table(failures))
        \(retried.isEmpty ? "" : "<h2>Passed when run again</h2>\n\(table(retried))")
        </main>
        </body>
        </html>

        """
    }

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

    /// The colors are those of the page (`web/app.css`).
    private static let style = """
        :root {
          color-scheme: light dark;
          --ground: light-dark(#ffffff, #14171c);
          --bar: light-dark(#f5f6f8, #1a1e25);
          --line: light-dark(#dfe3e9, #2c333e);
          --text: light-dark(#1b2027, #e4e8ee);
          --muted: light-dark(#545e6c, #9ea9b8);
          --accent: light-dark(#1f57c8, #86adff);
        }
        * { box-sizing: border-box; }
        body {
          margin: 0;
          background: var(--ground);
          color: var(--text);
          font: 14px/1.45 -apple-system, BlinkMacSystemFont, "Segoe UI", Roboto, "Noto Sans", system-ui, sans-serif;
        }
        main { padding: 16px; }
        h1 { margin: 0 0 8px; font-size: 20px; }
        h2 { margin: 24px 0 8px; font-size: 16px; }
        #run { margin: 0 0 16px; color: var(--muted); }
        #run > * { margin-right: 12px; }
        a { color: var(--accent); margin-right: 8px; white-space: nowrap; }
        code { font: 12px ui-monospace, "SF Mono", Menlo, Consolas, "DejaVu Sans Mono", monospace; }
        table { width: 100%; border-collapse: collapse; }
        th, td { padding: 8px; border-bottom: 1px solid var(--line); text-align: left; vertical-align: top; }
        th { background: var(--bar); color: var(--muted); font-weight: 600; }
        td > span, td > code, #run code { overflow-wrap: anywhere; white-space: pre-wrap; }
        @media (min-width: 701px) {
          [data-label="Test"], [data-label="Suite"], [data-label="Last action"] { min-width: 10em; }
        }
        @media (max-width: 700px) {
          thead { position: absolute; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%); }
          table, tbody, tr, td { display: block; }
          tr { padding: 8px 0; border-bottom: 1px solid var(--line); }
          td { padding: 2px 0; border: 0; }
          td::before { content: attr(data-label); display: block; color: var(--muted); font-size: 12px; }
        }
        """
}
