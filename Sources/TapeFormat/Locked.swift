package import Foundation

/// A value behind a lock.
// Unchecked: the lock guards the value. (`Mutex` would ask for iOS 18.)
package final class Locked<Value>: @unchecked Sendable {
    @usableFromInline let lock = NSLock()
    // The lock is the check.
    @exclusivity(unchecked) @usableFromInline var value: Value

    @inlinable package init(_ value: Value) {
        self.value = value
    }

    @inlinable package func withLock<Output>(_ body: (inout Value) throws -> Output) rethrows -> Output {
        lock.lock()
        defer { lock.unlock() }
        return try body(&value)
    }
}
