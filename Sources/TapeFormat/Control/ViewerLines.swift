/// A line that a viewer sends to the server.
public enum ViewerRequest: Sendable, Equatable {
    case watch(session: String)
    case unwatch(session: String)
    /// A subscription to new, changed, ended and deleted sessions.
    case watchSessions
    /// A control line that this version doesn't know; the receiver ignores it.
    case unknown(String)

    /// Parses a line without its newline.
    ///
    /// - Throws: `FormatError` with the member.
    public init(parsing bytes: [UInt8]) throws(FormatError) {
        let line = try ControlLine(parsing: bytes)
        switch line.name {
        case "watch":
            let members = try line.members
            self =
                try members.optionalBool("sessions") == true
                ? .watchSessions : .watch(session: try members.string("session"))
        case "unwatch": self = .unwatch(session: try line.members.string("session"))
        default: self = .unknown(line.name)
        }
    }

    /// The line without its newline.
    public var bytes: [UInt8] {
        switch self {
        case .watch(let session): ControlLine.bytes("watch", ["session": .string(session)])
        case .unwatch(let session): ControlLine.bytes("unwatch", ["session": .string(session)])
        case .watchSessions: ControlLine.bytes("watch", ["sessions": true])
        case .unknown(let name): ControlLine.bytes(name, .object(JSON.Object()))
        }
    }
}

/// A line that the server sends to a viewer.
public enum ViewerLine: Sendable, Equatable {
    /// Events before `next` are available by HTTP; the server sends all events from `next` on.
    case watching(session: String, next: Int)
    /// A committed event. `large` names the members that the line omits because of their size.
    case event(session: String, line: JSON, large: [String])
    /// The summary of a new, changed or ended session; for a deleted one, only `session` and `"deleted": true`.
    case session(JSON)
    /// All runs of `statetape run` that report to the server.
    case runs([JSON])
    /// The archive can't be written, with the reason, and the server reads from no app. Without a reason it can be written
    /// again.
    case archive(error: String?)
    /// The viewer was too slow. Events before `next` are available by HTTP; the server sends all events from `next` on.
    case behind(session: String, next: Int)
    case error(LinkError)
    /// A control line that this version doesn't know; the receiver ignores it.
    case unknown(String)

    /// Parses a line without its newline.
    ///
    /// - Throws: `FormatError` with the member.
    public init(parsing bytes: [UInt8]) throws(FormatError) {
        let line = try ControlLine(parsing: bytes)
        func place() throws(FormatError) -> (String, Int) {
            (try line.members.string("session"), try line.members.count("next"))
        }
        switch line.name {
        case "watching":
            let (session, next) = try place()
            self = .watching(session: session, next: next)
        case "behind":
            let (session, next) = try place()
            self = .behind(session: session, next: next)
        case "event":
            let members = try line.members
            self = .event(
                session: try members.string("session"), line: try members.required("line", "an object") { $0 },
                large: try members.strings("large"))
        case "session": self = .session(line.content)
        case "runs": self = .runs(line.content.array ?? [])
        case "archive": self = .archive(error: try line.members.optionalString("error"))
        case "error": self = .error(try LinkError(line.members))
        default: self = .unknown(line.name)
        }
    }

    /// The line without its newline.
    public var bytes: [UInt8] {
        switch self {
        case .watching(let session, let next):
            ControlLine.bytes("watching", ["session": .string(session), "next": .int(next)])
        case .behind(let session, let next):
            ControlLine.bytes("behind", ["session": .string(session), "next": .int(next)])
        case .event(let session, let line, let large):
            ControlLine.bytes(
                "event",
                .members(
                    ("session", .string(session)), ("line", line), ("large", large.isEmpty ? nil : .strings(large))))
        case .session(let summary): ControlLine.bytes("session", summary)
        case .runs(let runs): ControlLine.bytes("runs", .array(runs))
        case .archive(let error):
            ControlLine.bytes("archive", .members(("error", error.map(JSON.string))))
        case .error(let error): ControlLine.bytes("error", error.json)
        case .unknown(let name): ControlLine.bytes(name, .object(JSON.Object()))
        }
    }
}
