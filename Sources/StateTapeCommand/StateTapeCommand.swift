import ArgumentParser
import Foundation
import TapeFormat
import TodoExample

@main
struct StateTapeCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "statetape",
        abstract: "Record the actions and states of Swift apps, and apply any state to the running app.",
        discussion: """
            Start with `statetape demo`, or with `statetape serve` and STATETAPE_URL in your app's environment.
            Apps, and the commands that talk to a server, read its address from STATETAPE_URL and the token from \
            STATETAPE_TOKEN.
            Exit codes: 0 success; 1 failure, or a difference found by diff, whose failures exit with 2; 64 invalid \
            arguments; 70 the server's event loop was blocked for 30 s. ci exits with the code of its command.
            """,
        version: "statetape 0.1.0",
        subcommands: [
            Serve.self, Demo.self, InitCommand.self, Run.self, StartStateCommand.self, Sessions.self, Push.self,
            Import.self, Export.self, Diff.self, Prune.self, Move.self, Check.self, Repair.self, Verify.self,
            ContinuousIntegration.self, TodoExampleCommand.self,
        ]
    )

    /// As the library's own, but an error's text, parts of which others choose, doesn't reach the terminal as it is.
    static func main() async {
        StandardDescriptors.open()
        #if os(Linux)
            Supervisor.runIfAsked(CommandLine.arguments)
        #endif
        Supervision.enable()
        // A write beyond the limit for files is then an error, not the end of the process.
        signal(SIGXFSZ, SIG_IGN)
        if let invalid = Arguments.invalid {
            Output.usage(
                "Error: The argument “\(invalid)” isn't valid UTF-8. Rename the file, or name it by another path.")
            Self.exit(withError: ExitCode.validationFailure)
        }
        if let unknown = UnknownCommand(CommandLine.arguments.dropFirst()) {
            Output.usage(unknown.description)
            Self.exit(withError: ExitCode.validationFailure)
        }
        do {
            var command = try parseAsRoot()
            do throws(Failure) {
                try ProcessLimits.check()
            } catch {
                Output.note("Error: \(error)")
                // As for its other failures.
                Self.exit(withError: ExitCode(command is Diff ? 2 : 1))
            }
            if var command = command as? any AsyncParsableCommand {
                try await command.run()
            } else {
                try command.run()
            }
        } catch {
            let error = error.foundationReason.map { Failure($0) } ?? error
            let code = exitCode(for: error)
            // On one line: an argument in it may have several, and look like a message of its own.
            let message = message(for: error)
            let text = fullMessage(for: error)
                .replacingOccurrences(of: message, with: code == .validationFailure ? message.onOneLine : message)
            switch code {
            case _ where text.isEmpty: break
            case .success: Output.raw(text + "\n")
            case .validationFailure: Output.usage(text)
            default: Output.note(text)
            }
            Self.exit(withError: code)
        }
    }
}
