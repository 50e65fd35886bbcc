import Foundation
import StateTapeStore

/// The state that most tests use: every number that was added, in order.
struct Counter: Equatable, Sendable {
    var count = 0
    var added: [Int] = []
    var name = ""
}

enum CounterAction: Equatable, Sendable {
    case add(Int)
    case rename(String)
}

func count(_ state: inout Counter, _ action: CounterAction) {
    switch action {
    case .add(let number):
        state.count += number
        state.added.append(number)
    case .rename(let name):
        state.name = name
    }
}

/// What a test has seen, from any thread.
// Unchecked: the list is guarded by the lock.
final class Seen<Value: Sendable>: @unchecked Sendable {
    private let lock = NSLock()
    private var list: [Value] = []

    var values: [Value] { lock.withLock { list } }

    func callAsFunction(_ value: Value) {
        lock.withLock { list.append(value) }
    }
}

/// Runs the bodies on threads of their own and waits for all of them.
func onThreads(_ bodies: [@Sendable () -> Void]) {
    let group = DispatchGroup()
    for body in bodies {
        group.enter()
        Thread.detachNewThread {
            body()
            group.leave()
        }
    }
    group.wait()
}

/// A value that is set after the closures that use it were made.
// Unchecked: the value is guarded by the lock.
final class Box<Value: Sendable>: @unchecked Sendable {
    private let lock = NSLock()
    private var slot: Value?

    var value: Value? {
        get { lock.withLock { slot } }
        set { lock.withLock { slot = newValue } }
    }
}
