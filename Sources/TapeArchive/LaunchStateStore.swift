/// The states and tapes with which apps launch.
package protocol LaunchStateStore: Sendable {
    func startStates() throws -> [StartState]
    /// Stores `state` in place of the one with the same app, device and labels.
    func put(_ state: StartState) throws
    /// False if it doesn't exist.
    func deleteStartState(_ id: String) throws -> Bool
}
