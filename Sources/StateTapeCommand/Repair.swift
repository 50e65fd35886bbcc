import ArgumentParser
import Foundation
import StateTapeServer
import TapeFormat

struct Repair: ParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Copy what can be read of a damaged data folder to a new one.",
        discussion: """
            Use it if the server doesn't start, or if `statetape check` finds damage. Stop the server first. The damaged \
            folder stays as it is, and the new folder needs as much space. It prints what can't be read, at most \
            1,000 problems; events that are lost become a gap in their session. Then start the server with --data and \
            the new folder.
            Exits with 1 if anything was wrong.
            """
    )

    @Option(help: ArgumentHelp("The damaged data folder.", valueName: "folder"))
    var data: String

    @Option(help: ArgumentHelp("The folder to create.", valueName: "folder"))
    var to: String

    @Flag(help: "Print the result as one line of JSON. Problems go to standard error, too, as they are found.")
    var json = false

    func run() throws {
        let isTerminal = isatty(STDERR_FILENO) == 1
        func progress(_ text: String) {
            if isTerminal { Output.progress(text) }
        }
        defer { progress("") }
        StopSignal.listen()
        let counts: ArchiveRepair.Counts
        var told = 0
        do {
            counts = try ArchiveRepair.run(
                from: URL(named: data, isDirectory: true), to: URL(named: to, isDirectory: true),
                logger: ServerLog.logger()
            ) { problem in
                told += 1
                if told > Problems.most { return }
                progress("")
                if json { Output.note(problem) } else { Output.line(problem) }
            } progress: { counts in
                if StopSignal.hasArrived { throw RepairStopped() }
                progress(
                    "\(counts.checked) events checked, \(counts.rows) rows read, \(counts.sessions) sessions copied, \(counts.events) events"
                )
            }
        } catch is RepairStopped {
            progress("")
            Output.note("The repair was stopped, and what it had copied to \(to) was removed. Start it again.")
            StopSignal.end()
        }
        progress("")
        let problems = counts.problems.count
        if json {
            Output.json([
                "sessions": .number(.init(counts.sessions)), "events": .number(.init(counts.events)),
                "problems": .array(counts.problems.first.map { .string($0.onOneLine) }),
                "moreProblems": .number(.init(counts.problems.more)),
            ])
        } else {
            if counts.problems.more > 0 { Output.line("and \(counts.problems.more) more problems.") }
            Output.line(
                "\(counts.sessions) session\(counts.sessions == 1 ? "" : "s") with \(counts.events) event\(counts.events == 1 ? "" : "s")"
                    + " \(counts.sessions == 1 ? "is" : "are") in \(to):"
                    + " \(problems == 0 ? "no" : "\(problems)") problem\(problems == 1 ? "" : "s").")
        }
        if problems > 0 { throw ExitCode.failure }
    }
}
