#if Server
    import ArgumentParser
    import Foundation
    import StateTapeServer

    struct Repair: ParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Copy what can be read of a damaged data folder to a new one.",
            discussion: """
                Use it if the server doesn't start, or if `statetape check` finds damage. Stop the server first. The damaged \
                folder stays as it is, and the new folder needs as much space. It prints everything that can't be read; \
                events that are lost become a gap in their session. Then start the server with --data and the new folder.
                Exits with 1 if something could not be read.
                """
        )

        @Option(help: ArgumentHelp("The damaged data folder.", valueName: "folder"))
        var data: String

        @Option(help: ArgumentHelp("The folder to create.", valueName: "folder"))
        var to: String

        func run() throws {
            let isTerminal = isatty(STDERR_FILENO) == 1
            func progress(_ text: String) {
                if isTerminal { Output.progress(text) }
            }
            defer { progress("") }
            let figures = try ArchiveRepair.run(
                from: URL(fileURLWithPath: data, isDirectory: true), to: URL(fileURLWithPath: to, isDirectory: true),
                logger: ServerLog.logger()
            ) { problem in
                progress("")
                Output.line(problem)
            } progress: { figures in
                progress("\(figures.rows) rows read, \(figures.sessions) sessions copied, \(figures.events) events")
            }
            progress("")
            Output.line(
                "\(figures.sessions) sessions with \(figures.events) events are in \(to):"
                    + " \(figures.problems == 0 ? "no" : "\(figures.problems)") problem\(figures.problems == 1 ? "" : "s")."
            )
            if figures.problems > 0 { throw ExitCode.failure }
        }
    }
#endif
