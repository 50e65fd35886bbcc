/// For what never leaves the loop's thread. The compiler keeps a value that isn't sendable where it is; these functions
/// are how it stays on the thread across turns.
extension EventLoop {
    /// Runs `body` in a later turn. On the loop's thread, which `body` doesn't leave.
    package func later(_ body: @escaping () -> Void) {
        checkIsolated()
        nonisolated(unsafe) let body = body
        execute { body() }
    }

    /// Like ``later(_:)``, after a delay.
    @discardableResult
    package func later(after delay: Duration, _ body: @escaping () -> Void) -> Scheduled {
        checkIsolated()
        nonisolated(unsafe) let body = body
        return schedule(after: delay) { body() }
    }

    /// The way back from another thread: what is returned may be called on any thread, and runs `body` on the loop's. Only
    /// the release of `body` may happen elsewhere.
    package func back<Value: Sendable>(_ body: @escaping (Value) -> Void) -> @Sendable (Value) -> Void {
        checkIsolated()
        nonisolated(unsafe) let body = body
        return { value in self.execute { body(value) } }
    }
}

/// An actor may run on a loop: its state then belongs to the loop's thread, without a lock.
extension EventLoop: SerialExecutor {
    #if canImport(Darwin)
        package func enqueue(_ job: UnownedJob) {
            execute { job.runSynchronously(on: self.asUnownedSerialExecutor()) }
        }
    #else
        package func enqueue(_ job: consuming ExecutorJob) {
            let job = UnownedJob(job)
            execute { job.runSynchronously(on: self.asUnownedSerialExecutor()) }
        }
    #endif

    package func checkIsolated() {
        precondition(isCurrent, "This runs on a loop's thread only.")
    }
}
