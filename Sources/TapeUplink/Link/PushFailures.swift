package import TapeFormat

// What the app answers to a push that it can't carry out.
extension Pushed.Failure {
    /// A failure of a replayed action, with the event that recorded the action.
    package func replaying(_ of: Int) -> Pushed.Failure {
        Pushed.Failure(code: code, message: "the action of event \(of): \(message)", path: path)
    }

    package static let locked = Pushed.Failure(
        code: .locked, message: "the app is locked: it applies states but dispatches no actions")
    package static let unlocked = Pushed.Failure(
        code: .unlocked, message: "the app’s actions are not queued, so it can't go back to an earlier state")
    package static let looping = Pushed.Failure(code: .locked, message: "the app is replaying recorded actions")
    package static let stopped = Pushed.Failure(code: .stopped, message: "the replay was stopped")
    package static let actorless = Pushed.Failure(
        code: .unsupported,
        message: "a Codable conformance belongs to an actor, and connect was not called on one: nothing can be decoded")
    package static let expired = Pushed.Failure(
        code: .expired,
        message: "the app did not answer in time: its main actor may be busy, for example in `readLine`. Read input"
            + " outside of the main actor: see Troubleshooting.md in StateTape.docc")

    /// The store has left the app.
    package static func gone(_ store: String) -> Pushed.Failure {
        Pushed.Failure(code: .unknownStore, message: "the app has no store “\(store)” any more")
    }
}
