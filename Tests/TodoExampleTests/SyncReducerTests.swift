import Foundation
import StateTapeStore
import Testing

@testable import TodoExample

@Suite struct SyncReducerTests {
    @Test("Received todos are added to the first list, once")
    func received() {
        var state = AppState()
        let todo = Todo(id: "r3", title: "Book the train")
        reduce(&state, .sync(.started(round: 1, at: noon)))
        #expect(state.sync == Sync(status: .running, round: 1))
        reduce(&state, .sync(.finished(sent: 3, received: [todo], at: noon)))
        #expect(state.lists[0].todos.last == todo)
        reduce(&state, .sync(.finished(sent: 3, received: [todo], at: noon)))
        #expect(state.lists[0].todos.filter { $0.id == "r3" }.count == 1)
        #expect(state.sync.status == .finished(at: noon, sent: 3, received: 0))
    }

    @Test("The third sync receives todos, and the fourth fails")
    func remote() async {
        let effects = AppEffects(remote: Remote(delay: .zero), now: { noon })
        let store = Store(initial: AppState(), reducer: reduce, effects: effects.effect)
        let (statuses, continuation) = AsyncStream.makeStream(of: Sync.Status.self)
        let subscription = store.subscribe({ $0.sync.status }) { continuation.yield($0) }
        var ends: [Sync.Status] = []
        for await status in statuses {
            switch status {
            case .running: continue
            case .never: break
            case .finished, .failed: ends.append(status)
            }
            if ends.count == 4 { break }
            store.dispatch(.sync(.started(round: store.state.sync.round + 1, at: noon)))
        }
        #expect(
            ends == [
                .finished(at: noon, sent: 3, received: 0), .finished(at: noon, sent: 3, received: 0),
                .finished(at: noon, sent: 3, received: 1), .failed(at: noon, reason: "the todo service is offline"),
            ])
        subscription.cancel()
    }
}
