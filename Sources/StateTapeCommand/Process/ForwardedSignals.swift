import Foundation

/// Passes SIGINT, SIGTERM, SIGHUP and SIGQUIT on to a child process, until it is restored.
struct ForwardedSignals {
    /// The signal handlers from before.
    private var old: [(number: Int32, action: sigaction)] = []
    static let forwarded = [SIGINT, SIGTERM, SIGHUP, SIGQUIT]

    init() {
        for number in Self.forwarded {
            // `nohup` and shells ignore signals for their background jobs.
            if Self.isIgnored(number) { continue }
            var (action, old) = (sigaction(), sigaction())
            Self.setHandler(&action) { number, info, _ in
                // The terminal sends to the whole process group, the command included.
                #if os(Linux)
                    let isForGroup = (info?.pointee.si_code ?? 0) > 0
                #else
                    let isForGroup = info?.pointee.si_pid == 0
                #endif
                if isForGroup {
                    if child > 0, shared != 0 { kill(child, shared) }
                    return
                }
                if child > 0 { kill(child, number) } else { early = number }
            }
            action.sa_flags = Int32(SA_SIGINFO) | Int32(SA_RESTART)
            sigaction(number, &action, &old)
            self.old.append((number, old))
        }
    }

    /// Passes signals to this process from now on, also one that came before.
    ///
    /// - Parameter number: Sent for a signal that this process's whole group got.
    func forward(to process: pid_t, forGroup number: Int32 = 0) {
        shared = number
        child = process
        if early != 0 { kill(process, early) }
    }

    /// Passes no signals on, because the process has ended.
    func end() { child = 0 }

    func restore() {
        for (number, var action) in old { sigaction(number, &action, nil) }
    }

    /// Lets this thread take the signals. Dispatch blocks them in its threads, and in those that they start; a signal
    /// that arrives while the main thread is busy would stay pending, and end this process once the handlers are gone.
    static func unblock() {
        var signals = sigset_t()
        sigemptyset(&signals)
        for number in forwarded { sigaddset(&signals, number) }
        pthread_sigmask(SIG_UNBLOCK, &signals, nil)
    }

    static func isIgnored(_ number: Int32) -> Bool {
        var action = sigaction()
        sigaction(number, nil, &action)
        let ignore = unsafeBitCast(SIG_IGN, to: Int.self)
        #if os(Linux)
            return unsafeBitCast(action.__sigaction_handler.sa_handler, to: Int.self) == ignore
        #else
            return unsafeBitCast(action.__sigaction_u.__sa_handler, to: Int.self) == ignore
        #endif
    }

    private static func setHandler(
        _ action: inout sigaction,
        _ handler:
            @escaping @convention(c) (Int32, UnsafeMutablePointer<siginfo_t>?, UnsafeMutableRawPointer?) -> Void
    ) {
        #if os(Linux)
            action.__sigaction_handler = .init(sa_sigaction: handler)
        #else
            action.__sigaction_u = .init(__sa_sigaction: handler)
        #endif
    }
}

// Unsafe: a signal handler can't capture variables. Each is one word, set by one thread.
private nonisolated(unsafe) var child: pid_t = 0
private nonisolated(unsafe) var shared: Int32 = 0
private nonisolated(unsafe) var early: Int32 = 0
