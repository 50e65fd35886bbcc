import Foundation

/// A value that only the loop's thread may access; other threads may pass it on, and release it.
package final class LoopBound<Value>: @unchecked Sendable {  // `value` is only touched on the loop's thread
    private var stored: Value
    private var thread: pthread_t?

    package init(_ value: Value) {
        stored = value
    }

    package var value: Value {
        get {
            precondition(isOnItsThread(), "This belongs to another thread.")
            return stored
        }
        set {
            precondition(isOnItsThread(), "This belongs to another thread.")
            stored = newValue
        }
    }

    /// The first thread that accesses the value is the loop's.
    private func isOnItsThread() -> Bool {
        guard let thread else {
            thread = pthread_self()
            return true
        }
        return pthread_equal(thread, pthread_self()) != 0
    }
}
