import StateTape
import StateTapeStore

/// Self-reducing actions with rules: one refresh at a time, and what was read is sent after it.
@MainActor final class FeedApp {
    /// The types that a tape of this app has.
    static let actions: [any Codable.Type] = [
        Refresh.self, Finished<Refresh>.self, MarkRead.self, Finished<MarkRead>.self,
    ]

    let store: ActionStore<Feed>

    init(_ recorder: Recorder) {
        store = ActionStore(
            initial: Feed(),
            rules: [UniqueRule(Refresh.self, cancelBehavior: .last), SequenceRule(Refresh.self, MarkRead.self)]
        ).taped(by: recorder, decoding: Self.actions)
    }

    /// A short script: two pulls, of which one loads, and then a mark.
    func run() async {
        Refresh().dispatch(to: store)
        Refresh().dispatch(to: store)
        MarkRead().dispatch(to: store)
        for await feed in store.states where !feed.read.isEmpty { return }
    }
}
