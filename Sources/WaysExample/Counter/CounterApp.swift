import StateTapeStore

/// A counter app, whichever way it works.
@MainActor protocol CounterApp: AnyObject {
    /// The current state.
    var counter: Counter { get }
    /// The current state, and then each new one; the newest only, if the reader is slow.
    var states: AsyncStream<Counter> { get }
    /// Adds a number at once.
    func add(_ number: Int)
    /// Adds a number that the server gives; it comes later.
    func ask()
}

extension CounterApp {
    /// Waits for a state.
    func reaches(_ holds: (Counter) -> Bool) async {
        for await counter in states where holds(counter) { return }
    }
}
