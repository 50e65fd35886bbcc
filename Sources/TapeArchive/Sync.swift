/// When a commit counts as done.
package enum Sync: String, Sendable, CaseIterable {
    /// Once it is on the disk: an acknowledged event survives a power failure.
    case full
    /// Once the system has it: an acknowledged event survives a crash of the server.
    case normal
}
