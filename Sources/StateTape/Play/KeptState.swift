/// A state in memory of its own: a few large ones by value may fill a thread's stack.
final class KeptState<State> {
    let place: UnsafeMutablePointer<State>

    init(_ state: State) {
        place = .allocate(capacity: 1)
        place.initialize(to: state)
    }

    deinit {
        place.deinitialize(count: 1)
        place.deallocate()
    }

    var state: State { place.pointee }
}
