import Foundation

/// The arguments as the system passed them. Foundation replaces bytes that are no text, and would then use another file.
enum Arguments {
    /// The first that isn't text, as a message names it; nil if all are.
    static var invalid: String? {
        (0..<Int(CommandLine.argc)).lazy.compactMap { CommandLine.unsafeArgv[$0] }
            .first { String(validatingCString: $0) == nil }.map { String(cString: $0) }
    }
}

extension URL {
    /// A file or folder that a person has named. Foundation takes a leading `~` for the account's home; the shell has
    /// replaced it where it means that.
    init(named path: String, isDirectory: Bool) {
        self.init(fileURLWithPath: path.hasPrefix("~") ? "./" + path : path, isDirectory: isDirectory)
    }
}
