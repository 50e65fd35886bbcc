import ArgumentParser
import Foundation
import StateTapeServer
import TapeArchive
import TapeFormat

struct Check: ParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Look for damage in a server's archive, or in tape files, which may be cut off.",
        discussion: """
            In an archive it checks the database's pages, the checksums of compressed events, the order of the events, \
            each patch, and that stored states match the events. It changes nothing, and works while a server runs. \
            In tape files it finds what `verify` finds, but accepts a file that is cut off. Exits with 1 if it finds a \
            problem.
            """
    )

    @Argument(
        help: ArgumentHelp(
            "Tape files; “-” reads standard input. Without files, the archive in --database or --data is checked.",
            valueName: "file"))
    var files: [String] = []

    @Option(
        help: ArgumentHelp(
            "Check the archive in this data folder of a server (default: ./statetape-data, unless STATETAPE_DATABASE is"
                + " set).", valueName: "folder"
        ))
    var data: String?

    @Option(
        help: ArgumentHelp(
            "Check the archive in this PostgreSQL database, such as postgres://user@host/name (default:"
                + " STATETAPE_DATABASE, if it is set). Put the password elsewhere: in STATETAPE_DATABASE, PGPASSWORD"
                + " or the file in PGPASSFILE.",
            valueName: "url"))
    var database: String?

    @Flag(help: "Print the result of each file, or of the archive, as one line of JSON.")
    var json = false

    func validate() throws {
        try DatabaseOption.validate(database)
        guard data == nil || database == nil else {
            throw ValidationError("--data and --database name two archives: check one after the other.")
        }
        guard files.isEmpty || data == nil && database == nil else {
            throw ValidationError("Pass tape files, or an archive with --data or --database.")
        }
    }

    func run() throws {
        let problems = files.isEmpty ? try checkArchive() : files.reduce(0) { $0 + check($1) }
        if problems > 0 { throw ExitCode.failure }
    }

    /// - Returns: The number of problems.
    private func check(_ name: String) -> Int {
        let check = FileCheck(name) { if !json { Output.line($0) } }
        if json {
            Output.json(check.json)
            return check.problems.count
        }
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
        let folder = ArchiveAddress.folder(URL(named: data ?? "./statetape-data", isDirectory: true))
        // A folder that is named wins over STATETAPE_DATABASE.
        let address =
            data == nil ? try DatabaseOption.named(database).map(ArchiveAddress.database) ?? folder : folder
        let logger = ServerLog.logger()
        var problems: [JSON] = []
        let counts = try ArchiveCheck.run(address, logger: logger) { problem in
            progress("")
            if json { problems.append(.string(problem.onOneLine)) } else { Output.line(problem) }
        } progress: { counts in
            progress("\(counts.sessions) sessions, \(counts.events) events")
        }
        progress("")
        guard !json else {
            Output.json([
                "sessions": .number(.init(counts.sessions)), "events": .number(.init(counts.events)),
                "problems": .array(problems),
            ])
            return counts.problems
        }
        let sessions = "\(counts.sessions) session\(counts.sessions == 1 ? "" : "s")"
        let events = "\(counts.events) event\(counts.events == 1 ? "" : "s")"
        Output.line("\(sessions) with \(events): \(Self.verdict(counts.problems))")
        if counts.problems > 0, case .folder(let folder) = address {
            Output.line("“\(DataFolder.repairCommand(for: folder))” copies what can be read to a new folder.")
        }
        return counts.problems
    }

    private static func verdict(_ problems: Int) -> String {
        problems == 0 ? "no problems." : "\(problems) problem\(problems == 1 ? "" : "s")."
    }
}
