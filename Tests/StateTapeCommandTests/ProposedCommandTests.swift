import Foundation
import TapeFormat
import Testing

@Suite("Commands that a text proposes", .timeLimit(.minutes(1))) struct ProposedCommandTests {
    private static let sources = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
        .appendingPathComponent("../../Sources").standardizedFileURL

    /// What stands before a value that becomes a word of a command.
    private static let proposed =
        #"(?:\bstatetape (?:serve|demo|init|run|start-state|sessions|push|import|export|diff|prune|move|check|repair|verify|ci)"#
        + #"|\bhead -n|\bgzip -dc|\brm|\bmv|\bcp|\bchmod|\bswift (?:run|test|build))\b [^`“”:]*$"#
        + #"|\b[Pp]ass (?:-o|--[a-z-]+)[ =]$"#

    /// Numbers, and names of Swift.
    private static let harmless: Set<String> = ["line - 1"]

    @Test("Each value in a proposed command is quoted for the shell")
    func quoted() throws {
        let (proposed, files) = (
            try Regex(Self.proposed),
            try #require(FileManager.default.enumerator(at: Self.sources, includingPropertiesForKeys: nil))
        )
        var found = 0
        for case let file as URL in files where file.pathExtension == "swift" {
            for line in try String(contentsOf: file, encoding: .utf8).split(separator: "\n")
            where !line.contains(/^\s*\/\//) {
                for value in line.matches(of: /\\\((?<text>(?:[^()]|\([^()]*(?:\([^()]*\))?[^()]*\))*)\)/)
                where line[..<value.range.lowerBound].contains(proposed) {
                    let text = String(value.text)
                    let isQuoted = text.hasSuffix(".shellPath") || text.hasSuffix(".shellWord")
                    #expect(isQuoted || Self.harmless.contains(text), "\(file.lastPathComponent): \(line)")
                    found += isQuoted ? 1 : 0
                }
            }
        }
        #expect(found >= 10, "the pattern finds no commands")
    }

    @Test(
        "Whoever copies a proposed command gets the events, whatever the file's name is",
        arguments: [
            "a;touch pwned;.tape", "$(touch pwned).tape", "it's `touch pwned`.tape", "-n.tape", "a\nb \u{1b}.tape",
        ])
    func copied(_ name: String) throws {
        let folder = try TestFolder()
        let tape = SampleTape.make(20)
        var lines = tape.split(separator: 10).map { Data($0) }
        lines[5] = Data("{}".utf8)
        for (content, count) in [(Data(tape.dropLast(9)), 19), (Data(lines.joined(separator: [10])), 4)] {
            try folder.write(name, content)
            let packed = try CommandProcess.gzip(folder.url.appendingPathComponent(name)).lastPathComponent
            for file in [name, packed] {
                let arguments = ["verify", "--", file]
                let found = try CommandProcess.run(arguments) { $0.currentDirectoryURL = folder.url }
                let text = try #require(found.output.firstMatch(of: /run `(.*)`\.\n/).map { String($0.1) })
                let shell = Process()
                shell.executableURL = URL(fileURLWithPath: "/usr/bin/env")
                shell.arguments = [
                    "bash", "-c", text.replacing("statetape ", with: "\"$0\" "), CommandProcess.executable.path,
                ]
                shell.currentDirectoryURL = folder.url
                (shell.standardOutput, shell.standardError) = (FileHandle.nullDevice, FileHandle.nullDevice)
                try shell.run()
                shell.waitUntilExit()
                let kept = try CommandProcess.run(["verify", folder.path("NEW.tape")]).output
                #expect(kept.contains("NEW.tape: \(count) events: no problems."), "\(text): \(kept)")
                #expect(!FileManager.default.fileExists(atPath: folder.path("pwned")))
                try? FileManager.default.removeItem(atPath: folder.path("NEW.tape"))
            }
        }
    }
}
