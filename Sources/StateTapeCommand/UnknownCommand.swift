import ArgumentParser
import TapeFormat

import struct TapeEngine.Suggestion

/// A name that no command has. The library would only say that the argument is unexpected.
struct UnknownCommand: CustomStringConvertible {
    let description: String

    /// - Parameter arguments: Those of the process. Nil if they name a command, or begin with an option.
    init?(_ arguments: some Sequence<String>) {
        let first = arguments.first { $0 != "help" }
        let names = StateTapeCommand.configuration.subcommands.map { $0._commandName }
        guard let first, !first.hasPrefix("-"), !names.contains(first) else { return nil }
        description = """
            Error: There is no command “\(first.onOneLine)”.\(Suggestion(first, among: names).question)
            See 'statetape --help' for all commands.
            """
    }
}
