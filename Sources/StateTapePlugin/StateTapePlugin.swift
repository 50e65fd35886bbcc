import Foundation
import PackagePlugin

/// Runs the command as `swift package statetape …` in a package that depends on this one.
@main
struct StateTapePlugin: CommandPlugin {
    func performCommand(context: PluginContext, arguments: [String]) throws {
        // Ctrl-C reaches the package manager, which interrupts this process. The command has a process group of its own.
        for number in [SIGINT, SIGTERM, SIGHUP] {
            signal(number) { number in
                early = number
                if command > 0 { kill(command, number) }
            }
        }
        let process = Process()
        process.executableURL = try context.tool(named: "StateTapeCommand").url
        process.arguments = arguments
        process.currentDirectoryURL = context.package.directoryURL
        try process.run()
        command = process.processIdentifier
        if early != 0 { kill(command, early) }
        process.waitUntilExit()
        let status = process.terminationStatus
        if status != 0 { exit(process.terminationReason == .exit ? status : 128 + status) }
    }
}

// Unsafe: a signal handler can't capture variables. Each is one word.
private nonisolated(unsafe) var command: pid_t = 0
private nonisolated(unsafe) var early: Int32 = 0
