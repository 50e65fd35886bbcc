import Dispatch
import TapeFormat

// Carries out the link's actions, on the recorder's thread.
extension RecordingSession {
    /// Passes an input to the link. An input that arrives while the link's actions are carried out waits for them: its
    /// line must not be sent before the lines that the link has just sent.
    func feed(_ input: LinkState.Input) {
        guard address != nil, !isStopped else { return }
        inputs.append(input)
        guard inputs.count == 1 else { return }
        var index = 0
        while index < inputs.count, !isStopped {
            for action in link.state.handle(inputs[index], at: now) { perform(action) }
            spool?.release(below: link.state.outbox.first)
            index += 1
        }
        inputs = []
    }

    func perform(_ action: LinkState.Action) {
        switch action {
        case .connect: connect()
        case .send(let message): connection?.send(message)
        case .disconnect(let code, let reason):
            attempt += 1
            connection?.close(code: code, reason: reason)
            connection = nil
        case .wait(let timer, let delay):
            let number = timers[timer, default: 0] + 1
            timers[timer] = number
            after(delay) { session in
                if session.timers[timer] == number { session.feed(.timer(timer)) }
            }
        case .segmentEnded: endSegment()
        case .gaveUp: link.state.outbox.line(at: link.state.outbox.first).map { spool?.give(up: $0) }
        case .settled(let start):
            // Later, because the app may be waiting for its launch state.
            if link.state.phase == .live { queue.async { [weak self] in self?.recover() } }
            pushes += starts.settle(start)
            playNext()
        case .play(let push): take(push)
        case .replay(let replay): take(replay)
        case .endReplay(let id, let failure): fail(id, failure)
        case .record(let isOn): isOn ? resume() : pause()
        case .lock:
            let isReplaying = link.state.isReplaying
            stores.withLock { ($0.isLocked, $0.isReplaying) = (true, isReplaying) }
            for store in attached { store.lock(isReplaying: isReplaying) }
        case .unlock(let discards):
            stores.withLock { $0.isLocked = false }
            for store in attached { store.unlock(discards: discards) }
        case .dropPushes:
            let dropped = pushes.filter { $0.deadline != nil || $0.of != nil }
            pushes.removeAll { $0.deadline != nil || $0.of != nil }
            replayed = nil
            for waiting in dropped { feed(.dropped(waiting.push.id)) }
        case .full(let store): writeFull(store)
        case .newSession: beginAgain()
        case .compress: connection = connection.map { CompressedConnection($0) }
        case .acknowledged:
            if isEnded { closeSpool(remove: true) }
            tellEnd(hasAll: true)
        case .stopped:
            closeSpool(remove: link.state.stoppedBy == CloseCode.deleted.rawValue)
            isStopped = file == nil
            connection = nil
            tellEnd(hasAll: false)
            if file == nil { _ = captures.withLock { $0.close() } }
        case .log(let message): log(message)
        }
    }

    private func pause() {
        isPaused = true
        stores.withLock { $0.isPaused = true }
        for store in attached { store.pause() }
    }

    private func resume() {
        // The events before it still belong to the pause.
        drain(all: true)
        isPaused = false
        stores.withLock { $0.isPaused = false }
        for store in attached { store.resume() }
    }

    func connect() {
        guard let address else { return }
        attempt += 1
        let attempt = attempt
        do {
            let transport = try transport ?? makeTransport()
            self.transport = transport
            connection = transport.connect(to: address) { [weak self] event in
                guard let self else { return }
                queue.async { [self] in
                    if attempt == self.attempt { feed(.transport(event)) }
                }
            }
        } catch {
            feed(.transport(.closed(code: nil, reason: String(describing: error))))
        }
    }

    /// Takes a new name. The server has more events of this session than were made, so the session is another app's.
    func beginAgain() {
        let sessionIdentity = makeIdentity()
        link.state.begin(header: sessionIdentity.header, key: sessionIdentity.key)
        spool?.rename(to: sessionIdentity)
    }

    func tellEnd(hasAll: Bool) {
        for done in onEnd { done(hasAll) }
        onEnd = []
    }
}
