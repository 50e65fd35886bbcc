import Dispatch
import StateCapture
import TapeFormat
import TapeUplink

// Queues pushes for their stores and plays them one at a time, on the recorder's thread.
extension RecordingSession {
    /// Queues a recorded action behind the earlier ones, or notes that the replay has no more.
    func take(_ replay: Replay) {
        if replayed?.id == replay.id, replayed?.failure != nil { return }
        if let loop, loop.id == replay.id, loop.isEnding { return }
        if let action = replay.action {
            guard pushes.count(where: { $0.of != nil }) < Self.maxReplays else {
                let message = "more than \(Self.maxReplays) recorded actions wait for the app"
                return fail(replay.id, Pushed.Failure(code: .unsupported, message: message))
            }
            let loop = loop.flatMap { $0.id == replay.id ? $0 : nil }
            if let loop, !loop.stores.contains(replay.store) {
                let message = "the action of event \(replay.of ?? 0): the app has no store “\(replay.store)”"
                return fail(replay.id, Pushed.Failure(code: .unknownStore, message: message))
            }
            let push = Push(id: replay.id, store: replay.store, content: .action(action))
            pushes.append(WaitingPush(push: push, of: replay.of, isAnswered: false, loop: loop))
        } else {
            replayed = ReplayEnd(id: replay.id)
        }
        playNext()
    }

    /// Answers for a replay once its dispatched actions are on the tape.
    func endReplay() {
        guard let id = replayed?.id, !isPlaying, !pushes.contains(where: { $0.push.id == id }) else { return }
        // The events of its last action are written first.
        submit(
            Job { session in
                guard session.replayed?.id == id, !session.attached.contains(where: { $0.expects(id, in: session) })
                else { return }
                let failure = session.replayed?.failure
                session.replayed = nil
                if let loop = session.loop, loop.id == id { return session.end(loop, failure) }
                session.answer(id, failure)
            })
    }

    /// Stops a replay now, whatever its dispatched actions do.
    func stopReplay(_ id: String, _ failure: Pushed.Failure) {
        fail(id, failure)
        replayed = nil
        answer(id, redactor.readable(failure))
    }

    /// Answers if the push has an event: after a failure, it is answered already.
    func answer(_ answer: PushAnswer?) {
        guard let answer, let seq = answer.seq.value(in: self) else { return }
        feed(.pushed(Pushed(id: answer.id, result: .played(seq: seq, answer.adjustments))))
    }

    /// Answers with a failure, after the events that came before it. After a failure, the rest of a replay is not
    /// played.
    func fail(_ id: String, _ failure: Pushed.Failure) {
        let failure = redactor.readable(failure)
        let reason = failure.message + (failure.path.map { ", at “\($0)”" } ?? "")
        if starts.isStart(id) {
            note(
                "The app could not launch as the server asked: \(reason)", level: "warning",
                cause: ["push": .string(id)])
        } else {
            log("The app couldn't carry out a push: \(reason)")
        }
        pushes.removeAll { $0.push.id == id && $0.isReplay }
        if link.state.replay == id {
            if replayed?.failure == nil { replayed = ReplayEnd(id: id, failure: failure) }
            endReplay()
            // A closure of the app may not return.
            after(unlockLimit) { session in
                if session.replayed?.id == id { session.stopReplay(id, failure) }
            }
        } else {
            submit(Job { $0.answer(id, failure) })
        }
    }

    /// - Parameter failure: Nil if the replay has reached its end.
    func answer(_ id: String, _ failure: Pushed.Failure?) {
        guard let failure else { return feed(.pushed(Pushed(id: id, result: .played(seq: next - 1)))) }
        feed(.pushed(Pushed(id: id, result: .failed(failure), next: next)))
    }

    func take(_ push: Push) {
        guard store(push.store) != nil else {
            let message = "the app has no store “\(push.store)”"
            return fail(push.id, Pushed.Failure(code: .unknownStore, message: message))
        }
        if pushes.count >= Self.maxPushes { fail(pushes.removeFirst().push.id, .expired) }
        let wait = Duration.milliseconds(min(push.expires ?? 5_000, Self.longestWait))
        pushes.append(WaitingPush(push: push, deadline: now + wait))
        // The store may not be connected yet, or the app may be busy.
        after(wait) { $0.playNext() }
        playNext()
    }

    /// Plays one push at a time, in order. A push whose store isn't connected yet waits, and so does the rest of its
    /// replay.
    func playNext() {
        let now = now
        let late = pushes.filter { $0.deadline.map { $0 <= now } ?? false }
        pushes.removeAll { $0.deadline.map { $0 <= now } ?? false }
        for waiting in late { fail(waiting.push.id, .expired) }
        if let lost = pushes.first(where: { $0.loop != nil && store($0.push.store) == nil }) { failWithoutStore(lost) }
        guard !isPlaying else { return }
        var isReplayWaiting = false
        let ready = pushes.firstIndex { waiting in
            if store(waiting.push.store)?.isReady ?? false, !isReplayWaiting || !waiting.isReplay { return true }
            isReplayWaiting = isReplayWaiting || waiting.isReplay
            return false
        }
        guard let ready else { return endReplay() }
        let waiting = pushes.remove(at: ready)
        guard let store = store(waiting.push.store) else {
            failWithoutStore(waiting)
            return playNext()
        }
        isPlaying = true
        thread.stack.run {
            store.play(waiting, in: self) { [weak self] in
                self?.post { session in
                    session.isPlaying = false
                    session.playNext()
                }
            }
        }
    }

    private func failWithoutStore(_ waiting: WaitingPush) {
        let failure = Pushed.Failure.gone(waiting.push.store)
        fail(waiting.push.id, waiting.of.map(failure.replaying) ?? failure)
    }
}
