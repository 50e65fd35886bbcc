import StateTape
import StateTapeStore
import Testing

@MainActor func selfReducingArticle(_ tape: Recorder) async {
    // snippet
    struct Feed: Codable, Equatable {
        var items: [String] = []
        var isRefreshing = false
        var error: String?
    }

    struct Clear: SelfReducing, Codable {
        func reduce(_ feed: inout Feed) { feed.items = [] }
    }

    struct Refresh: SelfExecuting, Codable {
        func reduce(_ feed: inout Feed) { feed.isRefreshing = true }

        func execute() async throws -> [String] { try await remote.items() }

        func reduce(_ feed: inout Feed, _ items: [String]) { (feed.items, feed.isRefreshing) = (items, false) }

        func reduce(_ feed: inout Feed, failure: String) { (feed.error, feed.isRefreshing) = (failure, false) }
    }
    // end
    // snippet
    let store = ActionStore(initial: Feed(), rules: [UniqueRule(Refresh.self, cancelBehavior: .last)])
        .taped(by: tape, decoding: [Clear.self, Refresh.self, Finished<Refresh>.self])
    // end
    // snippet
    Refresh().dispatch(to: store)
    // end
    for await isRefreshing in store.states(\.isRefreshing) where !isRefreshing { break }
    #expect(store.state.items == ["Milk"])
    // snippet
    struct Pause: Rule {
        let isPaused: @Sendable () -> Bool

        func decide(_ action: any SelfExecuting<Feed>, executing: [Execution<Feed>]) -> RuleDecision<Feed> {
            isPaused() ? .drop : .run
        }
    }
    // end
    let paused = ActionStore(initial: Feed(), rules: [Pause(isPaused: { true })])
    Refresh().dispatch(to: paused)
    #expect(paused.state.isRefreshing)
    // snippet
    var feed = Feed()
    Refresh().reduce(&feed)
    Finished(Refresh(), .output(["Milk"])).reduce(&feed)
    #expect(feed == Feed(items: ["Milk"]))
    // end
}
