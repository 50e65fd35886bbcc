/// The kind of an event.
public enum EventKind: Sendable, Hashable {
    /// A store was attached, with its initial state.
    case `init`
    /// An action went through the reducer.
    case action
    /// The state was set outside of the reducer.
    case replace
    /// A store was detached.
    case detach
    /// A message of the app.
    case note
    /// Lost events.
    case gap
    /// The app closed the session; no event follows.
    case end
    /// A kind that this version doesn't know. It isn't an error; clients show the name.
    case other(String)

    public init(_ name: String) {
        self =
            switch name {
            case "init": .`init`
            case "action": .action
            case "replace": .replace
            case "detach": .detach
            case "note": .note
            case "gap": .gap
            case "end": .end
            default: .other(name)
            }
    }

    /// The name on the tape.
    public var name: String {
        switch self {
        case .`init`: "init"
        case .action: "action"
        case .replace: "replace"
        case .detach: "detach"
        case .note: "note"
        case .gap: "gap"
        case .end: "end"
        case .other(let name): name
        }
    }
}
