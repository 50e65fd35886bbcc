import Foundation
import Testing

/// Apps and servers choose parts of what commands and servers print.
@Suite("What reaches a terminal") struct TerminalTests {
    private static let sources = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
        .deletingLastPathComponent().deletingLastPathComponent().appendingPathComponent("Sources")

    /// Where a program's own terminal is written to, and by what.
    private static let allowed: [String: Set<String>] = [
        "Output.swift": ["standardOutput", "standardError"],
        "ServerLog.swift": ["StreamLogHandler", "standardError"],
        // A file for another program.
        "OutputFile.swift": ["standardOutput"],
        // Escape sequences of its own.
        "Terminal.swift": ["standardOutput"],
        // Workflow commands with escaped texts.
        "JobSummary.swift": ["standardOutput"],
        // The output of git.
        "RunLabels.swift": ["standardOutput", "standardError"],
        // Without the server there is nothing but this.
        "StateTapeCommand.swift": [" print("],
    ]

    @Test("Commands and the server write in one place each")
    func places() throws {
        let words = [" print(", "standardOutput", "standardError", "StreamLogHandler", " fputs(", " puts("]
        for folder in ["StateTapeCommand", "StateTapeServer"] {
            let root = Self.sources.appendingPathComponent(folder)
            let files = try #require(FileManager.default.enumerator(at: root, includingPropertiesForKeys: nil))
            for case let file as URL in files where file.pathExtension == "swift" {
                let text = try String(contentsOf: file, encoding: .utf8)
                for word in words where text.contains(word) {
                    let isAllowed = Self.allowed[file.lastPathComponent]?.contains(word) ?? false
                    #expect(isAllowed, "\(file.lastPathComponent) uses \(word)")
                }
            }
        }
    }

    @Test("A text that a command got from elsewhere is written out, and starts no command of the job's runner")
    func foreign() throws {
        let folder = try TestFolder()
        let name = "::error::\u{1b}[2J\u{9b}x\u{202e}.tape"
        try folder.write(name, Data("x".utf8))
        for command in ["verify", "check", "diff", "export", "import"] {
            let arguments = [command, name] + (command == "diff" ? [name] : [])
            let result = try CommandProcess.run(arguments) { $0.currentDirectoryURL = folder.url }
            let all = result.output + result.errors
            #expect(all.contains("\\u{1b}[2J\\u{9b}x\\u{202e}"), "\(arguments): \(all)")
            let forbidden = all.unicodeScalars.contains { "\u{1b}\u{9b}\u{202e}".unicodeScalars.contains($0) }
            #expect(!forbidden && !all.split(separator: "\n").contains { $0.hasPrefix("::") }, "\(arguments)")
        }
    }

    @Test("A line break in an argument starts no line of its own in a message")
    func lineBreaks() throws {
        let forged = "NOPE\nFORGED: all is well\r\n::error::x"
        for command in [
            ["push", forged, "--seq", "1"], ["export", "x", "--from", forged],
            ["diff", "a", "b", "--ignore", forged],
            ["serve", "--listen", forged], ["sessions", "--sort", forged], ["prune", "--max-size", forged],
            [forged],
            ["help", forged], ["sessions", "--\(forged)"], ["sessions", forged], ["start-state", "set", forged],
            ["sessions", "--server", forged], ["verify", forged], ["check", "--data", forged],
            ["move", "--from", forged, "--to", "x"],
            ["repair", "--data", forged, "--to", "x"], ["ci", "--archive", forged, "--", "true"],
            ["ci", "--", forged],
            ["run", "--", forged], ["export", forged],
        ] {
            let folder = try TestFolder()
            let result = try CommandProcess.run(command) { $0.currentDirectoryURL = folder.url }
            let all = result.output + result.errors
            #expect(result.status != 0 && !all.isEmpty && !all.contains("\r"), "\(command): \(all)")
            #expect(!all.split(separator: "\n").contains { $0.hasPrefix("FORGED") || $0.hasPrefix("::") }, "\(all)")
        }
    }

    @Test("What the system refuses is said in its words, without Foundation's numbers")
    func foundation() throws {
        let (folder, server) = (try TestFolder(), try ServerProcess())
        try SampleTape.make(5).write(to: server.file("a.tape"))
        #expect(try server.run("import", server.file("a.tape").path).status == 0)
        try FileManager.default.copyItem(at: server.file("data"), to: server.file("copy"))
        let link = folder.path("link")
        try FileManager.default.createSymbolicLink(atPath: link, withDestinationPath: "nowhere")
        let (data, file) = (server.file("copy").path, try folder.write("file", Data("x".utf8)))
        for (command, temporary) in [
            (["repair", "--data", data, "--to", link], nil),
            (["repair", "--data", data, "--to", "/proc/1/x"], nil),
            (["repair", "--data", data, "--to", file + "/x"], nil), (["ci", "--", "true"], file),
            (["ci", "--output", file + "/x", "--", "true"], nil),
            (["ci", "--output", link + "/x", "--", "true"], nil),
            (["move", "--from", data, "--to", file + "/x"], nil), (["serve", "--data", file + "/x"], nil),
            (["export", server.file("a.tape").path], "/proc/1"),
        ] as [([String], String?)] {
            let result = try CommandProcess.run(command, server: server.url) { process in
                process.currentDirectoryURL = folder.url
                if let temporary { process.environment?["TMPDIR"] = temporary }
            }
            let isPlain = ["NSCocoa", "Error Domain", "UserInfo", "Code="].allSatisfy {
                !result.errors.contains($0)
            }
            #expect(result.status == 1 && isPlain && !result.errors.isEmpty, "\(command): \(result.errors)")
        }
    }
}
