import TapeFormat

/// What a `statetape run` last reported.
struct Run: Sendable {
    enum Status: String, Sendable { case building, failed, running, stopped }

    /// An error of the compiler. Only the text is certain.
    struct BuildError: Sendable {
        let file: String?
        let line: Int?
        let column: Int?
        let text: String
    }

    let id: String
    let status: Status
    let command: String?
    /// The source files whose change the build is for.
    let changed: [String]
    let errors: [BuildError]
    /// Why the app doesn't run, or how it started.
    let message: String?
    /// The time in seconds from the changed file to the new app's first event, and the build's part of it.
    let seconds: JSON?
    let buildSeconds: JSON?

    var json: JSON {
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
    var ofRun: JSON.Object {
        switch self {
        case .played(_, let adjustments): JSON.Object(adjustments.members)
        case .failed(let failure): JSON.Object([("startFailed", failure.json)])
        }
    }
}

extension Run.BuildError {
    var json: JSON {
        var object = JSON.Object([("text", .string(text))])
        object["file"] = file.map(JSON.string)
        object["line"] = line.map { .number(.init($0)) }
        object["column"] = column.map { .number(.init($0)) }
        return .object(object)
    }
}
