import StateTape
import StateTapeStore

// Records each store to the tape in STATETAPE_FILE.
let tape = Recorder()
@MainActor func connect<State, Action>(
    _ track: Track<State, Action>, _ reducer: @escaping (inout State, Action) -> Void, _ actions: [Action]
) {
    let store = Store(initial: track.start, reducer: reducer, middleware: [track.middleware])
    for action in actions { store.dispatch(action) }
}

connect(tape.track(AppState(), AppAction.self), appReducer, [.add("Milk"), .login(password: "secret")])
connect(tape.track(Cart.State(), Cart.Action.self, name: "cart"), cartReducer, [.put(1), .put(2)])
connect(tape.track(Box(value: 1), Change<Int>.self, name: "box"), boxReducer, [.set(2)])
connect(
    tape.track(Issue(), (any Event).self, decoding: [Opened.self, Closed.self], name: "issue"), issueReducer,
    [Opened(title: "Late"), Closed()])
connect(
    tape.track(Notes(), (any Event).self, decoding: [Opened.self, Closed.self], name: "notes"),
    { $0 = notesReducer(action: $1, state: $0) }, [Closed(), Opened(title: "Milk")])
let model = BasketModel()
connect(
    tape.track(Basket(), BasketAction.self, name: "basket"),
    { basket, action in
        MainActor.assumeIsolated {
            model.state = basket
            model.send(action)
        }
        basket = MainActor.assumeIsolated { model.state }
    }, [.add("Soap")])
tape.finish()
