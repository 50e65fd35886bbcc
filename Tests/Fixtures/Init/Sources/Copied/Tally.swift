struct TallyState { var count = 0 }
enum TallyAction { case add(Int), reset }

@MainActor final class Tally {
    private(set) var state = TallyState()

    func send(_ action: TallyAction) {
        var s = state
        switch action {
        case .add(let number):
            guard number > 0 else { return }
            s.count += number
        case .reset: s = TallyState()
        }
        if s.count != state.count {
            state = s
        }
    }
}
