import Foundation

/// How a process ended.
enum Ending: Equatable {
    case exited(Int32)
    case signalled(Int32)

    /// - Parameter status: That of `waitpid`.
    init(status: Int32) {
        let signal = status & 0x7f
        self = signal == 0 ? .exited(status >> 8 & 0xff) : .signalled(signal)
    }

    /// As a shell's `$?`: 128 + n for signal n.
    var code: Int32 {
        switch self {
        case .exited(let code): code
        case .signalled(let number): 128 + number
        }
    }

    /// `exit code 1`, `signal 9 (SIGKILL)`.
    var text: String {
        switch self {
        case .exited(let code): "exit code \(code)"
        case .signalled(let number): "signal \(number)" + (Self.names[number].map { " (\($0))" } ?? "")
        }
    }

    private static let names = [
        SIGHUP: "SIGHUP", SIGINT: "SIGINT", SIGQUIT: "SIGQUIT", SIGILL: "SIGILL", SIGTRAP: "SIGTRAP",
        SIGABRT: "SIGABRT", SIGBUS: "SIGBUS", SIGFPE: "SIGFPE", SIGKILL: "SIGKILL", SIGSEGV: "SIGSEGV",
        SIGPIPE: "SIGPIPE", SIGTERM: "SIGTERM", SIGXCPU: "SIGXCPU",
    ]
}
