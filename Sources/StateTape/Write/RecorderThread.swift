import Dispatch
import TapeFormat

/// The recorder's own thread, as the executor of ``RecordingSession``: a queue, and a stack that is large enough.
///
/// Apple's systems know which code runs on a custom executor only from macOS 15 and iOS 18 on, unless it is a task's. The
/// recorder's is not, since a task per event would cost a hop. So ``RecordingSession/here(_:)`` asks this type instead of
/// the runtime.
final class RecorderThread: SerialExecutor {
    private static let key = DispatchSpecificKey<ObjectIdentifier>()

    let queue = DispatchQueue(label: "statetape.recorder", qos: .utility)
    let stack = RecorderStack()

    init() {
        queue.setSpecific(key: Self.key, value: ObjectIdentifier(self))
    }

    /// Whether the caller is on it.
    var isCurrent: Bool { DispatchQueue.getSpecific(key: Self.key) == ObjectIdentifier(self) || stack.isCurrent }

    // `ExecutorJob`, and the standard library's own version of this method, need macOS 14 and iOS 17.
    #if canImport(Darwin)
        func enqueue(_ job: UnownedJob) {
            queue.async { job.runSynchronously(on: self.asUnownedSerialExecutor()) }
        }
    #else
        func enqueue(_ job: consuming ExecutorJob) {
            let job = UnownedJob(job)
            queue.async { job.runSynchronously(on: self.asUnownedSerialExecutor()) }
        }
    #endif

    func asUnownedSerialExecutor() -> UnownedSerialExecutor { UnownedSerialExecutor(ordinary: self) }

    func checkIsolated() { precondition(isCurrent, "This runs on the recorder's thread only.") }
}

// For what is not sendable and never leaves the thread.
extension RecorderThread {
    /// Runs a closure later; called on this thread.
    func later(_ delay: Duration, _ body: @escaping () -> Void) {
        checkIsolated()
        nonisolated(unsafe) let body = body
        queue.asyncAfter(deadline: .now() + delay.milliseconds / 1_000) { body() }
    }

    /// The way back from another thread: what is returned may be called anywhere, and runs the closure on this thread.
    func back<Value: Sendable>(_ body: @escaping (Value) -> Void) -> @Sendable (Value) -> Void {
        checkIsolated()
        nonisolated(unsafe) let body = body
        return { value in self.queue.async { body(value) } }
    }
}

/// What belongs to the recorder's thread, although any thread may hold it.
// Unchecked: the compiler lets only code on that thread have the value.
final class ThreadBound<Value>: @unchecked Sendable {
    private var value: Value

    init(_ value: Value) {
        self.value = value
    }

    func value(in session: isolated RecordingSession) -> Value { value }
    func set(_ value: Value, in session: isolated RecordingSession) { self.value = value }
}
