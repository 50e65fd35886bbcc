import ArgumentParser
import Foundation

struct ContinuousIntegration: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "ci",
        abstract: "Run a test command, and keep the tape of every failing test.",
        discussion: """
            Starts a private server on this machine, runs the command, and writes for each failing test a page that \
            opens from the disk, the tape, and one index.html to the output folder. Exits with the command's exit code; \
            with 128 + n after signal n, and with 127 if the command can't be started.

            The command's environment has STATETAPE_URL, STATETAPE_TOKEN, STATETAPE_FILE and STATETAPE_LABELS with the \
            branch and the commit, also with the prefixes TEST_RUNNER_ and SIMCTL_CHILD_ for xcodebuild and simulators. \
            In GitHub Actions it also writes a job summary and an annotation for each failing test.

            Example: statetape ci --junit tests.xml -- swift test --parallel --xunit-output tests.xml
            """
    )

    @Option(
        help: ArgumentHelp(
            "Upload the tapes to this server, and print permanent links. Its token comes from the URL, or from"
                + " STATETAPE_TOKEN.",
            valueName: "url"))
    var archive: String?

    @Option(
        help: ArgumentHelp(
            "Compare each failing test with the newest passing tape of the same test in the archive that has this"
                + " label, such as branch=main.", valueName: "key=value"))
    var compareWith: Label?

    @Option(
        help: ArgumentHelp(
            "Add links to the failing tests of this JUnit XML file, which the command writes, and of the file that"
                + " swift test writes beside it for Swift Testing.", valueName: "file"))
    var junit: String?

    @Option(
        help: ArgumentHelp(
            "The folder for the pages and tapes: a new or empty one, or that of an earlier run, whose files are replaced.",
            valueName: "folder"))
    var output = "./statetape-ci"

    @Flag(help: "Keep the tapes of passing tests, too; with --archive, upload them.")
    var keepPassing = false

    @Argument(parsing: .postTerminator, help: ArgumentHelp("The command to run, after “--”.", valueName: "command"))
    var command: [String] = []

    func validate() throws {
        guard let name = command.first, !name.isEmpty else {
            throw ValidationError("Pass the command to run after “--”, such as: statetape ci -- swift test")
        }
        guard compareWith == nil || archive != nil else {
            throw ValidationError("--compare-with needs --archive, the server that has the passing tapes.")
        }
        if let archive { _ = try TeamArchive(archive) }
    }

    func run() async throws {
        // A closed standard error must not end this process before the command.
        signal(SIGPIPE, SIG_IGN)
        let inherited = InheritedDescriptors()
        var folder = try OutputFolder(output)
        let server = try PrivateServer()
        let environment = ProcessInfo.processInfo.environment
        let labels = RunLabels(environment)
        let reports = JUnitFile.files(junit)
        let status: Int32
        do {
            status = try await runCommand(
                variables(server, folder, labels).merging(environment) { new, _ in new }, inherited)
        } catch {
            server.stop()
            folder.removeRecording()
            Output.note("Error: \(error)")
            throw ExitCode(127)
        }
        let tapes = await collect(server, &folder)
        server.stop()
        await report(tapes, labels, &folder, reports, status: status)
        if status != 0 { throw ExitCode(status) }
    }

    /// Runs the command with the standard input and output of this process; passes signals on to it.
    private func runCommand(_ environment: [String: String], _ inherited: InheritedDescriptors) async throws
        -> Int32
    {
        let signals = ForwardedSignals()
        defer { signals.restore() }
        let child = try ChildProcess(command, environment, group: .shared, inherited: inherited)
        signals.forward(to: child.id, forGroup: child.isSupervised ? SIGUSR1 : 0)
        let ending = await child.ending
        signals.end()
        return ending.code
    }

    /// The variables for recorders in the command and in what it launches.
    private func variables(_ server: PrivateServer, _ folder: OutputFolder, _ labels: RunLabels) -> [String: String] {
        var variables = [
            "STATETAPE_URL": server.url, "STATETAPE_TOKEN": server.appToken, "STATETAPE_FILE": folder.pattern,
            "STATETAPE_LABELS": labels.text,
        ]
        if keepPassing { variables["STATETAPE_KEEP"] = "1" }
        // xcodebuild and simctl pass variables with these prefixes on, without the prefix.
        for (name, value) in variables {
            for prefix in ["TEST_RUNNER_", "SIMCTL_CHILD_"] { variables[prefix + name] = value }
        }
        return variables
    }

    static func warn(_ text: String) {
        Output.note("statetape: warning: \(text)")
    }
}
