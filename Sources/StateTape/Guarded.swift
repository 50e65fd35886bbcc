import Foundation

/// A value behind a lock.
// Unchecked: the lock guards the value. (`Mutex` would ask for iOS 18.)
final class Guarded<Value>: @unchecked Sendable {
    private let lock = NSLock()
    // The lock is the check.
    @exclusivity(unchecked) private var value: Value

    init(_ value: Value) {
        self.value = value
    }

    func withLock<Output>(_ body: (inout Value) throws -> Output) rethrows -> Output {
        lock.lock()
        defer { lock.unlock() }
        return try body(&value)
    }
}
