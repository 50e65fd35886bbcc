package import TapeFormat

/// What a `statetape run` last reported.
package struct Run: Sendable {
    package enum Status: String, Sendable { case building, failed, running, stopped }

    /// An error of the compiler. Only the text is certain.
    package struct BuildError: Sendable {
        package let file: String?
        package let line: Int?
        package let column: Int?
        package let text: String

        package init(file: String?, line: Int?, column: Int?, text: String) {
            (self.file, self.line, self.column, self.text) = (file, line, column, text)
        }
    }

    /// The most that a server keeps.
    package static let limit = 32
    /// A run that has not reported for so long was killed, or can't reach the server. A run reports every 30 s.
    package static let lease = Duration.seconds(90)

    package let id: String
    package let status: Status
    package let command: String?
    /// The source files whose change the build is for.
    package let changed: [String]
    package let errors: [BuildError]
    /// Why the app doesn't run, or how it started.
    package let message: String?
    /// The time in seconds from the changed file to the new app's first event, and the build's part of it.
    package let seconds: JSON?
    package let buildSeconds: JSON?

    package init(
        id: String, status: Status, command: String?, changed: [String], errors: [BuildError], message: String?,
        seconds: JSON?, buildSeconds: JSON?
    ) {
        (self.id, self.status, self.command, self.changed, self.errors) = (id, status, command, changed, errors)
        (self.message, self.seconds, self.buildSeconds) = (message, seconds, buildSeconds)
    }

    package var json: JSON {
        var object = JSON.Object([
            ("id", .string(id)), ("status", .string(status.rawValue)),
            ("changed", .array(changed.map(JSON.string))), ("errors", .array(errors.map(\.json))),
        ])
        object["command"] = command.map(JSON.string)
        object["message"] = message.map(JSON.string)
        object["seconds"] = seconds
        object["buildSeconds"] = buildSeconds
        return .object(object)
    }
}

extension Pushed.Result {
    /// What a run's app answered to its launch state, as members of the run.
    package var ofRun: JSON.Object {
        switch self {
        case .played(_, let adjustments): JSON.Object(adjustments.members)
        case .failed(let failure): JSON.Object([("startFailed", failure.json)])
        }
    }
}

extension Run.BuildError {
    package var json: JSON {
        var object = JSON.Object([("text", .string(text))])
        object["file"] = file.map(JSON.string)
        object["line"] = line.map { .number(.init($0)) }
        object["column"] = column.map { .number(.init($0)) }
        return .object(object)
    }
}
