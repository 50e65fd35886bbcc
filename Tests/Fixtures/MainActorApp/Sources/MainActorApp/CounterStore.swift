import StateTape
import StateTapeStore

struct CounterState: Codable, Equatable { var count = 0 }
enum CounterAction: Codable { case increment }

/// This package's own store.
func makeCounterStore(_ tape: Recorder) -> Store<CounterState, CounterAction> {
    let track = tape.track(CounterState(), CounterAction.self, name: "counter")
    let store = Store(
        initial: track.start,
        reducer: { (state: inout CounterState, action: CounterAction) in
            switch action {
            case .increment: state.count += 1
            }
        }, middleware: [track.middleware])
    track.connect(
        state: { store.state }, dispatch: { store.dispatch($0) },
        play: {
            store.replace($0)
            Played.note("counter")
        })
    return store
}
