import ArgumentParser
import Foundation
import TapeFormat

struct Verify: ParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Make sure that tape files are undamaged and complete: a file that is cut off fails.",
        discussion: """
            For scripts and CI. It checks the format, the members, the order and the times of the events, and that each \
            patch applies. Unlike `check`, it also reports a tape that is cut off, such as that of a process that was \
            killed while it wrote. Exits with 1 if it finds a problem.
            """
    )

    @Argument(
        help: ArgumentHelp(
            "Tapes, plain or gzipped, or Redux DevTools exports; “-” reads standard input.", valueName: "file"))
    var files: [String]

    @Option(
        help: ArgumentHelp(
            "Also write the result as a JUnit XML file, with a test case for each tape.", valueName: "file"))
    var junit: String?

    @Flag(help: "Print the result of each file as one line of JSON.")
    var json = false

    func run() throws {
        if let junit { try OutputFile.requireFolder(of: junit) }
        var cases: [JUnitReport.Case] = []
        for file in files {
            let problems = problems(of: file)
            if !json { problems.forEach(Output.line) }
            cases.append(.init(name: file, problems: problems))
        }
        if let junit {
            let report = JUnitReport(suite: "statetape verify", cases: cases)
            try OutputFile.write(junit) { try $0.write(contentsOf: Data(report.text.utf8)) }
        }
        if cases.contains(where: { !$0.problems.isEmpty }) { throw ExitCode.failure }
    }

    /// The problems of a file, each with what to do. Prints a line for a file without problems.
    private func problems(of file: String) -> [String] {
        let check = FileCheck(file)
        var problems = check.problems
        if let remedy = check.remedy, !remedy.isEmpty, let last = problems.popLast() {
            problems.append("\(last)\(last.hasSuffix(".") ? "" : ".") \(remedy)")
        }
        if let line = check.cutLine {
            problems.append(
                "\(file): line \(line) is cut off. To keep the \(check.events ?? 0) events before it, run "
                    + "`statetape export \(file.shellPath) -o NEW.tape`.")
        }
        if json {
            Output.json(check.json)
        } else if problems.isEmpty {
            Output.line("\(file): \(check.events ?? 0) events: no problems.")
        }
        return problems
    }
}
