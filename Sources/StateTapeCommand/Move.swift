import ArgumentParser
import Foundation
import StateTapeServer
import TapeFormat

struct Move: ParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Copy sessions to another data folder or database.",
        discussion: """
            Copies a whole archive, or single sessions, with their lines, bookmarks, titles, labels, kept marks and \
            launch states. Stop the servers of both first. The source stays as it is.
            If the command is interrupted, run it again: it continues. It skips sessions that the target has already. \
            If the target has other events under the same id, it keeps them, and the command reports that.
            Exits with 1 if something could not be copied.
            """
    )

    @Option(
        help: ArgumentHelp(
            "The archive to copy from: a server's data folder, or a PostgreSQL database such as"
                + " postgres://user@host/name. Put the password elsewhere: in PGPASSWORD or the file in PGPASSFILE.",
            valueName: "folder|url"))
    var from: String

    @Option(
        help: ArgumentHelp(
            "The archive to copy to, in the same form; created if missing.", valueName: "folder|url"))
    var to: String

    @Option(
        parsing: .upToNextOption,
        help: ArgumentHelp(
            "Copy only these sessions: ids, or at least their first ten characters (default: all sessions).",
            valueName: "id"))
    var session: [String] = []

    @Flag(help: "Print the result as one line of JSON. Problems go to standard error, too, as they are found.")
    var json = false

    func validate() throws {
        for (option, text) in [("--from", from), ("--to", to)] {
            guard !text.isEmpty else { throw ValidationError("\(option) needs a folder or a database's URL.") }
            do {
                guard case .database(let address) = try ArchiveAddress(text), address.hasPassword else { continue }
            } catch {
                throw ValidationError("\(option): \(error)")
            }
            throw ValidationError(
                "Other users of this machine see a password in \(option). Set PGPASSWORD to the password, or"
                    + " PGPASSFILE to a file with it.")
        }
    }

    func run() throws {
        let isTerminal = isatty(STDERR_FILENO) == 1
        func progress(_ text: String) {
            if isTerminal { Output.progress(text) }
        }
        let logger = ServerLog.logger()
        var told = 0
        defer { progress("") }
        let counts = try ArchiveMove.run(
            from: ArchiveAddress(from), to: ArchiveAddress(to), sessions: session, logger: logger
        ) { problem in
            told += 1
            if told > Problems.most { return }
            progress("")
            Output.note(problem)
        } progress: { counts in
            progress(
                "\(counts.copied + counts.present) of \(counts.sessions) sessions, \(counts.events) events")
        }
        progress("")
        let problems = counts.problems.count
        if json {
            Output.json([
                "copied": .number(.init(counts.copied)), "present": .number(.init(counts.present)),
                "events": .number(.init(counts.events)),
                "problems": .array(counts.problems.first.map { .string($0.onOneLine) }),
                "moreProblems": .number(.init(counts.problems.more)),
            ])
        } else {
            if counts.problems.more > 0 { Output.note("and \(counts.problems.more) more problems.") }
            Output.line(
                "\(counts.copied) session\(counts.copied == 1 ? "" : "s") copied, \(counts.present) there already:"
                    + " \(problems == 0 ? "no" : "\(problems)") problem\(problems == 1 ? "" : "s").")
        }
        if problems > 0 { throw ExitCode.failure }
    }
}
