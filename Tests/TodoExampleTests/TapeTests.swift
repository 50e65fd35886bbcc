import StateTape
import StateTapeStore
import StateTapeTesting
import Testing

@testable import TodoExample

/// Tests that leave a tape when they fail, and a tape that is a test.
@Suite(.taped) struct TapeTests {
    @Test("A shopping session, recorded with the app, leads to the same states")
    func shopping() {
        Replay("shopping.tape").verify(AppState.self, AppAction.self, reducer: reduce)
    }

    @Test("The end of the session, from the state before it")
    func end() {
        Replay("shopping.tape").events(8...).verify(AppState.self, AppAction.self, reducer: reduce)
    }

    @Test("A reducer that forgets to select the list is found at its event and place")
    func fault() {
        withKnownIssue {
            Replay("shopping.tape").verify(AppState.self, AppAction.self) { state, action in
                let selected = state.selectedList
                reduce(&state, action)
                state.selectedList = selected
            }
        } matching: { issue in
            let text = issue.comments.map(\.rawValue).joined()
            return text.contains("after event 4, “lists/select”")
                && text.contains("/selectedList: recorded \"work\", now \"inbox\"")
        }
    }

    @Test("A store of the app records to the test's tape")
    func recorded() {
        let track = Tape.current.track(AppState(), AppAction.self)
        let store = Store<AppState, AppAction>(
            initial: track.start, reducer: reduce, middleware: [track.middleware])
        store.dispatch(.lists(.select(id: "work")))
        #expect(store.state.selectedList == "work" && Tape.current.isOn)
    }
}
