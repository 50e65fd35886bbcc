import DispatchContext
import Foundation
import StateCapture
import TapeFormat
import TapeUplink

// Numbers and writes events, on the recorder's thread.
extension RecordingSession {
    /// Writes the pending events, for a short time per turn: in between, the link gets its turn, however busy the app
    /// is.
    func drain(all: Bool = false) {
        thread.stack.run { drainHere(all: all) }
    }

    private func drainHere(all: Bool) {
        let began = now
        gathering = Gathering(since: began)
        defer { sendGathered() }
        repeat {
            // Release each pending event as soon as it is written: while it lives, the app's next change copies the
            // storage that they share.
            while let event = backlog.popLast() {
                event.write(to: self)
                if !all, now - began > Self.turn { return post { $0.drain() } }
            }
            guard let (dropped, events) = captures.withLock({ $0.take() }) else { return comeBack() }
            if dropped > 0 { writeGap(dropped) }
            backlog = events.reversed()
        } while true
    }

    private func sendGathered() {
        let bytes = gathering?.bytes ?? 0
        gathering = nil
        if bytes > 0, address != nil { feed(.due) }
    }

    /// Whether a line may wait, to be sent with the next ones.
    private func isGathered(_ line: EventLine) -> Bool {
        guard let bytes = gathering?.bytes, let since = gathering?.since else { return false }
        let now = now
        guard now - since < Self.gather, bytes + line.bytes.count < LinkState.batch else {
            gathering = Gathering(since: now)
            return false
        }
        gathering?.bytes += line.bytes.count
        return true
    }

    /// Looks for events again after a pause if the app is busy.
    func comeBack() {
        guard !isComing, let pause = captures.withLock({ $0.pause }) else { return }
        isComing = true
        thread.later(pause) { self.here { $0.lookAgain() } }
    }

    private func lookAgain() {
        isComing = false
        guard backlog.isEmpty, captures.withLock({ $0.look() }) else { return drain() }
        for store in attached { store.didBecomeIdle(in: self) }
    }

    /// Makes the next event's line without writing it.
    func line(
        _ kind: EventKind, store: String = "main", at: Duration, members: [(String, EventLine.Content)]
    ) -> EventLine {
        // Threads that dispatch at the same time may come in another order than their clocks say.
        EventLine(seq: next, at: max(at.milliseconds, latest), kind: kind, store: store, members: members)
    }

    /// - Parameter place: The place of the event's action among the pending ones.
    func append(_ line: EventLine, of place: PendingActions.Place? = nil) {
        guard !isEnded, !isStopped else { return }
        completeHeader()
        next = line.seq + 1
        latest = max(latest, line.at.double)
        file?.write(line.bytes)
        // Write to disk before sending: the disk must have every line that the server has.
        spool?.append(line, ticket: place?.ticket ?? 0)
        if let place { pending.free(place) }
        if address != nil { feed(.event(line, isLast: !isGathered(line))) }
    }

    func append(_ kind: EventKind, store: String = "main", at: Duration, members: [(String, JSON)] = []) {
        append(line(kind, store: store, at: at, members: members.map { ($0, .json($1)) }))
    }

    func note(_ text: String, level: String? = nil, cause: JSON? = nil, at: Duration? = nil) {
        var text = redactor.readable(text)
        if level != nil {
            let kind = text.prefix { $0 != ":" }
            let count = warnings[kind, default: 0] + 1
            warnings[kind] = count
            if count > Self.maxWarnings { return }
            if count == Self.maxWarnings { text += " (This is the last such warning.)" }
            log(text)
        }
        if isPaused { return }
        let members = [("text", .string(text)), ("level", level.map(JSON.string)), ("cause", cause)]
        append(.note, at: at ?? now, members: members.compactMap { name, value in value.map { (name, $0) } })
    }

    func writeGap(_ count: Int) {
        append(Outbox.gap(from: next, through: next + count - 1, at: now.milliseconds, .capture))
        for store in attached { store.loseEvents(in: self) }
    }

    /// The member `stack` of the next event.
    func callStack(_ stack: CallStack) -> JSON? {
        guard callStacks?.isFirstNotKept(stack) == true else { return callStacks?.member(of: stack, at: next) }
        note("Actions come from too many places: further call stacks are not recorded", level: "warning")
        return nil
    }

    nonisolated var attached: [any AnyStoreRecorder] {
        stores.withLock { Array($0.byName.values) + $0.leaving.values }.compactMap(\.store)
            .sorted { $0.name < $1.name }
    }

    nonisolated func store(_ name: String) -> (any AnyStoreRecorder)? {
        stores.withLock { $0.byName[name]?.store }
    }

    func writeFull(_ name: String?) {
        // The end of a pause writes every state in full.
        if isPaused { return }
        callStacks?.forget()
        thread.stack.run { for store in attached where name == nil || store.name == name { store.writeFull(to: self) } }
    }
}
