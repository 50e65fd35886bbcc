import Foundation
import TapeFormat

/// Starts commands under a `Supervisor`, and tells it when to end them. The supervisor also notices the end of this
/// process, however it comes: it holds the other end of a socket.
struct Supervision: Sendable {
    /// This executable, also after a build has replaced its file; nil where commands run without a supervisor, because
    /// the system isn't Linux, or because another program has our code in it, such as a test.
    private static let executable = Locked<String?>(nil)

    let supervisor: pid_t
    private let socket: Locked<Int32?>

    /// Has this process start commands under supervisors.
    static func enable() {
        #if os(Linux)
            let path = "/proc/self/exe"
            if access(path, X_OK) == 0 { executable.withLock { $0 = path } }
        #endif
    }

    /// Starts a command.
    ///
    /// - Returns: Nil if there are no supervisors here.
    /// - Throws: `SpawnError` if it can't be started.
    init?(
        _ command: [String], _ environment: [String: String], group: ChildProcess.Group, output: Int32?,
        inherited: InheritedDescriptors
    ) throws(SpawnError) {
        #if os(Linux)
            guard let executable = Self.executable.withLock({ $0 }) else { return nil }
            var ends: [Int32] = [-1, -1]
            guard socketpair(AF_UNIX, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0, &ends) == 0
            else { throw SpawnError(command: command[0], code: errno) }
            let (own, other) = (ends[0], ends[1])
            let commandGroup = group == .own ? 0 : getpgrp()
            do {
                defer { Foundation.close(other) }
                // In a group of its own: what kills this process's group leaves the supervisor to clean up.
                supervisor = try Spawn(group: 0, output: output, link: other, inherited: inherited).start(
                    [executable, Supervisor.name, String(other), String(commandGroup)] + command, environment)
            } catch {
                Foundation.close(own)
                throw SpawnError(command: command[0], code: error.code)
            }
            var code: Int32 = 0
            var count: Int
            repeat {
                count = read(own, &code, MemoryLayout<Int32>.size)
            } while count < 0 && errno == EINTR
            if count == MemoryLayout<Int32>.size, code != 0 {
                Foundation.close(own)
                while waitpid(supervisor, nil, 0) < 0, errno == EINTR {}
                throw SpawnError(command: command[0], code: code)
            }
            socket = Locked(own)
        #else
            return nil
        #endif
    }

    /// Ends the command and all that it has started: with a signal, and with SIGKILL what still runs after `grace`.
    func end(_ number: Int32, grace: Duration) {
        let order = [number, Int32(clamping: Int(grace / .milliseconds(1)))]
        socket.withLock { socket in
            guard let socket else { return }
            _ = order.withUnsafeBytes { send(socket, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL)) }
        }
    }

    /// The supervisor has ended.
    func close() {
        socket.withLock { socket in
            if let socket { Foundation.close(socket) }
            socket = nil
        }
    }
}
