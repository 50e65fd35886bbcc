#if Server
    package import ArgumentParser
    import Foundation
    import StateTape

    /// The example app's command line.
    @main
    package struct TodoExampleCommand: AsyncParsableCommand {
        package static let configuration = CommandConfiguration(
            commandName: "todo-example",
            abstract: "A to-do list in the terminal, recorded by StateTape.",
            discussion: """
                Type commands at the prompt; help shows them all. Where standard output is no terminal, every state \
                is printed as a plain frame, and commands are read from standard input a line each.
                """)

        @Option(help: "The StateTape server to record to (default: STATETAPE_URL; without either nothing is recorded).")
        var url: String?

        @Option(help: "The server's token (default: STATETAPE_TOKEN).")
        var token: String?

        @Option(help: ArgumentHelp("Run the commands of a file instead of a person's.", valueName: "file"))
        var script: String?

        @Flag(help: "Use the app by itself, for ever.")
        var demo = false

        @Flag(help: "Print plain frames in a terminal, too.")
        var plain = false

        @Option(help: ArgumentHelp("Take this day for today, at noon.", valueName: "yyyy-mm-dd"))
        var today: String?

        package init() {}

        package func validate() throws {
            if demo, script != nil { throw ValidationError("Give --demo or --script, not both.") }
            if let today, Day(today) == nil { throw ValidationError("--today \(today) is no day: 2026-11-21 is one.") }
        }

        package func run() async throws {
            let signals = Signals()
            let moment = today.flatMap { Day($0) }.map(Moment.noon) ?? .present
            let script = try script(today: moment.today)
            let terminal = plain ? nil : Terminal()
            defer { terminal?.close() }

            let screen = Screen(terminal: terminal, moment: moment)
            let recorder = Recorder(url: url, token: token, allowRelease: true) { message in
                screen.update { if !$0.tape.take(message) { $0.message = [Line(" " + message, .warning)] } }
            }
            screen.update {
                if recorder.isOn { $0.tape.address = address }
                if terminal?.hasKeys == true { $0.editor = LineEditor() }
            }
            let app = TodoApp(tape: recorder, screen: screen, moment: moment)
            await Session(app: app, script: script, signals: signals).run()
            recorder.finish()
        }

        /// The server's address for the screen, without the token that it may end in.
        private var address: String {
            let address = url ?? ProcessInfo.processInfo.environment["STATETAPE_URL"] ?? "the server"
            return String(address.prefix { $0 != "#" })
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
#else
    /// The example app without what it is made of.
    @main
    struct TodoExampleMain {
        static func main() {
            print("todo-example is left out of this build: build it with `swift build --traits Server`.")
        }
    }
#endif
