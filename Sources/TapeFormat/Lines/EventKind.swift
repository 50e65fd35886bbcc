/// What a line of the tape tells.
public enum EventKind: Sendable, Hashable {
    /// A store is attached with this state.
    case `init`
    /// An action went through the reducer.
    case action
    /// The state was set outside a reduction.
    case replace
    /// The store is gone.
    case detach
    /// The app's own mark.
    case note
    /// Events that could not be kept.
    case gap
    /// The app closed the session; nothing follows.
    case end
    /// A kind that this version doesn't know: shown as it is, never an error.
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
