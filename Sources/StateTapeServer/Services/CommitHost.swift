import TapeSockets

/// Lets the committer call back on the loop's thread.
struct CommitHost: Committer.Host {
    let loop: EventLoop
    let events: EventPost

    var now: Int { WallClock.now }
    func deliver(_ callback: @escaping @Sendable () -> Void) { loop.execute(callback) }
    func later(_ delay: Duration, _ task: @escaping @Sendable () -> Void) { loop.schedule(after: delay, task) }
    func relieved() { events.here.tell(.relieved) }
    func unwritable(_ reason: String?) { events.here.tell(.unwritable(reason)) }
}
