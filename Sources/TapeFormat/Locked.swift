package import Foundation

/// A value that a lock protects.
// Unchecked: the lock protects the value. (`Mutex` needs iOS 18 and macOS 15. On Linux the thread sanitizer can't see it.)
package final class Locked<Value>: @unchecked Sendable {
    @usableFromInline let lock = NSLock()
    // The lock ensures exclusive access.
    @exclusivity(unchecked) @usableFromInline var value: Value

    @inlinable package init(_ value: sending Value) {
        self.value = value
    }

    /// What isn't `Sendable` can neither be kept in the value by the caller nor leave it.
    @inlinable package func withLock<Output, Failure: Error>(
        _ body: (inout sending Value) throws(Failure) -> sending Output
    ) throws(Failure) -> sending Output {
        lock.lock()
        defer { lock.unlock() }
        return try body(&value)
    }

    /// The same for what the compiler can't follow: values of an app's types, which are not required to be `Sendable`, and
    /// objects of the recorder that one thread at a time takes out, uses and puts back.
    @inlinable package func withLockUnchecked<Output, Failure: Error>(
        _ body: (inout Value) throws(Failure) -> Output
    ) throws(Failure) -> Output {
        lock.lock()
        defer { lock.unlock() }
        return try body(&value)
    }
}
