import Dispatch
import TapeFormat
import TapeUplink

// Begins and ends a loop, on the recorder's thread.
extension RecordingSession {
    /// Applies the states to the connected stores. The loop's actions wait behind them.
    func begin(_ loop: Loop) {
        let states = (loop.states ?? [:]).filter { store($0.key)?.isConnected ?? false }.sorted { $0.key < $1.key }
        let running = RunningLoop(id: loop.id, stores: states.map(\.key), keep: loop.keep)
        self.loop = running
        guard !states.isEmpty else {
            let message = "the app has none of the recorded stores"
            return fail(loop.id, Pushed.Failure(code: .unknownStore, message: message))
        }
        pushes += states.map { name, state in
            WaitingPush(
                push: Push(id: loop.id, store: name, content: .state(state)), isAnswered: false, loop: running)
        }
        playNext()
    }

    /// Puts the states back, then answers for the loop.
    func end(_ loop: RunningLoop, _ failure: Pushed.Failure?) {
        self.loop?.isEnding = true
        putBack(loop.stores[...], from: loop.id) { session in
            // The events of the stores' states are written first.
            session.submit(
                Job { session in
                    guard session.loop?.id == loop.id else { return }
                    session.answer(loop.id, failure)
                })
        }
    }

    private func putBack(
        _ stores: ArraySlice<String>, from loop: String,
        _ done: @escaping @Sendable (isolated RecordingSession) -> Void
    ) {
        guard let name = stores.first else { return done(self) }
        let rest = stores.dropFirst()
        let next: @Sendable () -> Void = { [weak self] in self?.post { $0.putBack(rest, from: loop, done) } }
        guard let store = store(name) else { return next() }
        store.putBack(from: loop, next)
    }

    /// The link has ended the loop, maybe before the states were put back.
    func endLoop(isLocked: Bool) {
        let id = loop?.id
        if let id { pushes.removeAll { $0.push.id == id } }
        (loop, replayed) = (nil, nil)
        stores.withLock { $0.lock = isLocked ? .queue : nil }
        for store in attached { store.endLoop(id, isLocked: isLocked) }
    }
}
