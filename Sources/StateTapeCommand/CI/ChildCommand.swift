#if Server
    import Foundation

    /// The command that `ci` runs, with the standard input and output of this process.
    ///
    /// Foundation's `Process` would put it into a process group of its own, which can't read from the terminal.
    struct ChildCommand {
        private let command: [String]
        /// The descriptors that this process got from its parent, and that the command gets, too.
        private let inherited = Self.descriptors()

        /// Made before the server starts, so that the command gets no descriptor of the server's.
        init(_ command: [String]) {
            self.command = command
        }

        private static func descriptors() -> Set<Int32> {
            Set((try? FileManager.default.contentsOfDirectory(atPath: "/dev/fd"))?.compactMap { Int32($0) } ?? [])
        }

        /// Runs the command until it ends; passes SIGINT, SIGTERM, SIGHUP and SIGQUIT on to it.
        ///
        /// - Returns: Its exit code; 128 + n if signal n ended it.
        /// - Throws: `Failure` if it can't be started.
        func run(_ environment: [String: String]) async throws -> Int32 {
            let handlers = Self.forwardSignals()
            defer { handlers.restore() }
            let process = try start(environment)
            child = process
            // A signal that came before.
            if early != 0 { kill(process, early) }
            return await withCheckedContinuation { continuation in
                Thread.detachNewThread {
                    Self.unblockSignals()
                    var status: Int32 = 0
                    while waitpid(process, &status, 0) < 0, errno == EINTR {}
                    child = 0
                    let signal = status & 0x7f
                    continuation.resume(returning: signal == 0 ? status >> 8 & 0xff : 128 + signal)
                }
            }
        }

        private func start(_ environment: [String: String]) throws -> pid_t {
            #if canImport(Darwin)
                var attributes: posix_spawnattr_t?
            #else
                var attributes = posix_spawnattr_t()
            #endif
            posix_spawnattr_init(&attributes)
            defer { posix_spawnattr_destroy(&attributes) }
            // The server ignores SIGPIPE, and what is ignored stays ignored in a child.
            var signals = sigset_t()
            sigemptyset(&signals)
            sigaddset(&signals, SIGPIPE)
            posix_spawnattr_setsigdefault(&attributes, &signals)
            sigemptyset(&signals)
            posix_spawnattr_setsigmask(&attributes, &signals)
            posix_spawnattr_setflags(&attributes, Int16(POSIX_SPAWN_SETSIGDEF) | Int16(POSIX_SPAWN_SETSIGMASK))
            for descriptor in Self.descriptors().subtracting(inherited) { _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC) }
            var arguments = command.map { strdup($0) } + [nil]
            var variables = environment.map { strdup("\($0.key)=\($0.value)") } + [nil]
            defer { for text in arguments + variables { free(text) } }
            var process: pid_t = 0
            let code = posix_spawnp(&process, command[0], nil, &attributes, &arguments, &variables)
            guard code == 0 else {
                throw Failure("“\(Table.safe(command[0]))” can't be started: \(String(cString: strerror(code)))")
            }
            return process
        }

        private static let forwarded = [SIGINT, SIGTERM, SIGHUP, SIGQUIT]

        /// Lets this thread take the signals. Dispatch blocks them in its threads, and in those that they start; a signal
        /// that arrives while the main thread is busy would stay pending, and end this process once the handlers are gone.
        private static func unblockSignals() {
            var signals = sigset_t()
            sigemptyset(&signals)
            for number in forwarded { sigaddset(&signals, number) }
            pthread_sigmask(SIG_UNBLOCK, &signals, nil)
        }

        /// The signal handlers from before.
        private struct Handlers {
            fileprivate var old: [(number: Int32, action: sigaction)] = []

            func restore() {
                for (number, var action) in old { sigaction(number, &action, nil) }
            }
        }

        private static func forwardSignals() -> Handlers {
            var handlers = Handlers()
            for number in forwarded {
                var (action, old) = (sigaction(), sigaction())
                sigaction(number, nil, &old)
                // `nohup` and shells ignore signals for their background jobs.
                if isIgnored(old) { continue }
                setHandler(&action) { number, info, _ in
                    // The terminal sends to the whole process group, the command included.
                    #if os(Linux)
                        let isForGroup = (info?.pointee.si_code ?? 0) > 0
                    #else
                        let isForGroup = info?.pointee.si_pid == 0
                    #endif
                    if isForGroup { return }
                    if child > 0 { kill(child, number) } else { early = number }
                }
                action.sa_flags = Int32(SA_SIGINFO) | Int32(SA_RESTART)
                sigaction(number, &action, nil)
                handlers.old.append((number, old))
            }
            return handlers
        }

        private static func isIgnored(_ action: sigaction) -> Bool {
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
    private nonisolated(unsafe) var early: Int32 = 0
#endif
