import Foundation
import TapeFormat

/// Runs a build command.
final class Build: Sendable {
    enum Result: Sendable {
        case succeeded
        /// With the end of the output, if it has no error that names its place.
        case failed([BuildError], output: [String])
    }

    /// What the package manager says if another build is in the way, or the manifest was saved meanwhile.
    private static let retried = [
        "database is locked", "was modified during the build", "Another instance of SwiftPM is already running",
    ]
    private static let maxRetries = 20

    private let command: [String]
    private let environment: [String: String]
    private let folder: String
    private let inherited: InheritedDescriptors
    private let process = Locked<ChildProcess?>(nil)
    private let isCancelled = Locked(false)

    /// - Parameter folder: Left out at the beginning of paths in errors.
    init(_ command: [String], _ environment: [String: String], folder: String, inherited: InheritedDescriptors) {
        self.command = command
        self.environment = environment
        self.folder = folder
        self.inherited = inherited
    }

    /// - Parameter line: Called on another thread with each line of output.
    func run(_ line: @escaping @Sendable (String) -> Void) async -> Result {
        var attempt = 0
        while true {
            let lines = Lines()
            let ending: Ending
            do {
                ending = try await once {
                    lines.add($0)
                    line($0)
                }
            } catch {
                return .failed([BuildError(text: "\(error)")], output: [])
            }
            let all = lines.all
            if ending == .exited(0) { return .succeeded }
            let errors = BuildError.errors(in: all, folder: folder)
            // The package manager also says that it waits for the lock before it fails for another reason.
            let isBlocked =
                errors.allSatisfy { $0.file == nil }
                && all.contains { line in Self.retried.contains(where: line.contains) }
            if isBlocked, attempt < Self.maxRetries, !isCancelled.withLock({ $0 }) {
                attempt += 1
                try? await Task.sleep(for: .milliseconds(500))
                continue
            }
            let fallback = [BuildError(text: "The build ended with \(ending.text).")]
            return .failed(errors.isEmpty ? fallback : errors, output: all.suffix(40))
        }
    }

    private func once(_ line: @escaping @Sendable (String) -> Void) async throws -> Ending {
        let (process, lines) = try ChildProcess.start(command, environment, inherited: inherited, line: line)
        self.process.withLock { $0 = process }
        if isCancelled.withLock({ $0 }) { process.signal(SIGTERM) }
        let ending = await process.ending
        await lines.value
        return ending
    }

    /// Ends the build, also one that hangs.
    func cancel() async {
        isCancelled.withLock { $0 = true }
        _ = await process.withLock { $0 }?.end(grace: .seconds(1))
    }
}
