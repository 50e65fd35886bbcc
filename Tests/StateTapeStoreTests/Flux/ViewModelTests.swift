import StateTapeStore
import Testing

/// What a view shows. A view model provider is a function from a state to a view model.
private struct CounterViewModel: Equatable {
    let title: String
    let isEven: Bool

    init(_ state: Counter) {
        title = state.name.isEmpty ? "Untitled" : state.name
        isEven = state.count % 2 == 0
    }
}

@Suite("View model providers")
struct ViewModelTests {
    @Test("A provider is tested without a store")
    func pure() {
        #expect(CounterViewModel(Counter(count: 2)).title == "Untitled")
    }

    @Test("A view receives its view model each time that it changes")
    func changes() {
        let store = Store(initial: Counter(), reducer: count)
        let shown = Seen<String>()
        let subscription = store.subscribe(CounterViewModel.init) { shown("\($0.title) \($0.isEven)") }
        for action: CounterAction in [.add(2), .add(4), .add(1), .rename("a"), .rename("a")] { store.dispatch(action) }
        #expect(shown.values == ["Untitled true", "Untitled false", "a false"])
        withExtendedLifetime(subscription) {}
    }
}
