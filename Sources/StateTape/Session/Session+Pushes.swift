import Dispatch
import TapeFormat

// Pushes wait for their store and are played one at a time: on the recorder's thread.
extension Session {
    func answer(_ answer: PushAnswer, seq: Int) {
        feed(
            .pushed(
                Pushed(id: answer.id, result: .played(seq: seq, filled: answer.filled, ignored: answer.ignored))))
    }

    func fail(_ id: String, _ failure: Pushed.Failure) {
        log("A push could not be played: \(failure.message)\(failure.path.map { ", at “\($0)”" } ?? "")")
        feed(.pushed(Pushed(id: id, result: .failed(failure))))
    }

    func take(_ push: Push) {
        guard stores.withLock({ $0[push.store]?.store }) != nil else {
            let message = "the app has no store “\(push.store)”"
            return fail(push.id, Pushed.Failure(code: "unknown-store", message: message))
        }
        if pushes.count >= Self.maxPushes { fail(pushes.removeFirst().push.id, .expired) }
        let wait = Duration.milliseconds(push.expires ?? 5_000)
        pushes.append(WaitingPush(push: push, deadline: now + wait))
        // It may have to wait for its store to be connected, or for the app to come to it.
        after(wait) { $0.playNext() }
        playNext()
    }

    /// One at a time and in order; those whose store isn't connected yet wait.
    func playNext() {
        let now = now
        let late = pushes.filter { $0.deadline.map { $0 <= now } ?? false }
        pushes.removeAll { $0.deadline.map { $0 <= now } ?? false }
        for waiting in late { fail(waiting.push.id, .expired) }
        guard !isPlaying else { return }
        let ready = pushes.firstIndex { waiting in
            stores.withLock { $0[waiting.push.store]?.store }?.isConnected ?? false
        }
        guard let ready else { return }
        let waiting = pushes.remove(at: ready)
        guard let store = stores.withLock({ $0[waiting.push.store]?.store }) else { return playNext() }
        isPlaying = true
        store.play(waiting, in: self) { [weak self] in
            guard let self else { return }
            queue.async { [self] in
                isPlaying = false
                playNext()
            }
        }
    }
}
