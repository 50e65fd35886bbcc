import StateTape

// Records each store to the tape in STATETAPE_FILE.
let tape = Recorder()
@MainActor func connect<State, Action>(
    _ track: Track<State, Action>, _ reducer: @escaping (inout State, Action) -> Void, _ actions: [Action]
) {
    var state = track.start
    for action in actions { track.record(action, &state) { reducer(&$0, action) } }
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
