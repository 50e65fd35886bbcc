import Foundation
import StateTapeStore
import Testing

// Without an annotation, these types, their conformances and the reducers belong to the main actor.
struct Item: Equatable, Codable {
    var title: String
}

struct AppState: Equatable, Codable {
    var items: [Item] = []
    var screens: [Screen] = [.list]
    var badge = Badge()
}

struct Badge: Equatable, Codable {
    var count = 0
}

enum Screen: Equatable, Codable {
    case list, detail(String)
}

enum AppAction: Codable {
    case add(String)
    case open(String)
    case badge(BadgeAction)

    var badge: BadgeAction? { if case .badge(let action) = self { action } else { nil } }
}

enum BadgeAction: Codable {
    case increment
}

func reduceItems(_ items: inout [Item], _ action: AppAction) {
    if case .add(let title) = action { items.append(Item(title: title)) }
}

func reduceScreens(_ screens: inout [Screen], _ action: AppAction) {
    if case .open(let title) = action { screens.append(.detail(title)) }
}

func reduceBadge(_ badge: inout Badge, _ action: BadgeAction) {
    badge.count += 1
}

var reduce: Reducer<AppState, AppAction> {
    combine(
        scope(\.items, reduceItems), scope(\.screens, reduceScreens),
        scope(\.badge, action: { $0.badge }, reduceBadge))
}

@Suite("A module that belongs to the main actor", .timeLimit(.minutes(1)))
struct MainActorStoreTests {
    private let store = Store(initial: AppState(), reducer: reduce)

    @Test("Reducers are composed, and parts are subscribed to")
    func parts() {
        var titles: [[String]] = []
        let subscription = store.subscribe({ $0.items }) { titles.append($0.map(\.title)) }
        store.dispatch(.add("a"))
        store.dispatch(.badge(.increment))
        #expect(titles == [[], ["a"]])
        #expect(store.state.badge.count == 1)
        withExtendedLifetime(subscription) {}
    }

    @Test("Action creators dispatch on the main actor")
    func creators() async {
        store.dispatch { state in state.items.isEmpty ? .add("first") : nil }
        await store.dispatch { _, dispatch in await dispatch(.add("second")) }.value
        #expect(store.state.items.map(\.title) == ["first", "second"])
    }

    @Test("A sequence has the states")
    func states() async {
        var states = store.states.makeAsyncIterator()
        store.dispatch(.add("a"))
        #expect(await states.next()?.items.count == 1)
        var counts = store.states { $0.items.count }.makeAsyncIterator()
        #expect(await counts.next() == 1)
    }

    @Test("Scopes, observed parts and routers accept types of the main actor")
    func observers() {
        let badge = store.scope { $0.badge }
        var (badges, steps): ([Int], [RouteStep<Screen>]) = ([], [])
        let subscription = badge.subscribe { badges.append($0.count) }
        let router = Router(store, { $0.screens }, shown: [.list]) { steps.append($0) }
        store.dispatch(.badge(.increment))
        store.dispatch(.open("a"))
        #expect(badges == [0, 1])
        #expect(steps == [.push(.detail("a"))])
        #if canImport(Observation)
            if #available(iOS 17, macOS 14, tvOS 17, watchOS 10, *) {
                let items = store.observed { $0.items }
                store.dispatch(.add("b"))
                #expect(items.value.map(\.title) == ["b"])
            }
        #endif
        withExtendedLifetime((subscription, router)) {}
    }

    @Test("A dispatcher has stores for some actions, which wait for each other")
    func dispatcher() {
        let dispatcher = Dispatcher<AppAction>()
        let badge = Store(initial: Badge(), reducer: reduceBadge)
        let shared = SharedStore { Store(initial: AppState(), reducer: reduce) }
        let main = shared.current
        var seen: [Int] = []
        var later: Subscription?
        let first = dispatcher.register { [unowned dispatcher] _ in
            if let later { try dispatcher.waitFor(later) }
            seen.append(badge.state.count)
        }
        later = dispatcher.register(badge) { $0.badge }
        main.hold(dispatcher.register(main))
        dispatcher.dispatch(.badge(.increment))
        #expect(seen == [1])
        #expect(main.state.badge.count == 1)
        withExtendedLifetime(first) {}
    }

    @Test("A history moves, and is saved")
    func history() throws {
        let history = History(initial: AppState(), reducer: reduce)
        let store = Store(initial: history.start, reducer: reduce, middleware: [history.middleware])
        history.connect(store)
        store.dispatch(.add("a"))
        store.dispatch(.add("b"))
        history.stepBack()
        #expect(store.state.items.map(\.title) == ["a"])
        let resumed = try History<AppState, AppAction>(data: try history.data(), reducer: reduce)
        #expect(resumed.start == store.state)
    }
}
