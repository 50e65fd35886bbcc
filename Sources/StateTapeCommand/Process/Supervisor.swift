#if os(Linux)
    import CLinux
    import Foundation

    /// A process between this program and a command, so that nothing of the command is left when it should end, or when
    /// this program has been killed.
    ///
    /// It adopts what the command's processes leave behind, in whatever group or session, and ends as the command ends.
    struct Supervisor {
        /// The first argument that makes this program a supervisor. Others are the socket, the group and the command.
        static let name = "supervise"
        /// Sent to it if the command got a signal from the terminal: what is left when the command has ended ends, too.
        static let interrupted = SIGUSR1
        /// Sent by its thread that reads the socket.
        private static let ordered = SIGUSR2

        private static let delay = Duration.milliseconds(200)
        /// How long the rest has after the command's end.
        private static let rest = Duration.seconds(1)
        /// Of a command whose parent was killed.
        private static let grace = Duration.seconds(3)
        /// Another user's process can't be killed: then it isn't waited for.
        private static let gracePeriod = Duration.seconds(2)

        private let command: pid_t
        private let isShared: Bool
        private let signals: sigset_t
        private let orders: Orders
        private var status: Int32?
        /// Until when a signal may still come, after the command's end.
        private var lateSignal: ContinuousClock.Instant?
        /// Nothing may be left.
        private var endsAll = false
        /// When what is left gets SIGKILL.
        private var deadline: ContinuousClock.Instant?

        /// Runs the supervisor if the arguments ask for one.
        static func runIfAsked(_ arguments: [String]) {
            guard arguments.count > 4, arguments[1] == name, let socket = Int32(arguments[2]),
                let group = pid_t(arguments[3])
            else { return }
            // Before there are other threads: all of them leave the signals to the loop. `nohup` ignores some.
            var signals = sigset_t()
            sigemptyset(&signals)
            for number in [SIGCHLD, interrupted, ordered, SIGTSTP, SIGTTIN, SIGTTOU] { sigaddset(&signals, number) }
            for number in ForwardedSignals.forwarded where !ForwardedSignals.isIgnored(number) {
                sigaddset(&signals, number)
            }
            pthread_sigmask(SIG_BLOCK, &signals, nil)
            _ = become_subreaper()
            let spawn = Spawn(
                group: group == 0 ? getpgrp() : group, inherited: InheritedDescriptors(except: socket))
            do throws(SpawnError) {
                let command = try spawn.start(
                    Array(arguments.dropFirst(4)), ProcessInfo.processInfo.environment)
                tell(socket, 0)
                var supervisor = Supervisor(command, isShared: group != 0, signals, Orders(socket, Self.ordered))
                supervisor.run()
            } catch {
                tell(socket, error.code)
                exit(127)
            }
        }

        private static func tell(_ socket: Int32, _ code: Int32) {
            var code = code
            send(socket, &code, MemoryLayout<Int32>.size, Int32(MSG_NOSIGNAL))
        }

        private init(_ command: pid_t, isShared: Bool, _ signals: sigset_t, _ orders: Orders) {
            (self.command, self.isShared, self.signals, self.orders) = (command, isShared, signals, orders)
        }

        private mutating func run() -> Never {
            while true {
                reap()
                switch next() {
                case SIGCHLD: break
                case Self.interrupted: endsAll = true
                case Self.ordered: end(orders.signal, grace: orders.grace ?? Self.grace)
                case SIGTSTP, SIGTTIN, SIGTTOU: break
                case let number?:
                    endsAll = true
                    // Its own group has got it.
                    if isShared, status == nil { kill(command, number) }
                case nil where !endsAll:
                    if let lateSignal, lateSignal < .now { leave() }
                case nil:
                    guard let deadline, deadline < .now else { break }
                    if deadline + Self.gracePeriod < .now { leave() }
                    Descendants(of: getpid()).signal(SIGKILL)
                }
            }
        }

        /// The next signal; nil after a moment if there is something else to wait for.
        private func next() -> Int32? {
            var signals = signals
            guard deadline != nil || lateSignal != nil else {
                let number = sigwaitinfo(&signals, nil)
                return number < 0 ? SIGCHLD : number
            }
            var time = timespec(tv_sec: 0, tv_nsec: 10_000_000)
            let number = sigtimedwait(&signals, nil, &time)
            return number < 0 ? nil : number
        }

        /// Takes note of what has ended; leaves once nothing holds this process.
        private mutating func reap() {
            while true {
                var found: Int32 = 0
                let process = waitpid(-1, &found, WNOHANG | WUNTRACED)
                if process == 0 { break }
                if process < 0, errno == EINTR { continue }
                if process < 0 { leave() }
                guard process == command else { continue }
                if found & 0xff == 0x7f {
                    stop(found >> 8 & 0xff)
                } else {
                    status = found
                }
            }
            guard status != nil else { return }
            if !endsAll {
                guard isShared else { leave() }
                // What ended the command may be a signal to its whole group, which the parent is about to pass on.
                lateSignal = lateSignal ?? .now + Self.delay
                return
            }
            if deadline.map({ $0 > .now + Self.rest }) ?? true { end(SIGTERM, grace: Self.rest) }
        }

        private mutating func end(_ number: Int32, grace: Duration) {
            // Who got a signal doesn't get it again: some programs take a second one for impatience.
            let isFirst = deadline == nil
            endsAll = true
            deadline = .now + grace
            guard isFirst else { return }
            let descendants = Descendants(of: getpid())
            descendants.signal(number)
            // A stopped process only ends once it continues.
            descendants.signal(SIGCONT)
        }

        /// The command was stopped: this process stops, too, so that its parent notices, and continues with its group.
        private func stop(_ number: Int32) {
            if isShared { return }
            var signals = sigset_t()
            sigemptyset(&signals)
            sigaddset(&signals, number)
            kill(getpid(), number)
            // It stops here.
            pthread_sigmask(SIG_UNBLOCK, &signals, nil)
            pthread_sigmask(SIG_BLOCK, &signals, nil)
        }

        /// Ends as the command has.
        private func leave() -> Never {
            let status = status ?? 255 << 8
            let number = status & 0x7f
            guard number != 0 else { _exit(status >> 8 & 0xff) }
            // The command has left its own core file.
            var limit = rlimit(rlim_cur: 0, rlim_max: 0)
            setrlimit(__rlimit_resource_t(RLIMIT_CORE.rawValue), &limit)
            Foundation.signal(number, SIG_DFL)
            var signals = sigset_t()
            sigemptyset(&signals)
            sigaddset(&signals, number)
            kill(getpid(), number)
            pthread_sigmask(SIG_UNBLOCK, &signals, nil)
            _exit(128 + number)
        }
    }
#endif
