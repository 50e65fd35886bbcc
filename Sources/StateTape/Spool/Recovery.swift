import Foundation
import TapeFormat

/// Delivers what the sessions of dead processes left, one after the other, the oldest first. On the recorder's thread.
final class Recovery {
    /// What the recorder lends for it.
    struct Host {
        let token: String?
        let compresses: Bool
        let connect: (@escaping @Sendable (TransportEvent) -> Void) -> (any TransportConnection)?
        /// Runs something later on the recorder's thread.
        let after: (Duration, @escaping (Recovery) -> Void) -> Void
        /// Runs something on the recorder's thread, from any.
        let enqueue: @Sendable (@escaping @Sendable (Recovery) -> Void) -> Void
        let now: () -> Duration
    }

    private let spool: SpoolFolder
    private let host: Host
    /// Sessions that were tried, whatever came of it.
    private var tried: Set<String> = []
    private var tape: OrphanedTape?
    private var link: LinkState?
    private var isSealed = false
    private var connection: (any TransportConnection)?
    /// Which connection is heard.
    private var attempt = 0
    private var timers: [LinkState.Timer: Int] = [:]
    /// What the links are told, each with the number of its session, and how much of it they were.
    private var inputs: [(session: Int, input: LinkState.Input)] = []
    private var told = 0
    /// How often the server has closed the link because of a fault of its own.
    private var failures = 0
    private static let maxFailures = 5

    init(_ spool: SpoolFolder, _ host: Host) {
        self.spool = spool
        self.host = host
    }

    /// Goes on with the next session, if there is one.
    func next() {
        guard tape == nil, let folder = spool.left(except: tried) else { return }
        tried.insert(folder.place.lastPathComponent)
        do {
            let sessionIdentity = try folder.sessionIdentity(token: host.token)
            var link = LinkState(
                sessionIdentity: sessionIdentity, bounds: .unlimited, launched: .zero, isRecovered: true,
                compresses: host.compresses)
            var tape = OrphanedTape(folder)
            // `hello` tells where they begin.
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

    /// The server has failed at this session again and again: the others have their turn, and this one the next launch.
    private func giveUp() {
        if let tape { spool.log("The server can't store the session \(tape.folder.place.lastPathComponent) now.") }
        stop()
        next()
    }

    private func feed(_ input: LinkState.Input) {
        inputs.append((tried.count, input))
        // One at a time: what happens while orders are carried out comes after them.
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

    /// The server has everything that it was sent.
    private func goOn() {
        guard var tape, let link, told == inputs.count else { return }
        while let lines = tape.nextLines() {
            // The server may have more than was written down.
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

    /// The actions that never came to a line, and the `end`.
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
            // Should this process die as well, they may be sent once more.
            spool.log("The end of an earlier session can't be recorded: \(error)")
        }
        return lines
    }

    /// The server has all of the session.
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

    /// The server will not take the session.
    private func abandon() {
        guard let tape, let link else { return }
        let folder = tape.folder
        stop()
        switch link.stoppedBy.flatMap(CloseCode.init(rawValue:)) {
        case .deleted: folder.remove()
        // It may be otherwise at the next launch, and is so for all of them now.
        case .notAuthorised, .version, nil: return
        default: spool.setAside(folder.place, because: "the server refused it")
        }
        next()
    }
}

extension PendingActions.Left {
    /// The event of the action.
    fileprivate func line(seq: Int) -> EventLine {
        var members: [(String, JSON)] = [("action", action), (isReduced ? "skipped" : "unfinished", true)]
        if let caller { members.append(("caller", .string(caller))) }
        return EventLine(seq: seq, at: at.milliseconds, kind: .action, store: store, members: members)
    }
}

extension Outbox.Bounds {
    /// What is recovered comes a segment at a time, and is bounded on the disk.
    static let unlimited = Outbox.Bounds(count: .max, bytes: .max)
}
