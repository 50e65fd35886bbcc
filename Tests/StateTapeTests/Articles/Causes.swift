import StateTape
import StateTapeStore
import Testing

@MainActor func causesArticle(_ tape: Recorder) async {
    // snippet
    enum Order: Codable { case pay, paid, thanked }

    let store = Store<[Order], Order>(
        initial: [], reducer: { $0.append($1) },
        effects: { action, _ in
            guard case .pay = action else { return nil }
            return Effect { dispatch in await dispatch(.paid) }
        }
    ).taped(by: tape)
    // end
    // snippet
    let subscription = store.subscribe(\.count) { count in
        if count == 2 { Task { store.dispatch(.thanked) } }
    }
    store.dispatch(.pay)
    // end
    for await orders in store.states where orders.count == 3 { break }
    withExtendedLifetime(subscription) {}
}
