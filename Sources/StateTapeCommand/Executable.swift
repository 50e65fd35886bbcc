import Foundation

/// The running executable's file.
enum Executable {
    static var url: URL {
        // Foundation resolves argv[0] through the PATH and the working directory.
        Bundle.main.executableURL ?? URL(fileURLWithPath: CommandLine.arguments[0])
    }
}
