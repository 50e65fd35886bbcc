import Foundation

/// A value behind a lock, shared by several threads.
final class Locked<Value>: @unchecked Sendable {  // the lock guards the one stored value
    private let lock = NSLock()
    private var value: Value

    init(_ value: Value) {
        self.value = value
    }

    func withLock<Result>(_ body: (inout Value) throws -> Result) rethrows -> Result {
        lock.lock()
        defer { lock.unlock() }
        return try body(&value)
    }
}
