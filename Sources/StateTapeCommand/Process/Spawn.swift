import Foundation

/// The descriptors that this process got from its parent, and that its commands get, too.
///
/// Read before a server starts, so that the commands get none of the server's.
struct InheritedDescriptors: Sendable {
    fileprivate let numbers: Set<Int32>

    /// - Parameter own: One that isn't passed on.
    init(except own: Int32? = nil) {
        numbers = Self.open().filter { $0 != own }
    }

    fileprivate static func open() -> Set<Int32> {
        Set((try? FileManager.default.contentsOfDirectory(atPath: "/dev/fd"))?.compactMap { Int32($0) } ?? [])
    }
}

/// Starts a process with `posix_spawn`.
struct Spawn {
    /// The process group: 0 for one of its own, nil for that of this process.
    let group: pid_t?
    /// In place of standard output and error; standard input is then empty.
    var output: Int32?
    /// A descriptor of this process for it.
    var link: Int32?
    let inherited: InheritedDescriptors

    /// - Throws: `SpawnError` if it can't be started.
    func start(_ command: [String], _ environment: [String: String]) throws(SpawnError) -> pid_t {
        #if canImport(Darwin)
            var attributes: posix_spawnattr_t?
            var actions: posix_spawn_file_actions_t?
        #else
            var attributes = posix_spawnattr_t()
            var actions = posix_spawn_file_actions_t()
        #endif
        posix_spawnattr_init(&attributes)
        posix_spawn_file_actions_init(&actions)
        defer {
            posix_spawnattr_destroy(&attributes)
            posix_spawn_file_actions_destroy(&actions)
        }
        // If it is ignored, as some parents leave it, the kernel drops the exit code of the command.
        signal(SIGCHLD, SIG_DFL)
        // What this process ignores stays ignored in a child: SIGPIPE because of the server, SIGTTOU because of the
        // terminal.
        var signals = sigset_t()
        sigemptyset(&signals)
        for number in [SIGPIPE, SIGTTOU, SIGXFSZ] { sigaddset(&signals, number) }
        posix_spawnattr_setsigdefault(&attributes, &signals)
        sigemptyset(&signals)
        posix_spawnattr_setsigmask(&attributes, &signals)
        var flags = Int16(POSIX_SPAWN_SETSIGDEF) | Int16(POSIX_SPAWN_SETSIGMASK)
        if let group {
            flags |= Int16(POSIX_SPAWN_SETPGROUP)
            posix_spawnattr_setpgroup(&attributes, group)
        }
        posix_spawnattr_setflags(&attributes, flags)
        if let output {
            posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, "/dev/null", O_RDONLY, 0)
            posix_spawn_file_actions_adddup2(&actions, output, STDOUT_FILENO)
            posix_spawn_file_actions_adddup2(&actions, output, STDERR_FILENO)
        }
        // Onto itself: it isn't closed.
        if let link { posix_spawn_file_actions_adddup2(&actions, link, link) }
        for descriptor in InheritedDescriptors.open().subtracting(inherited.numbers) {
            _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC)
        }
        var arguments = command.map { strdup($0) } + [nil]
        var variables = environment.map { strdup("\($0.key)=\($0.value)") } + [nil]
        defer { for text in arguments + variables { free(text) } }
        var process: pid_t = 0
        let code = posix_spawnp(&process, command[0], &actions, &attributes, &arguments, &variables)
        guard code == 0 else { throw SpawnError(command: command[0], code: code) }
        return process
    }
}

/// A command that can't be started.
struct SpawnError: Error, CustomStringConvertible {
    let command: String
    /// Of `errno`.
    let code: Int32

    var description: String { "“\(command)” can't be started: \(String(cString: strerror(code)))" }
}
