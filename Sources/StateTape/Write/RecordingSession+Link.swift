import Dispatch
import TapeFormat
import TapeUplink

// Carries out the link's actions, on the recorder's thread.
extension RecordingSession {
    /// The longest line that may be written.
    var maxLine: Int { lineLimit.bytes }

    var lineLimit: LineLimit { LineLimit(server: link.state.maxMessage) }

    func feed(_ input: LinkState.Input) {
        guard address != nil, !isStopped else { return }
        // The header comes next.
        if case .transport(.opened) = input { completeHeader() }
        // Deletes the events that the server has from disk.
        if link.feed(input, { perform($0) }) { spool?.release(below: link.state.outbox.first) }
    }

    private func perform(_ action: LinkState.Action) {
        switch action {
        case .segmentEnded: endSegment()
        case .gaveUp: link.state.outbox.line(at: link.state.outbox.first).map { spool?.give(up: $0) }
        case .settled(let start):
            // Later, because the app may be waiting for its launch state.
            if link.state.phase == .live { after(.zero) { $0.recover() } }
            welcomed()
            pushes += starts.settle(start)
            playNext()
        case .play(let push): take(push)
        case .replay(let replay): take(replay)
        case .loop(let loop): begin(loop)
        case .stopLoop(let id): fail(id, .stopped)
        case .endLoop(let isLocked): endLoop(isLocked: isLocked)
        case .endReplay(let id, let failure): stopReplay(id, failure)
        case .record(let isOn): isOn ? resume() : pause()
        case .lock:
            let kind = link.state.lock
            stores.withLock { $0.lock = kind }
            for store in attached { store.lock(kind) }
        case .unlock(let discards, let keeps):
            stores.withLock { $0.lock = nil }
            for store in attached { store.unlock(discards: discards, keeps: keeps) }
        case .dropPushes:
            let dropped = pushes.filter { $0.deadline != nil || $0.isReplay }
            pushes.removeAll { $0.deadline != nil || $0.isReplay }
            replayed = nil
            for waiting in dropped { feed(.dropped(waiting.push.id)) }
        case .full(let store): writeFull(store)
        case .newSession: beginAgain()
        case .otherArchive: beginElsewhere()
        case .acknowledged:
            if isEnded { closeSpool(remove: true) }
            tellEnd(hasAll: true)
        case .stopped:
            closeSpool(remove: link.state.stoppedBy == CloseCode.deleted.rawValue)
            isStopped = file == nil
            tellEnd(hasAll: false)
            if file == nil { closeCaptures() }
        case .log(let message): log(message)
        case .report(let status): report(status)
        case .connect, .send, .disconnect, .compress, .wait: break
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
        for store in attached { store.resume(in: self) }
    }

    /// Reaches the server. The transport stays for the later connections.
    var route: Link.Route {
        Link.Route(
            later: { [thread] in thread.later($0, $1) }, now: { [origin] in ContinuousClock.now - origin },
            connect: { [weak self] hear in
                guard let self else { throw CancellationError() }
                let hear = thread.back(hear)
                return try here { try $0.connect(hear) }
            })
    }

    private func connect(_ hear: @escaping @Sendable (TransportEvent) -> Void) throws -> TransportConnection {
        guard let address else { throw CancellationError() }
        let transport = try transport ?? makeTransport()
        self.transport = transport
        return transport.connect(to: address, hear: hear)
    }

    /// Takes a new name. The server has more events of this session than were made, so the session is another app's.
    private func beginAgain() {
        let fresh = makeIdentity()
        link.state.begin(header: typed(fresh.header), key: fresh.key)
        spool?.identify(as: link.state.sessionIdentity)
    }

    /// Notes on disk which archive the session is recorded for.
    private func welcomed() {
        guard link.state.phase == .live, let address else { return }
        link.state.sessionIdentity.server.address = address.key
        spool?.identify(as: link.state.sessionIdentity)
    }

    /// Takes a new name for the server that answers now, and keeps for the earlier one what it lacks.
    private func beginElsewhere() {
        guard let address else { return }
        recovery?.stop()
        recovery = nil
        let (earlier, unsent) = (link.state.sessionIdentity, Array(link.state.outbox.all))
        let fresh = makeIdentity()
        let isKept = unsent.isEmpty || keep(unsent, for: earlier, as: fresh.header.session)
        var server = SessionServer(address)
        // The address may name the archive that no longer answers there.
        (server.archive, server.isPrivate) = (nil, false)
        link.state.begin(
            header: typed(fresh.header), key: fresh.key, for: server, givesUp: earlier.server.isPrivate)
        spool?.identify(as: link.state.sessionIdentity)
        if earlier.server.isPrivate, let gap = link.state.outbox.all.first {
            spool?.give(up: gap, fromNewSegment: true)
            for store in attached { store.writeFullNext(in: self) }
        }
        let rest =
            unsent.isEmpty ? "" : " What the earlier server lacks " + (isKept ? "is kept for it." : "is lost.")
        log("A different server answers at \(address.server) now: the recording continues there.\(rest)")
    }

    func tellEnd(hasAll: Bool) {
        for done in onEnd { done(hasAll) }
        onEnd = []
    }
}
