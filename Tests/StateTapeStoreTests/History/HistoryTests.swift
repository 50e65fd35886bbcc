import StateTapeStore
import Testing

@Suite("History")
struct HistoryTests {
    typealias CounterHistory = History<Counter, CounterAction>

    /// A history with its store, to which the numbers were added.
    static func make(
        _ numbers: [Int], limit: Int = 1_000, effects: ((CounterAction, Counter) -> Effect<CounterAction>?)? = nil
    ) -> (CounterHistory, Store<Counter, CounterAction>) {
        let history = CounterHistory(initial: Counter(), reducer: count, limit: limit)
        let store = Store(
            initial: history.start, reducer: count, middleware: [history.middleware], effects: effects)
        history.connect(store)
        for number in numbers { store.dispatch(.add(number)) }
        return (history, store)
    }

    @Test("Each position has the state that the store had there")
    func jump() {
        let (history, store) = Self.make([1, 2, 3])
        #expect(history.positions == 0...3)
        #expect(history.position == 3)
        for (position, added) in [(0, []), (2, [1, 2]), (3, [1, 2, 3]), (1, [1])] {
            history.jump(to: position)
            #expect(history.position == position)
            #expect(store.state.added == added)
        }
    }

    @Test("Steps and jumps stop at the first and the last position")
    func ends() {
        let (history, store) = Self.make([1, 2])
        history.stepForward()
        #expect(history.position == 2)
        history.stepBack()
        #expect(store.state.added == [1])
        history.stepForward()
        #expect(store.state.added == [1, 2])
        for far in [Int.min, Int.max] {
            history.jump(to: far)
            #expect([0, 2].contains(history.position))
        }
        history.jump(to: -1)
        history.stepBack()
        #expect(history.position == 0)
        #expect(store.state == Counter())
    }

    @Test("A move calls the subscribers once, and not at all if nothing changes")
    func subscribers() {
        let (history, store) = Self.make([1, 2, 3])
        let seen = Seen<Int>()
        let subscription = store.subscribe { seen($0.count) }
        history.jump(to: 1)
        history.jump(to: 1)
        history.skip(after: 2)
        #expect(seen.values == [6, 1])
        withExtendedLifetime(subscription) {}
    }

    @Test("An action at an old position continues from there, and the later steps are lost")
    func branch() {
        let (history, store) = Self.make([1, 2, 3])
        history.jump(to: 1)
        store.dispatch(.add(9))
        #expect(store.state.added == [1, 9])
        #expect(history.positions == 0...2)
        #expect(history.steps.map(\.cause) == [.action(.add(1)), .action(.add(9))])
    }

    @Test("A skipped action has no part in the states after it, until it is included again")
    func skip() {
        let (history, store) = Self.make([1, 2, 3])
        history.skip(after: 1)
        #expect(store.state.added == [1, 3])
        #expect(history.steps.map(\.isSkipped) == [false, true, false])
        store.dispatch(.add(4))
        #expect(store.state.added == [1, 3, 4])
        history.skip(after: 1, false)
        #expect(store.state.added == [1, 2, 3, 4])
        for none in [-1, 4, Int.max, Int.min] { history.skip(after: none) }
        #expect(store.state.added == [1, 2, 3, 4])
    }

    @Test("The oldest steps are dropped, and the other positions keep their numbers and states")
    func limit() {
        let (history, store) = Self.make(Array(1...10), limit: 3)
        #expect(history.positions == 7...10)
        #expect(history.steps.count == 3)
        history.jump(to: 0)
        #expect(store.state.added == Array(1...7))
        history.jump(to: 9)
        #expect(store.state.added == Array(1...9))
        history.skip(after: 8)
        #expect(store.state.added == Array(1...8))
        for number in 11...13 { store.dispatch(.add(number)) }
        // The skipped step was dropped, too, and stays skipped.
        #expect(history.steps.count == 3)
        history.jump(to: history.positions.lowerBound)
        #expect(store.state.added == Array(1...8))
    }

    @Test("A history that keeps no step still lets the store work", arguments: [0, -1])
    func none(limit: Int) {
        let (history, store) = Self.make([1, 2], limit: limit)
        history.stepBack()
        #expect(store.state.added == [1, 2])
        #expect(history.positions == 2...2)
    }

    @Test("A state that the store is set to is a step")
    func replacement() {
        let (history, store) = Self.make([1])
        store.replace(Counter(count: 40))
        store.dispatch(.add(2))
        #expect(history.positions == 0...3)
        history.stepBack()
        #expect(store.state == Counter(count: 40))
        history.skip(after: 1)
        #expect(store.state.added == [1])
        history.stepForward()
        #expect(store.state.added == [1, 2])
    }

    @Test("A paused history ignores actions and their effects, but not moves")
    func pause() {
        let asked = Seen<CounterAction>()
        let (history, store) = Self.make([1, 2]) { action, _ in
            asked(action)
            return nil
        }
        history.jump(to: 1)
        history.isPaused = true
        store.dispatch(.add(9))
        #expect(store.state.added == [1])
        history.stepForward()
        #expect(store.state.added == [1, 2])
        history.isPaused = false
        store.dispatch(.add(3))
        #expect(store.state.added == [1, 2, 3])
        #expect(asked.values == [.add(1), .add(2), .add(3)])
    }

    @Test("A cleared history begins at the store's state")
    func clear() {
        let (history, store) = Self.make([1, 2, 3])
        history.jump(to: 2)
        history.clear()
        #expect(history.positions == 0...0)
        #expect(store.state.added == [1, 2])
        store.dispatch(.add(4))
        history.jump(to: 0)
        #expect(store.state.added == [1, 2])
    }

    @Test("A subscriber may move: the move runs after the current delivery")
    func reentrant() {
        let (history, store) = Self.make([1, 2])
        let seen = Seen<Int>()
        let subscription = store.subscribe { state in
            seen(state.count)
            if state.count == 12 { history.jump(to: 1) }
        }
        store.dispatch(.add(9))
        #expect(seen.values == [3, 12, 1])
        #expect(history.position == 1)
        withExtendedLifetime(subscription) {}
    }

    @Test("Moves, actions and reads on many threads leave the store at the history's state")
    func threads() {
        let (history, store) = Self.make([], limit: 50)
        let act: @Sendable () -> Void = { for number in 0..<300 { store.dispatch(.add(number)) } }
        let move: @Sendable () -> Void = {
            for _ in 0..<100 {
                history.stepBack()
                history.jump(to: history.position + 1)
                history.skip(after: history.positions.lowerBound)
                store.replace(store.state)
            }
        }
        let torn = Seen<Int>()
        let look: @Sendable () -> Void = {
            for _ in 0..<300 where history.steps.count > 50 { torn(history.steps.count) }
        }
        onThreads([act, move, look, act, move, look])
        #expect(torn.values.isEmpty)
        #expect(history.start == store.state)
    }

    @Test("The store retains its history, and the history doesn't retain the store")
    func release() {
        weak var gone: CounterHistory?
        weak var goneStore: Store<Counter, CounterAction>?
        var kept: CounterHistory?
        do {
            let (history, store) = Self.make([1, 2])
            (gone, goneStore, kept) = (history, store, history)
        }
        #expect(goneStore == nil)
        kept?.stepBack()
        #expect(kept?.position == 2)
        kept = nil
        #expect(gone == nil)
    }
}
