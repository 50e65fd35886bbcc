#if Server
    import ArgumentParser
    import Foundation
    import StateTapeServer

    struct Check: ParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Read a whole archive, and tell what in it is not as it was written.",
            discussion: """
                Checks the database's pages, the checksums of what is compressed, the order of events, and that patches and \
                kept states agree. Changes nothing; the server may be running. Exits with 1 if there is a problem.
                """
        )

        @Option(help: ArgumentHelp("The folder that keeps the sessions.", valueName: "folder"))
        var data = "./statetape-data"

        func run() throws {
            let isTerminal = isatty(STDERR_FILENO) == 1
            func progress(_ text: String) {
                if isTerminal { FileHandle.standardError.write(Data("\r\u{1b}[K\(text)".utf8)) }
            }
            let figures = try ArchiveCheck.run(data: URL(fileURLWithPath: data, isDirectory: true)) { problem in
                progress("")
                Output.line(Table.safe(problem))
            } progress: { figures in
                progress("\(figures.sessions) sessions, \(figures.events) events")
            }
            progress("")
            let verdict = figures.problems == 0 ? "nothing wrong" : "\(figures.problems) problems"
            Output.line("\(figures.sessions) sessions with \(figures.events) events: \(verdict).")
            if figures.problems > 0 { throw ExitCode.failure }
        }
    }
#endif
