import StateTape

/// The shape of a library whose actions are existentials and whose state's setter is private.
protocol Action {}

struct ListState: Codable, Equatable { var names: [String] = [] }
struct AddName: Action, Codable { var name: String }
struct Clear: Action, Codable {}
struct Play: Action { let state: ListState }

final class ActionStore<State> {
    private(set) var state: State
    private let reducer: (any Action, State?) -> State

    init(reducer: @escaping (any Action, State?) -> State, state: State) {
        self.reducer = reducer
        self.state = state
    }

    func dispatch(_ action: any Action) { state = reducer(action, state) }
}

func reduceList(action: any Action, state: ListState) -> ListState {
    var next = state
    switch action {
    case let add as AddName: next.names.append(add.name)
    case is Clear: next.names = []
    default: break
    }
    return next
}

func makeListStore(_ tape: Recorder) -> ActionStore<ListState> {
    let track = tape.track(ListState(), (any Action).self, decoding: [AddName.self, Clear.self], name: "list")
    let store = ActionStore<ListState>(
        reducer: { action, state in
            if let play = action as? Play {
                Played.note("list")
                return play.state
            }
            var next = state ?? track.start
            track.record(action, &next) { $0 = reduceList(action: action, state: $0) }
            return next
        }, state: track.start)
    track.connect(state: { store.state }, dispatch: { store.dispatch($0) }, play: { store.dispatch(Play(state: $0)) })
    return store
}
