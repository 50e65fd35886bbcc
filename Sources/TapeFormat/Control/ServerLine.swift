/// A line that the server sends to an app.
public enum ServerLine: Sendable {
    case welcome(Welcome)
    /// All events before `next` are committed to disk.
    case ack(next: Int)
    case push(Push)
    case replay(Replay)
    case loop(Loop)
    /// A request for a `replace` with the store's full state, because a patch didn't apply.
    case want(store: String)
    case control(Control)
    case error(LinkError)
    /// A control line that this version doesn't know; the receiver ignores it.
    case unknown(String)

    /// Parses a line without its newline.
    ///
    /// - Throws: `FormatError` with the member.
    public init(parsing bytes: [UInt8]) throws(FormatError) {
        let line = try ControlLine(parsing: bytes)
        self =
            switch line.name {
            case "welcome": .welcome(try Welcome(line.members))
            case "ack": .ack(next: try line.members.count("next"))
            case "push": .push(try Push(line.members))
            case "replay": .replay(try Replay(line.members))
            case "loop": .loop(try Loop(line.members))
            case "want": .want(store: try line.members.string("state"))
            case "control": .control(try Control(line.members))
            case "error": .error(try LinkError(line.members))
            default: .unknown(line.name)
            }
    }

    /// The line without its newline.
    public var bytes: [UInt8] {
        switch self {
        case .welcome(let welcome): ControlLine.bytes("welcome", welcome.json)
        case .ack(let next): ControlLine.bytes("ack", ["next": .int(next)])
        case .push(let push): ControlLine.bytes("push", push.json)
        case .replay(let replay): ControlLine.bytes("replay", replay.json)
        case .loop(let loop): ControlLine.bytes("loop", loop.json)
        case .want(let store): ControlLine.bytes("want", ["state": .string(store)])
        case .control(let control): ControlLine.bytes("control", control.json)
        case .error(let error): ControlLine.bytes("error", error.json)
        case .unknown(let name): ControlLine.bytes(name, .object(JSON.Object()))
        }
    }
}
