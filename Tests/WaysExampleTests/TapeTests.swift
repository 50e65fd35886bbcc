import StateTapeStore
import StateTapeTesting
import Testing

@testable import WaysExample

/// The scripts of the examples, recorded with the command line, as tests.
@MainActor struct TapeTests {
    @Test("The counter's script leads to the same states")
    func counter() {
        Replay("counter.tape").verify(Counter.self, CounterAction.self, reducer: reduceCounter)
    }

    @Test("The annotations' script leads to the same states")
    func annotations() {
        Replay("annotations.tape").verify(Annotations.self, AnnotationsAction.self, reducer: reduceAnnotations)
    }

    @Test("The search's script leads to the same states")
    func search() {
        Replay("search.tape").verify(SearchState.self, SearchAction.self, reducer: reduceSearch)
    }

    @Test("The feed's script leads to the same states, with what the work returned")
    func pullToRefresh() {
        Replay("pull-to-refresh.tape").verify(
            Feed.self, (any SelfReducing<Feed>).self, decoding: FeedApp.actions
        ) { feed, action in action.reduce(&feed) }
    }

    @Test("A filter that forgets the kind is found at its event")
    func fault() {
        withKnownIssue {
            Replay("annotations.tape").verify(Annotations.self, AnnotationsAction.self) { annotations, action in
                if case .added = action { reduceAnnotations(&annotations, action) }
            }
        } matching: { issue in
            issue.comments.contains { $0.rawValue.contains("after event 3, “toggled”") }
        }
    }
}
