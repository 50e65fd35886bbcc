import Foundation
import TapeFormat

/// Delivers the sessions of dead processes one at a time, the oldest first, on the recorder's thread.
final class Recovery {
    /// What the recorder provides.
    struct Host {
        let token: String?
        let compresses: Bool
        let connect: (@escaping @Sendable (TransportEvent) -> Void) -> (any TransportConnection)?
        /// Runs a closure later on the recorder's thread.
        let after: (Duration, @escaping (Recovery) -> Void) -> Void
        /// Runs a closure on the recorder's thread, from any thread.
        let enqueue: @Sendable (@escaping @Sendable (Recovery) -> Void) -> Void
        let now: () -> Duration
    }

    private let spool: SpoolFolder
    private let host: Host
    /// Sessions that were tried, with whatever result.
    private var tried: Set<String> = []
    private var tape: OrphanedTape?
    private var link: LinkState?
    private var isSealed = false
    private var connection: (any TransportConnection)?
    /// The number of the current connection; events of earlier ones are ignored.
    private var attempt = 0
    private var timers: [LinkState.Timer: Int] = [:]
    /// The inputs of the links, each with the number of its session, and how many of them are handled.
    private var inputs: [(session: Int, input: LinkState.Input)] = []
    private var told = 0
    /// How often the server has closed the link because of an error of its own.
    private var failures = 0
    private static let maxFailures = 5

    init(_ spool: SpoolFolder, _ host: Host) {
        self.spool = spool
        self.host = host
    }

    /// Starts the next session, if there is one.
    func next() {
        guard tape == nil, let folder = spool.left(except: tried) else { return }
        tried.insert(folder.place.lastPathComponent)
        do {
            let sessionIdentity = try folder.sessionIdentity(token: host.token)
            var link = LinkState(
                sessionIdentity: sessionIdentity, bounds: .unlimited, launched: .zero, isRecovered: true,
                compresses: host.compresses)
            var tape = OrphanedTape(folder)
            // `hello` needs the first line's number.
            for line in tape.nextLines() ?? [] { _ = link.handle(.event(line), at: host.now()) }
            self.tape = tape
            self.link = link
            isSealed = false
            failures = 0
            feed(.connect)
        } catch {
            spool.setAside(folder.place, because: "\(error)")
            next()
        }
    }

    func stop() {
        attempt += 1
        connection?.close(code: CloseCode.normal.rawValue, reason: "")
        connection = nil
        tape = nil
        link = nil
    }

    func hear(_ event: TransportEvent) {
        if case .closed(code: 1011, _) = event {
            failures += 1
            if failures == Self.maxFailures { return giveUp() }
        }
        feed(.transport(event))
    }

    /// Skips a session that the server failed to store several times. The next launch tries it again.
    private func giveUp() {
        if let tape { spool.log("The server can't store the session \(tape.folder.place.lastPathComponent) now.") }
        stop()
        next()
    }

    private func feed(_ input: LinkState.Input) {
        inputs.append((tried.count, input))
        // One input at a time: those that arrive while actions are carried out follow.
        guard inputs.count == 1 else { return }
        while told < inputs.count {
            let (session, input) = inputs[told]
            told += 1
            guard session == tried.count else { continue }
            for action in link?.handle(input, at: host.now()) ?? [] { perform(action) }
        }
        (inputs, told) = ([], 0)
    }

    private func perform(_ action: LinkState.Action) {
        switch action {
        case .connect:
            attempt += 1
            let attempt = attempt
            connection = host.connect { [enqueue = host.enqueue] event in
                enqueue { recovery in
                    if attempt == recovery.attempt { recovery.hear(event) }
                }
            }
        case .send(let message): connection?.send(message)
        case .disconnect(let code, let reason):
            attempt += 1
            connection?.close(code: code, reason: reason)
            connection = nil
        case .wait(let timer, let delay):
            let number = timers[timer, default: 0] + 1
            timers[timer] = number
            host.after(delay) { recovery in
                if recovery.timers[timer] == number { recovery.feed(.timer(timer)) }
            }
        case .acknowledged: goOn()
        case .stopped: abandon()
        case .log(let message): spool.log("An earlier session: \(message)")
        case .settled, .play, .replay, .endReplay, .record, .lock, .unlock, .dropPushes, .full, .newSession,
            .segmentEnded, .gaveUp:
            break
        case .compress: connection = connection.map { CompressedConnection($0) }
        }
    }

    /// Sends the next lines, because the server has acknowledged all earlier ones.
    private func goOn() {
        guard var tape, let link, told == inputs.count else { return }
        while let lines = tape.nextLines() {
            // The server may have more lines than were written to disk.
            let wanted = lines.filter { $0.seq >= link.outbox.next }
            guard !wanted.isEmpty else { continue }
            self.tape = tape
            return send(wanted)
        }
        self.tape = tape
        let ending = isSealed || tape.isEnded ? [] : ending(of: tape, from: link.outbox.next)
        guard !ending.isEmpty else { return finish() }
        isSealed = true
        send(ending)
    }

    private func send(_ lines: [EventLine]) {
        for line in lines { feed(.event(line, isLast: line.seq == lines.last?.seq)) }
    }

    /// The lines of actions that never got one, and the `end`.
    private func ending(of tape: OrphanedTape, from first: Int) -> [EventLine] {
        let pending = tape.pending()
        var time = tape.lastTime
        var lines = pending.enumerated().map { index, left in
            time = max(time, left.at.milliseconds)
            return left.line(seq: first + index)
        }
        let reason = pending.contains { !$0.isReduced } ? "crashed" : "interrupted"
        lines.append(EventLine(seq: first + lines.count, at: time, kind: .end, members: [("reason", .string(reason))]))
        do {
            try tape.seal(lines, tickets: pending.map(\.ticket) + [0])
        } catch {
            // If this process dies as well, the lines may be sent once more.
            spool.log("The end of an earlier session can't be recorded: \(error)")
        }
        return lines
    }

    /// Deletes the session, because the server has all of it.
    private func finish() {
        guard let tape else { return }
        let folder = tape.folder
        for item in tape.damaged {
            spool.setAside(
                item, as: "\(folder.place.lastPathComponent)-\(item.lastPathComponent)", because: "it is damaged")
        }
        if !folder.remove() { spool.log("The folder \(folder.place.path) was not deleted: it holds other files.") }
        spool.log("Session \(folder.place.lastPathComponent) of an earlier launch was delivered to the server.")
        stop()
        next()
    }

    /// Gives up a session that the server refuses.
    private func abandon() {
        guard let tape, let link else { return }
        let folder = tape.folder
        stop()
        switch link.stoppedBy.flatMap(CloseCode.init(rawValue:)) {
        case .deleted: folder.remove()
        // These hold for all sessions now, and may not at the next launch.
        case .notAuthorised, .version, nil: return
        default: spool.setAside(folder.place, because: "the server refused it")
        }
        next()
    }
}

extension PendingActions.Left {
    /// The action's event line.
    fileprivate func line(seq: Int) -> EventLine {
        var members: [(String, JSON)] = [("action", action), (isReduced ? "skipped" : "unfinished", true)]
        if let caller { members.append(("caller", .string(caller))) }
        return EventLine(seq: seq, at: at.milliseconds, kind: .action, store: store, members: members)
    }
}

extension Outbox.Bounds {
    /// Recovery reads one segment at a time, and the disk's bound applies.
    static let unlimited = Outbox.Bounds(count: .max, bytes: .max)
}
