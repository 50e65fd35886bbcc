/// The states and tapes with which apps launch.
package protocol LaunchStateStore: Sendable {
    func launchStates() throws -> [LaunchState]
    /// Stores `state` in place of the one with the same app, device and labels.
    func put(_ state: LaunchState) throws
    /// False if it doesn't exist.
    func deleteLaunchState(_ id: String) throws -> Bool
}
