package import ArgumentParser
import Foundation
import StateTape

/// The example app's command line: an executable of its own, and a command of `statetape` for `demo`.
package struct TodoExampleCommand: AsyncParsableCommand {
    package static let configuration = CommandConfiguration(
        commandName: "todo-example",
        abstract: "A to-do list in the terminal, recorded by StateTape.",
        discussion: """
            Type commands at the prompt; help lists them. Without a terminal, the app prints each state as plain \
            text, and reads one command per line from standard input.
            """,
        shouldDisplay: false)

    @Option(help: "The StateTape server to record to (default: STATETAPE_URL; without one the app isn't recorded).")
    var url: String?

    @Option(help: "The server's token (default: STATETAPE_TOKEN).")
    var token: String?

    @Option(help: ArgumentHelp("Run the commands of this file.", valueName: "file"))
    var script: String?

    @Flag(help: "Run a demo script until you press a key, or push something into the app.")
    var demo = false

    @Flag(help: "Print plain text even in a terminal.")
    var plain = false

    @Option(help: ArgumentHelp("Use noon of this day as the current time.", valueName: "yyyy-mm-dd"))
    var today: String?

    package init() {}

    package func validate() throws {
        if demo, script != nil { throw ValidationError("Pass --demo or --script, not both.") }
        if let today, Day(today) == nil {
            throw ValidationError("--today \(today) isn't a day such as 2026-11-21.")
        }
    }

    package func run() async throws {
        let signals = Signals()
        let moment = today.flatMap { Day($0) }.map(Moment.noon) ?? .present
        let script = try script(today: moment.today)
        let terminal = plain ? nil : Terminal()
        defer { terminal?.close() }

        let screen = Screen(terminal: terminal, moment: moment)
        let show = { @Sendable (message: String) in
            screen.update { $0.message = [Line(" " + message, .warning)] }
        }
        var configuration = Recorder.Configuration(url: url, token: token, allowRelease: true, log: .custom(show))
        configuration.launch = .of("todo-example")
        // The screen shows the connection in a line of its own.
        configuration.report = { status in
            if let message = screen.update({ $0.tape.take(status) }) { show(message) }
        }
        let recorder = Recorder(configuration)
        screen.update {
            if recorder.isOn { $0.tape.address = address }
            if terminal?.hasKeys == true { $0.editor = LineEditor() }
            if demo { $0.notice = ScriptNotice.running.lines(hasPrompt: $0.editor != nil) }
        }
        let app = TodoApp(tape: recorder, screen: screen, moment: moment, stopsScript: demo)
        await Session(app: app, script: script, isDemo: demo, signals: signals).run()
        recorder.finish()
    }

    /// The server's address for the screen. The demo hides what `statetape demo` printed, so it shows the page's
    /// whole URL; elsewhere the token is left out.
    private var address: String {
        let address = url ?? ProcessInfo.processInfo.environment["STATETAPE_URL"] ?? "the server"
        return demo
            ? address.replacing(/[#&]archive=[^&]*/, with: "") : String(address.prefix { $0 != "#" })
    }

    private func script(today: Day) throws -> Script? {
        guard let name = script else { return demo ? try Script(parsing: Script.demo, today: today) : nil }
        do {
            return try Script(
                parsing: String(contentsOf: URL(fileURLWithPath: name), encoding: .utf8), today: today)
        } catch let error as ScriptError {
            throw ValidationError("\(name), \(error)")
        }
    }
}
