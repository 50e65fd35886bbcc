import Dispatch
package import Foundation
import StateCapture
import TapeFormat
import TapeUplink

/// The recorders that are made during one test. They write to files only, and carry the test's labels.
package final class TestRecordings: Sendable {
    /// The test that runs in this task.
    @TaskLocal package static var current: TestRecordings?

    /// The path of the tape file; `%s` stands for the session's id.
    package let file: String
    let launch: Launch
    /// Nil once the test has ended.
    private let sessions = Locked<[RecordingSession]?>([])

    /// Read once: a process runs many tests.
    private static let process: Launch = {
        var launch = Launch.current
        for name in ["STATETAPE_URL", "STATETAPE_TOKEN"] { launch.environment[name] = nil }
        launch.arguments = launch.arguments.filter { !$0.hasPrefix("-statetape-") }
        launch.isRelease = false
        (launch.spool, launch.folder) = (nil, nil)
        return launch
    }()

    /// - Parameters:
    ///   - file: The path of the tape file; `%s` stands for the session's id.
    ///   - labels: Labels of the session.
    package init(file: String, labels: [(String, String)]) {
        var launch = Self.process
        launch.environment["STATETAPE_FILE"] = file
        launch.testLabels = labels
        (self.file, self.launch) = (file, launch)
    }

    /// Whether the test has ended. A task that outlives it records nothing.
    var isEnded: Bool { sessions.withLock { $0 == nil } }

    func add(_ session: RecordingSession) {
        sessions.withLock { $0?.append(session) }
    }

    /// Writes an error of the test to the tapes, after everything that was recorded before it.
    ///
    /// - Parameter place: The line of the error in the app's source.
    package func note(error text: String, at place: String?) {
        for session in sessions.withLock({ $0 }) ?? [] {
            let now = session.now
            session.submit(
                Job { session in
                    let text = session.redactor.readable(text)
                    let caller = place.map { [("caller", JSON.string($0))] } ?? []
                    session.append(.note, at: now, members: [("text", .string(text)), ("level", "error")] + caller)
                })
        }
    }

    /// Ends the sessions.
    ///
    /// - Returns: The tape files. Pipes, devices and links are not among them: they are not the test's to delete.
    package func end() -> [URL] {
        let ended = sessions.withLock { sessions in
            defer { sessions = nil }
            return sessions ?? []
        }
        return ended.compactMap { session in
            let ended = DispatchSemaphore(value: 0)
            session.end { _ in session.stop { ended.signal() } }
            ended.wait()
            var found = stat()
            guard let path = session.wait(for: { $0.filePath }), lstat(path, &found) == 0,
                found.st_mode & S_IFMT == S_IFREG
            else { return nil }
            return URL(fileURLWithPath: path)
        }
    }
}

extension Recorder {
    /// A recorder that never records, whatever the environment says.
    package static var off: Recorder {
        Recorder(.test(allowTests: false, launch: Launch(environment: [:], isRelease: true)))
    }

    /// A new session's id.
    package static func sessionID() -> String {
        ULID.make(milliseconds: UInt64(max(0, Date().timeIntervalSince1970) * 1_000))
    }
}
