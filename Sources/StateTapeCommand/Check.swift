#if Server
    import ArgumentParser
    import Foundation
    import StateTapeServer

    struct Check: ParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Check tape files, or a server's whole archive, for damage.",
            discussion: """
                In a tape it checks the order of the events, and that each patch applies. In an archive it also checks the \
                database's pages, the checksums of compressed events, and that stored states match the events. It changes \
                nothing, and works while a server runs. Exits with 1 if it finds a problem.
                """
        )

        @Argument(
            help: ArgumentHelp(
                "Tape files; “-” reads standard input. Without files, the archive in --database or --data is checked.",
                valueName: "file"))
        var files: [String] = []

        @Option(
            help: ArgumentHelp(
                "The data folder of the server, instead of a database (default: ./statetape-data).", valueName: "folder"
            ))
        var data: String?

        @OptionGroup var database: DatabaseOption

        func validate() throws {
            guard data == nil || database.database == nil else {
                throw ValidationError("--data and --database are two archives: check one after the other.")
            }
            guard files.isEmpty || data == nil && database.database == nil else {
                throw ValidationError("Pass tape files, or an archive with --data or --database.")
            }
        }

        func run() throws {
            let problems = files.isEmpty ? try checkArchive() : files.reduce(0) { $0 + check($1) }
            if problems > 0 { throw ExitCode.failure }
        }

        /// - Returns: The number of problems.
        private func check(_ name: String) -> Int {
            let check = FileCheck(name) { Output.line($0) }
            if let line = check.cutLine { TapeName.noteCut(name, line) }
            if let events = check.events {
                Output.line("\(name): \(events) events: \(Self.verdict(check.problems.count))")
            }
            return check.problems.count
        }

        private func checkArchive() throws -> Int {
            let isTerminal = isatty(STDERR_FILENO) == 1
            func progress(_ text: String) {
                if isTerminal { Output.progress(text) }
            }
            let folder = ArchiveAddress.folder(URL(fileURLWithPath: data ?? "./statetape-data", isDirectory: true))
            // A folder that is named wins over STATETAPE_DATABASE.
            let address = data == nil ? try database.address().map(ArchiveAddress.database) ?? folder : folder
            let logger = ServerLog.logger()
            let figures = try ArchiveCheck.run(address, logger: logger) { problem in
                progress("")
                Output.line(problem)
            } progress: { figures in
                progress("\(figures.sessions) sessions, \(figures.events) events")
            }
            progress("")
            Output.line("\(figures.sessions) sessions with \(figures.events) events: \(Self.verdict(figures.problems))")
            if figures.problems > 0, case .folder(let folder) = address {
                Output.line("“\(ArchiveRepair.command(for: folder))” copies what can be read to a new folder.")
            }
            return figures.problems
        }

        private static func verdict(_ problems: Int) -> String {
            problems == 0 ? "no problems." : "\(problems) problem\(problems == 1 ? "" : "s")."
        }
    }
#endif
