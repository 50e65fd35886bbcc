import ArgumentParser
import Foundation
import StateTapeServer
import TodoExample

struct Demo: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Run the server and an example app that records to it.",
        discussion: """
            The example app, a todo list, runs a script in this terminal. Open the printed URL to see its actions. \
            Press “Apply this state” on the page, and the app jumps to that state. The script stops then, or when you \
            press a key here, and you can type commands. Ctrl-C ends both.
            """
    )

    @OptionGroup var options: ServeOptions

    func run() async throws {
        let inherited = InheritedDescriptors()
        let interruption = Interruption()
        let server = try options.start(isPrivate: true)
        Output.line("statetape listening on \(server.pageURL.absoluteString)")
        var environment = ProcessInfo.processInfo.environment
        environment["STATETAPE_URL"] = server.appURL
        let app: ChildProcess
        do {
            // In this process's group, which has the terminal: only there does the app get keys.
            app = try ChildProcess(
                [Executable.url.path, TodoExampleCommand.configuration.commandName ?? "", "--demo"], environment,
                group: .shared, inherited: inherited)
        } catch {
            server.stop()
            throw Failure("The example app \(error).")
        }
        let interrupted = Task {
            await interruption.wait()
            if !Task.isCancelled { _ = await app.end() }
        }
        _ = await app.ending
        interrupted.cancel()
        server.stop()
    }
}
