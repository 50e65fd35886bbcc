@testable import StateTapeServer

/// Calls the committer's clients at once, on its own thread.
struct TestCommitHost: Committer.Host {
    var whenRelieved: @Sendable () -> Void = {}
    var whenLater: @Sendable (Duration, @escaping @Sendable () -> Void) -> Void = { _, _ in }

    var now: Int { 0 }
    func deliver(_ callback: @escaping @Sendable () -> Void) { callback() }
    func later(_ delay: Duration, _ task: @escaping @Sendable () -> Void) { whenLater(delay, task) }
    func relieved() { whenRelieved() }
    func unwritable(_ reason: String?) {}
}
