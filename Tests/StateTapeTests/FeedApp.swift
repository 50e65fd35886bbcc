import StateTape
import StateTapeStore
import TapeFormat

struct Feed: Codable, Equatable, Sendable {
    var wanted = ""
    var items: [String] = []
}

enum FeedAction: Codable, Sendable {
    case fetch(String)
    case fetched(String)
    case want(String)
}

@Sendable func reduce(_ feed: inout Feed, _ action: FeedAction) {
    switch action {
    case .fetch: break
    case .fetched(let item): feed.items.append(item)
    case .want(let item): feed.wanted = item
    }
}

/// An app that fetches items, in each style of side effects.
@MainActor struct FeedApp {
    enum Style: CaseIterable, Sendable {
        case executable, mapped, feedback, selfReducing
    }

    /// The work of actions that are decoded, and so can't hold it.
    static let gates = Locked<[String: WorkGate]>([:])

    let fetch: (String) -> Void
    let feed: () -> Feed
    let isHeld: () -> Bool
    /// Waits until the state has an item.
    let has: (String) async -> Void

    init(_ style: Style, _ tape: Recorder, _ gate: WorkGate) {
        switch style {
        case .executable:
            let store = Store<Feed, any FeedAct>(
                initial: Feed(), reducer: { if let fetched = $1 as? Fetched { $0.items.append(fetched.item) } },
                effects: Effect<any FeedAct>.executing
            ).taped(by: tape, decoding: [Fetch.self, Fetched.self])
            self.init(store) { store.dispatch(Fetch(item: $0)) }
        case .mapped:
            let store = Store(
                initial: Feed(), reducer: reduce, effects: { action, _ in Self.effect(of: action) }
            ).taped(by: tape)
            self.init(store) { store.dispatch(.fetch($0)) }
        case .feedback:
            let store = Store<Feed, FeedAction>(
                initial: Feed(),
                feedback: { feed, action in
                    reduce(&feed, action)
                    return Self.effect(of: action)
                }
            ).taped(by: tape)
            self.init(store) { store.dispatch(.fetch($0)) }
        case .selfReducing:
            let store = ActionStore(initial: Feed(), rules: [SequenceRule(FetchItem.self, FetchItem.self)])
                .taped(by: tape, decoding: [FetchItem.self, Finished<FetchItem>.self])
            self.init(store) { FetchItem(item: $0).dispatch(to: store) }
        }
        Self.gates.withLock { $0["\(style)"] = gate }
    }

    private init<Action>(_ store: Store<Feed, Action>, fetch: @escaping (String) -> Void) {
        self.fetch = fetch
        feed = { store.state }
        isHeld = { !store.gate.isOpen }
        has = { await store.feed(with: $0) }
    }

    nonisolated private static func effect(of action: FeedAction) -> Effect<FeedAction>? {
        guard case .fetch(let item) = action else { return nil }
        return Effect(id: item) { dispatch in
            await work(item)
            await dispatch(.fetched(item))
        }
    }

    /// Works at the gate of the style that begins the item's name.
    nonisolated fileprivate static func work(_ item: String) async {
        let style = item.split(separator: "-")[0]
        await gates.withLock { $0[String(style)] }?.work(item)
    }
}

extension Store where State == Feed {
    /// Waits until the state has an item.
    func feed(with item: String, isolation: isolated (any Actor)? = #isolation) async {
        let (feeds, continuation) = AsyncStream.makeStream(of: Feed.self)
        let subscription = subscribe { continuation.yield($0) }
        _ = await feeds.first { $0.items.contains(item) }
        subscription.cancel()
    }
}

private protocol FeedAct: Sendable {}

private struct Fetched: FeedAct, Codable { var item: String }

private struct Fetch: FeedAct, ExecutableAction, Codable {
    var item: String

    func execute(_ state: Feed, _ dispatch: Effect<any FeedAct>.Dispatch) async {
        await FeedApp.work(item)
        await dispatch(Fetched(item: item))
    }
}

private struct FetchItem: SelfExecuting, Codable {
    var item: String

    func execute() async -> String {
        await FeedApp.work(item)
        return item
    }

    func reduce(_ feed: inout Feed, _ output: String) { feed.items.append(output) }
}
