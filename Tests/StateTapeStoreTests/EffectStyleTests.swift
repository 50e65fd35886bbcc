import StateTapeStore
import Testing

@Suite("Styles of effects", .timeLimit(.minutes(1)))
struct EffectStyleTests {
    private protocol Act: Sendable {}
    private struct Add: Act { var number: Int }
    private struct AddLater: Act, ExecutableAction {
        var number: Int
        func execute(_ state: Counter, _ dispatch: Effect<any Act>.Dispatch) async {
            await dispatch(Add(number: number + state.count))
            await dispatch(Add(number: 100))
        }
    }

    @Test("An executable action reaches the reducer, then runs with the new state and dispatches")
    func executable() async {
        let reduced = Seen<String>()
        let store = Store<Counter, any Act>(
            initial: Counter(count: 1),
            reducer: { state, action in
                reduced("\(type(of: action))")
                if let add = action as? Add { state.count += add.number }
            }, effects: Effect<any Act>.executing)
        store.dispatch(AddLater(number: 5))
        await state(of: store) { $0.count == 107 }
        #expect(reduced.values == ["AddLater", "Add", "Add"])
    }

    @Test("Executable and plain actions share a store")
    func mixed() async {
        let store = Store<Counter, any Act>(
            initial: Counter(),
            reducer: { if let add = $1 as? Add { $0.count += add.number } },
            effects: { action, state in
                .executing(action, state)
                    ?? ((action as? Add)?.number == 1 ? Effect { await $0(Add(number: 10)) } : nil)
            })
        store.dispatch(Add(number: 1))
        await state(of: store) { $0.count == 11 }
        store.dispatch(AddLater(number: 0))
        await state(of: store) { $0.count == 122 }
    }

    private static func feedback(_ state: inout Counter, _ action: CounterAction) -> Effect<CounterAction>? {
        count(&state, action)
        guard case .add(let number) = action, number > 0 else { return nil }
        return Effect { await $0(.add(number - 1)) }
    }

    @Test("A reducer returns the effect of its action, which runs after the subscribers were called")
    func feedback() async {
        let store = Store(initial: Counter(), feedback: Self.feedback)
        store.dispatch(.add(4))
        await state(of: store) { $0.added == [4, 3, 2, 1, 0] }
    }

    @Test("A reducer's effect is dropped while effects are held, and not started later by another action")
    func feedbackHeld() async {
        let isHeld = Box<Bool>()
        let started = Seen<CounterAction>()
        let store = Store<Counter, CounterAction>(
            initial: Counter(),
            feedback: { state, action in
                count(&state, action)
                return action == .rename("plain") ? nil : Effect { _ in started(action) }
            }
        ).gated { isHeld.value ?? false }
        isHeld.value = true
        store.dispatch(.add(1))
        isHeld.value = false
        store.dispatch(.rename("plain"))
        store.dispatch(.add(2))
        await until { !started.values.isEmpty }
        #expect(started.values == [.add(2)])
    }

    @Test("A reducer's effect isn't kept after it has run")
    func feedbackReleased() {
        final class Token: Sendable {}
        weak var gone: Token?
        let store = Store<Counter, CounterAction>(
            initial: Counter(),
            feedback: { _, _ in
                let token = Token()
                gone = token
                return Effect { _ in _ = token }
            }
        ).gated { true }
        store.dispatch(.add(1))
        #expect(gone == nil)
    }
}
