import Foundation
import Testing

@Suite("Exit codes", .timeLimit(.minutes(1)))
struct ExitCodeTests {
    private static let article = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
        .appendingPathComponent("../../Sources/StateTapeServer/StateTapeServer.docc/CommandLine.md")

    /// The rows of the article's table: a code, and the commands that exit with it.
    private static func rows() throws -> [(code: String, command: String)] {
        let text = try String(contentsOf: article, encoding: .utf8)
        let section =
            text.components(separatedBy: "### Exit codes").last?.components(separatedBy: "###").first ?? ""
        return section.split(separator: "\n").filter { $0.hasPrefix("|") }.dropFirst(2).map { line in
            let cells = line.split(separator: "|").map { $0.trimmingCharacters(in: .whitespaces) }
            return (cells[0], cells[1])
        }
    }

    @Test("Each row of the article's table is true, and each code that is tried here is in it")
    func table() throws {
        let (folder, server) = (try TestFolder(), try ServerProcess())
        let good = try folder.write("good.tape", SampleTape.make(5))
        let other = try folder.write("other.tape", SampleTape.make(4))
        let bad = try folder.write("bad.tape", Data("x".utf8))
        let cut = try folder.write("cut.tape", SampleTape.make(5).dropLast(5))
        let cases: [String: [[String]]] = [
            "0 all": [
                ["verify", good], ["check", good], ["check", cut], ["diff", good, good], ["import", good],
                ["sessions"],
            ],
            "1 all": [["export", "0123456789"], ["export", bad], ["push", "0123456789", "--seq", "1"]],
            "1 `diff`": [["diff", good, other]],
            "1 `check`": [["check", bad]],
            "1 `verify`": [["verify", bad], ["verify", cut], ["verify", good, bad]],
            "1 `repair`, `move`": [["repair", "--data", folder.path("none"), "--to", folder.path("new")]],
            "1 `import`": [["import", bad, good]],
            "1 `export --format html`": [["export", cut, "--format", "html", "-o", folder.path("cut.html")]],
            "2 `diff`": [["diff", good, bad], ["diff", good, folder.path("none.tape")]],
            "64 all": [["verify"], ["serve", "--listen", "x"], ["none"], ["diff", good]],
            // WatchdogTests.
            "70 `serve`, `demo`": [],
            "N `ci`": [["ci", "--output", folder.path("ci"), "--", "sh", "-c", "exit 3"]],
            "127 `ci`": [["ci", "--output", folder.path("ci"), "--", folder.path("no-command")]],
            "128 + n `ci`": [["ci", "--output", folder.path("ci"), "--", "sh", "-c", "kill -9 $$"]],
        ]
        let rows = try Self.rows()
        #expect(Set(rows.map { "\($0.code) \($0.command)" }) == Set(cases.keys))
        for (row, commands) in cases {
            let code = row.hasPrefix("128 + n") ? 137 : row.hasPrefix("N") ? 3 : Int32(row.prefix { $0 != " " })
            for command in commands {
                let result = try CommandProcess.run(command, server: server.url)
                #expect(result.status == code, "\(row) \(command): \(result.output)\(result.errors)")
            }
        }
        let help = try CommandProcess.run(["--help"]).output.split { !$0.isLetter && !$0.isNumber }
        for code in ["0", "1", "2", "64", "70"] { #expect(help.contains(Substring(code)), "\(code)") }
    }
}
