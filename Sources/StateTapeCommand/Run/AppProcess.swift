import Foundation

/// The app that `run` keeps running.
struct AppProcess: Sendable {
    let process: ChildProcess
    private let terminal: Terminal?

    /// Starts the app; it gets the terminal.
    ///
    /// - Throws: `Failure` if it can't be started.
    init(
        _ command: [String], _ environment: [String: String], terminal: Terminal?, inherited: InheritedDescriptors
    ) throws {
        self.terminal = terminal
        process = try ChildProcess(command, environment, inherited: inherited) { process, signal in
            terminal?.stopped(process, by: signal)
        }
        terminal?.give(to: process.id)
    }

    /// How it ended, after the terminal has come back.
    var ending: Ending {
        get async {
            let ending = await process.ending
            terminal?.takeBack(from: process.id)
            return ending
        }
    }

    /// Ends it, with SIGKILL if it doesn't end in time.
    func end() async {
        _ = await process.end()
        _ = await ending
    }
}
