import Foundation

/// Ends what the app does by itself, the demo's script and running syncs, once somebody else acts: at a key or a push.
// Unchecked: the locks protect the mutable state.
final class Takeover: @unchecked Sendable {
    private let lock = NSLock()
    private var isScripted: Bool
    /// One of its own: the script's steps start syncs.
    private let stateLock = NSLock()
    private var states = 0

    /// - Parameter isScripted: Whether a key or a push stops a script.
    init(isScripted: Bool) {
        self.isScripted = isScripted
    }

    /// Stops the script. What it does at this moment is done before this returns.
    ///
    /// - Returns: Whether this call stopped it.
    func stopScript() -> Bool {
        lock.withLock {
            defer { isScripted = false }
            return isScripted
        }
    }

    /// Runs a step of the script unless the script has been stopped.
    ///
    /// - Returns: Whether the script goes on.
    func step(_ body: () -> Void) -> Bool {
        lock.withLock {
            if isScripted { body() }
            return isScripted
        }
    }

    /// Notes that a state was applied.
    func apply() {
        stateLock.withLock { states += 1 }
    }

    /// How many states were applied. What was started for an earlier one must not change a later one.
    var appliedStates: Int { stateLock.withLock { states } }
}
