import Foundation
import StateTape
import StateTapeStore
import Testing

@MainActor func historyArticle(_ tape: Recorder, _ file: URL) throws {
    func reduce(_ state: inout AppState, _ action: AppAction) { appReducer(&state, action) }
    // snippet
    let history = try History(contentsOf: file, reducer: reduce) ?? History(initial: AppState(), reducer: reduce)
    let store = Store(initial: history.start, reducer: reduce, middleware: [history.middleware])
    history.connect(store)
    // end
    // snippet
    store.dispatch(.add(1))
    store.dispatch(.add(2))
    history.stepBack()
    #expect(store.state.count == 1)
    history.jump(to: history.positions.upperBound)
    #expect(store.state.count == 3)
    history.skip(after: history.positions.lowerBound)
    #expect(store.state.count == 2)
    // end
    // snippet
    history.isPaused = true
    history.stepBack()
    store.dispatch(.add(10))
    history.isPaused = false
    // end
    #expect(store.state.count == 0)
    // snippet
    try history.save(to: file)
    // end
    let resumed = try #require(try History(contentsOf: file, reducer: reduce))
    #expect(resumed.position == history.position)
    #expect(resumed.start == store.state)
    do {
        // snippet
        let history = History(initial: AppState(), reducer: reduce)
        let store = Store(initial: history.start, reducer: reduce, middleware: [history.middleware]).taped(by: tape)
        history.connect(store)
        // The history begins with the launch state.
        history.clear()
        // end
        store.dispatch(.add(5))
        history.stepBack()
        #expect(store.state.count == 0)
    }
}
