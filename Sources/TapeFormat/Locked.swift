package import Foundation

/// A value that a lock protects.
// Unchecked: the lock protects the value. (`Mutex` needs iOS 18 and macOS 15. On Linux the thread sanitizer can't see it.)
package final class Locked<Value>: @unchecked Sendable {
    @usableFromInline let lock = NSLock()
    // The lock ensures exclusive access.
    @exclusivity(unchecked) @usableFromInline var value: Value

    @inlinable package init(_ value: Value) {
        self.value = value
    }

    @inlinable package func withLock<Output, Failure: Error>(
        _ body: (inout Value) throws(Failure) -> Output
    ) throws(Failure) -> Output {
        lock.lock()
        defer { lock.unlock() }
        return try body(&value)
    }
}
