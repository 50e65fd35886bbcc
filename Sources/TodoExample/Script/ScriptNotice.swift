/// What the screen says of the demo's script.
enum ScriptNotice {
    case running
    case stopped(_ reason: String)

    /// - Parameter hasPrompt: Whether commands can be typed.
    func lines(hasPrompt: Bool) -> [Line] {
        switch self {
        case .running:
            let key = hasPrompt ? "Press a key, or apply" : "Apply"
            return [Line(" A script types here. \(key) a state on the page, and it stops.", .dim)]
        case .stopped(let reason):
            let stopped = Line(" The script has stopped: \(reason)", .bold)
            return hasPrompt ? [stopped, Line(" Type a command, such as: add Buy bread #shop", .bold)] : [stopped]
        }
    }
}
