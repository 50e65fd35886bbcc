import Foundation
import StateTape
import Synchronization

struct Counter: Codable, CustomStringConvertible {
    var total = 0

    var description: String { "total \(total)" }
}

enum CounterAction: Codable {
    case add(Int)
}

/// Used by the main thread and the recorder's.
final class CounterStore: Sendable {
    private let held: Mutex<Counter>
    private let track: Track<Counter, CounterAction>

    init(_ track: Track<Counter, CounterAction>) {
        self.track = track
        held = Mutex(track.start)
    }

    var state: Counter { held.withLock { $0 } }

    func send(_ action: CounterAction) {
        held.withLock { state in track.record(action, &state) { reduce(&$0, action) } }
    }

    func replace(_ state: Counter) {
        held.withLock { $0 = state }
        say("applied \(state)")
    }
}

func say(_ text: String) {
    print(text)
    fflush(nil)
}
