import StateTape
import StateTapeStore
import Testing

@MainActor func reduxArticle(_ tape: Recorder) async {
    // snippet
    enum Screen: Codable { case list, details }

    struct AppState: Codable, Equatable {
        var titles: [String] = []
        var route: [Screen] = [.list]
    }

    enum AppAction: Codable {
        case add(String)
        case show([Screen])
    }

    func reduceTitles(_ titles: inout [String], _ action: AppAction) {
        if case .add(let title) = action { titles.append(title) }
    }

    func reduceRoute(_ route: inout [Screen], _ action: AppAction) {
        if case .show(let screens) = action { route = screens }
    }

    var reduce: Reducer<AppState, AppAction> {
        combine(scope(\.titles, reduceTitles), scope(\.route, reduceRoute))
    }
    // end
    // snippet
    let store = Store(initial: AppState(), reducer: reduce).taped(by: tape)
    // end
    // snippet
    func addOnce(_ title: String) -> ActionCreator<AppState, AppAction> {
        { state in state.titles.contains(title) ? nil : .add(title) }
    }
    store.dispatch(from: addOnce("Bread"))
    // end
    store.dispatch(from: addOnce("Bread"))
    // snippet
    let download = store.dispatch { state, dispatch in
        for title in (try? await remote.items()) ?? [] { await dispatch(.add(title)) }
    }
    // end
    await download.value
    var counts: [Int] = []
    let show: (Int) -> Void = { counts.append($0) }
    // snippet
    let titles = store.scope(\.titles)
    let subscription = titles.subscribe(\.count) { show($0) }
    // end
    var steps: [RouteStep<Screen>] = []
    let navigate: (RouteStep<Screen>) -> Void = { steps.append($0) }
    // snippet
    let router = Router(store, \.route, shown: [.list]) { step in navigate(step) }
    store.dispatch(.show([.list, .details]))
    // end
    #expect(counts == [2])
    #expect(steps == [.push(.details)])
    withExtendedLifetime((router, subscription)) {}
    // snippet
    var state = AppState()
    reduce(&state, .add("Milk"))
    #expect(state.titles == ["Milk"])
    // end
}
