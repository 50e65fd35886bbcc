import Foundation
import StateTape

/// Prints its state, and adds each number that it reads. `crash` and `quit` end it.
let tape = Recorder()
let track = tape.track(Counter(), CounterAction.self)
let counter = CounterStore(track)
track.connect(
    state: { counter.state }, dispatch: { counter.send($0) }, play: { counter.replace($0) }, isolation: nil)
say("\(getpid()) launched with \(counter.state)")
atLaunch()

while let line = readLine() {
    if line == "quit" { break }
    if line == "crash" { fatalError("crash") }
    if line == "deaf" { signal(SIGTERM, SIG_IGN) }
    if let number = Int(line) { counter.send(.add(number)) }
    say("\(counter.state)")
}
tape.finish()
