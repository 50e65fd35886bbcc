import StateTape

struct CartItem: Codable, Equatable {
    var name: String
    var amount = 1
}

struct CartState: Codable, Equatable {
    var items: [CartItem] = []
    var notes: [String: CartItem] = [:]
    var encoded = MainProbe()
}

enum CartAction: Codable {
    case add(name: String)
    case item(ItemAction)
    case probe(MainProbe)

    enum ItemAction: Codable { case more(Int) }
}

func reduceCart(_ state: inout CartState, _ action: CartAction) {
    switch action {
    case .add(let name):
        state.items.append(CartItem(name: name))
        state.notes[name] = CartItem(name: name)
    case .item(.more(let index)): state.items[index].amount += 1
    case .probe: break
    }
}

/// A store made by hand, which looks at where it is played into.
final class CartStore {
    private(set) var state: CartState
    private(set) var isPlayedInto = false
    private let track: Track<CartState, CartAction>

    init(_ tape: Recorder) {
        track = tape.track(CartState(), CartAction.self, name: "cart")
        state = track.start
        track.connect(
            state: { [weak self] in self?.state }, dispatch: { [weak self] in self?.send($0) },
            play: { [weak self] in
                MainActor.preconditionIsolated("played off the main actor")
                precondition(ThreadProbe.isOnMain, "played off the main queue")
                self?.state = $0
                self?.isPlayedInto = true
            })
    }

    func send(_ action: CartAction) { track.record(action, &state) { reduceCart(&$0, action) } }
}
