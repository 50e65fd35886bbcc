import Foundation
import TapeFormat

/// A command that this process starts.
///
/// Foundation's `Process` always makes a process group, which can't read from the terminal, and other packages close
/// descriptors that the command should get, such as those of `<(…)`.
final class ChildProcess: Sendable {
    enum Group {
        /// That of this process: the terminal's signals reach both.
        case shared
        /// A group of its own, so that signals reach the command's own children, too.
        case own
    }

    private enum Phase {
        case running
        /// As `running`, but nothing of its group may be left when it ends.
        case ending
        case ended
    }

    /// Of the command's supervisor, if there is one, which ends as the command does.
    let id: pid_t
    private let group: Group
    private let supervision: Supervision?
    private let phase = Locked(Phase.running)
    private let result: Task<Ending, Never>

    /// Starts a command.
    ///
    /// - Parameters:
    ///   - output: Takes standard output and error in place of this process's own; standard input is then empty.
    ///   - inherited: This process's descriptors for the command.
    ///   - stopped: Called on another thread when the terminal or a signal has stopped the command.
    /// - Throws: `Failure` if it can't be started.
    init(
        _ command: [String], _ environment: [String: String], group: Group = .own, output: Int32? = nil,
        inherited: InheritedDescriptors, stopped: (@Sendable (_ process: pid_t, _ signal: Int32) -> Void)? = nil
    ) throws {
        self.group = group
        supervision = try Supervision(command, environment, group: group, output: output, inherited: inherited)
        id =
            try supervision?.supervisor
            ?? Spawn(group: group == .own ? 0 : nil, output: output, inherited: inherited)
            .start(command, environment)
        let (endings, continuation) = AsyncStream.makeStream(of: Ending.self)
        result = Task {
            for await ending in endings { return ending }
            return .exited(0)
        }
        Thread.detachNewThread { [self] in
            ForwardedSignals.unblock()
            continuation.yield(wait(stopped))
            supervision?.close()
            continuation.finish()
        }
    }

    /// How it ended, once it has.
    var ending: Ending { get async { await result.value } }

    var hasEnded: Bool { phase.withLock { $0 == .ended } }

    var isSupervised: Bool { supervision != nil }

    /// Sends a signal to the command and, if it has a group of its own, to its children.
    func signal(_ number: Int32) {
        phase.withLock { if $0 != .ended { kill(target, number) } }
    }

    /// Ends it: with SIGTERM or another signal, and with SIGKILL if it still runs after `grace`.
    ///
    /// - Returns: How it ended.
    func end(_ number: Int32 = SIGTERM, grace: Duration = .seconds(3)) async -> Ending {
        phase.withLock { if $0 == .running { $0 = .ending } }
        if let supervision {
            supervision.end(number, grace: grace)
        } else {
            signal(number)
        }
        // A stopped process only ends once it continues.
        signal(SIGCONT)
        let killing = Task {
            // A supervisor kills more than the group.
            try await Task.sleep(for: supervision == nil ? grace : grace + .seconds(3))
            signal(SIGKILL)
        }
        defer { killing.cancel() }
        return await ending
    }

    private var target: pid_t { group == .own ? -id : id }

    private func wait(_ stopped: (@Sendable (_ process: pid_t, _ signal: Int32) -> Void)?) -> Ending {
        while true {
            var info = siginfo_t()
            // The process stays a zombie meanwhile, so that its id can't become another's.
            if waitid(P_PID, id_t(id), &info, WEXITED | WSTOPPED | WNOWAIT) < 0, errno == EINTR { continue }
            // Without an ending, as if something else has reaped it, the command hasn't succeeded.
            var status: Int32 = 255 << 8
            if info.si_code == CLD_STOPPED {
                if waitpid(id, &status, WUNTRACED | WNOHANG) == id, status & 0xff == 0x7f {
                    stopped?(id, status >> 8 & 0xff)
                }
                continue
            }
            phase.withLock { phase in
                if phase == .ending, group == .own { kill(target, SIGKILL) }
                phase = .ended
                while waitpid(id, &status, 0) < 0, errno == EINTR {}
            }
            return Ending(status: status)
        }
    }
}
