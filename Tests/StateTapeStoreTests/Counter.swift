import Foundation
import StateTapeStore

/// The state of most tests, with all added numbers in order.
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

/// A list to which any thread may append.
// Unchecked: the lock protects the list.
final class Seen<Value: Sendable>: @unchecked Sendable {
    private let lock = NSLock()
    private var list: [Value] = []

    var values: [Value] { lock.withLock { list } }

    func callAsFunction(_ value: Value) {
        lock.withLock { list.append(value) }
    }
}

/// Runs each body on its own thread, and waits for all of them.
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

/// A value that is set after the creation of closures that use it.
// Unchecked: the lock protects the value.
final class Box<Value: Sendable>: @unchecked Sendable {
    private let lock = NSLock()
    private var slot: Value?

    var value: Value? {
        get { lock.withLock { slot } }
        set { lock.withLock { slot = newValue } }
    }
}
