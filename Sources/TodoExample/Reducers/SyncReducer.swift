func reduceSync(_ state: inout AppState, _ action: SyncAction) {
    switch action {
    case .started(let round, _):
        state.sync = Sync(status: .running, round: round)
    case .finished(let sent, let received, let date):
        let new = received.filter { state.place(of: $0.id) == nil }
        if !state.lists.isEmpty { state.lists[0].todos += new }
        state.sync.status = .finished(at: date, sent: sent, received: new.count)
    case .failed(let reason, let date):
        state.sync.status = .failed(at: date, reason: reason)
    }
}
