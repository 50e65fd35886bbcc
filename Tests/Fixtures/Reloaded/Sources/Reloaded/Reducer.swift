func reduce(_ state: inout Counter, _ action: CounterAction) {
    switch action {
    case .add(let number): state.total += number
    }
}

func atLaunch() {}
