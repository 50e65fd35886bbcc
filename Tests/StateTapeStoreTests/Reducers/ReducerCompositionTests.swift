import StateTapeStore
import Testing

@Suite("Composed reducers")
struct ReducerCompositionTests {
    private struct App: Equatable {
        var left = Counter()
        var right = Counter()
        var log: [String] = []
    }

    private enum AppAction {
        case right(CounterAction)
        case reset

        var right: CounterAction? { if case .right(let action) = self { action } else { nil } }
    }

    @Test("Combined reducers run in order, and each sees what the previous one changed")
    func order() {
        let reduce: Reducer<App, CounterAction> = combine(
            scope(\.left, count), { state, _ in state.log.append("left \(state.left.count)") },
            scope(\.right, count), { state, _ in state.log.append("right \(state.right.count)") })
        var state = App()
        reduce(&state, .add(2))
        #expect(state.left.count == 2)
        #expect(state.right.count == 2)
        #expect(state.log == ["left 2", "right 2"])
    }

    @Test("A part with actions of its own changes only for them")
    func embedded() {
        let reduce = scope(\App.right, action: \AppAction.right, count)
        var state = App()
        reduce(&state, .reset)
        #expect(state == App())
        reduce(&state, .right(.add(3)))
        #expect(state == App(right: Counter(count: 3, added: [3])))
    }

    @Test("A part is changed in place: its storage isn't copied")
    func inPlace() {
        func address(_ state: App) -> UnsafeRawPointer? {
            state.left.added.withUnsafeBytes { $0.baseAddress }
        }
        var state = App()
        state.left.added.reserveCapacity(100)
        let before = address(state)
        let reduce: Reducer<App, CounterAction> = scope(\.left, combine(count, count, count))
        for number in 1...9 {
            reduce(&state, .add(number))
            #expect(address(state) == before)
        }
        #expect(state.left.added.count == 27)
        let embedded: Reducer<App, CounterAction> = scope(\.left, action: { $0 }, count)
        embedded(&state, .add(1))
        #expect(address(state) == before)
    }

    @Test("No reducer at all leaves the state")
    func none() {
        var state = Counter()
        let reduce: Reducer<Counter, CounterAction> = combine()
        reduce(&state, .add(1))
        #expect(state == Counter())
    }
}
