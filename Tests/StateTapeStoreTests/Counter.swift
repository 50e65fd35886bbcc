import Foundation
import StateTapeStore
import Synchronization

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
final class Seen<Value: Sendable>: Sendable {
    private let list = Mutex<[Value]>([])

    var values: [Value] { list.withLock { $0 } }

    func callAsFunction(_ value: Value) {
        list.withLock { $0.append(value) }
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
final class Box<Value: Sendable>: Sendable {
    private let slot = Mutex<Value?>(nil)

    var value: Value? {
        get { slot.withLock { $0 } }
        set { slot.withLock { $0 = newValue } }
    }
}
