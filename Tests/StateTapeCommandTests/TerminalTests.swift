#if Server
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
    }
#endif
