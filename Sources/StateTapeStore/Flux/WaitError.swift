/// Why a registration can't wait for another one.
public enum WaitError: Error, Hashable {
    /// Each registration waits for the next one, and the last name is the first one again.
    case cycle([String])
    /// No registered closure is receiving an action on this thread.
    case notReceiving
}

extension WaitError: CustomStringConvertible {
    public var description: String {
        switch self {
        case .cycle(let names):
            "These stores wait for each other: \(names.joined(separator: " → ")). Remove one of the calls of waitFor."
        case .notReceiving:
            "waitFor was called outside of a registered closure. Call it in the closure, before it returns."
        }
    }
}
