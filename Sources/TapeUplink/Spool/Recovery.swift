import Foundation
import TapeFormat

/// Delivers the sessions of dead processes that were recorded for the connected server, one at a time, the oldest first,
/// on the recorder's thread.
package final class Recovery {
    private let spool: SpoolFolder
    private let server: SessionServer
    private let token: String?
    private let compresses: Bool
    private let route: Link.Route
    /// Sessions that were tried, with whatever result.
    private var tried: Set<String> = []
    private var tape: OrphanedTape?
    private var link: Link?
    private var isSealed = false

    package init(_ spool: SpoolFolder, for server: SessionServer, token: String?, compresses: Bool, _ route: Link.Route)
    {
        self.spool = spool
        self.server = server
        self.token = token
        self.compresses = compresses
        self.route = route
    }

    /// Starts the next session, if there is one.
    package func next() {
        guard tape == nil else { return }
        guard let folder = spool.left(except: tried, for: server) else { return tellWaiting() }
        tried.insert(folder.place.lastPathComponent)
        do {
            var identity = try folder.sessionIdentity(token: token)
            if identity.server.address == nil {
                spool.log(
                    "Session \(identity.header.session) was recorded by an older version, which did not note its server. "
                        + "It goes to \(server.name).")
            }
            // A server that is replaced before the connection is made refuses it.
            identity.server.archive = server.archive
            var state = LinkState(
                sessionIdentity: identity, bounds: .unlimited, launched: .zero, isRecovered: true,
                compresses: compresses)
            var tape = OrphanedTape(folder)
            // `hello` needs the first line's number.
            for line in tape.nextLines() ?? [] { _ = state.handle(.event(line), at: route.now()) }
            let link = Link(state, route)
            link.arrived = { [weak self] in self?.feed($0) }
            (self.tape, self.link, isSealed) = (tape, link, false)
            feed(.connect)
        } catch {
            spool.setAside(folder.place, because: "\(error)")
            next()
        }
    }

    /// Says which sessions stay here, unless an earlier launch with this server has.
    private func tellWaiting() {
        let waiting = spool.waiting(except: tried, besides: server)
        guard !waiting.isEmpty else { return spool.forgetTold() }
        let count = waiting.reduce(0) { $0 + $1.count }
        // The address may have had another data folder or database when the session was recorded.
        let servers = waiting.map { $0.server == server.name ? "an earlier archive at \($0.server)" : $0.server }
        let counted = zip(waiting, servers).map { "\($0.count) for \($1)" }.joined(separator: ", ")
        let subject =
            switch (count, servers.count) {
            case (1, _): "1 earlier session waits on this machine for \(servers[0]). It is"
            case (_, 1): "\(count) earlier sessions wait on this machine for \(servers[0]). They are"
            default: "\(count) earlier sessions wait on this machine, \(counted). They are"
            }
        spool.logNew(
            "\(subject) sent when the app connects there, and kept for at most 30 days. You need not do anything.",
            for: server)
    }

    package func stop() {
        link?.close()
        link = nil
        tape = nil
    }

    private func feed(_ input: LinkState.Input) {
        guard let link, link.feed(input, { perform($0) }) else { return }
        if self.link === link, link.state.phase == .live, link.state.outbox.isEmpty { goOn() }
    }

    private func perform(_ action: LinkState.Action) {
        switch action {
        case .settled: noteServer()
        case .stopped: abandon()
        case .log(let message): spool.log("An earlier session: \(message)")
        // The app's own session says that it is connected.
        case .report(.connected): break
        case .report(let status): spool.log("An earlier session: \(status)")
        default: break
        }
    }

    /// From its first welcome on, the session belongs to this archive, which has a part of it.
    private func noteServer() {
        guard let tape, let link, link.state.phase == .live else { return }
        try? tape.folder.identify(as: link.state.sessionIdentity)
    }

    /// Sends the next lines, because the server has acknowledged all earlier ones.
    private func goOn() {
        guard var tape, let link else { return }
        while let lines = tape.nextLines() {
            // The server may have more lines than were written to disk.
            let wanted = lines.filter { $0.seq >= link.state.outbox.next }
            guard !wanted.isEmpty else { continue }
            self.tape = tape
            return send(wanted)
        }
        self.tape = tape
        let ending = isSealed || tape.isEnded ? [] : ending(of: tape, from: link.state.outbox.next)
        guard !ending.isEmpty else { return finish() }
        isSealed = true
        send(ending)
    }

    private func send(_ lines: [EventLine]) {
        for line in lines { feed(.event(line, isLast: line.seq == lines.last?.seq)) }
    }

    /// The lines of actions that never got one, and the `end`.
    private func ending(of last: OrphanedTape, from first: Int) -> [EventLine] {
        var tape = last
        let pending = tape.pending()
        self.tape = tape
        var (next, time) = (first, tape.lastTime)
        var lines: [(line: EventLine, ticket: UInt64)] = []
        for left in pending {
            time = max(time, left.at.milliseconds)
            let lost = tape.lose(before: left.ticket, at: next)
            if lost > 0 { lines.append((Outbox.gap(from: next, through: next + lost - 1, at: time, .damaged), 0)) }
            lines.append((left.line(seq: next + lost, at: time), left.ticket))
            next += lost + 1
        }
        self.tape = tape
        let reason = pending.contains { !$0.isReduced } ? "crashed" : "interrupted"
        lines.append((EventLine(seq: next, at: time, kind: .end, members: [("reason", .string(reason))]), 0))
        do {
            try tape.seal(lines.map(\.line), tickets: lines.map(\.ticket))
        } catch {
            // If this process dies as well, the lines may be sent once more.
            spool.log("The end of an earlier session can't be recorded: \(error)")
        }
        return lines.map(\.line)
    }

    /// Deletes the session, because the server has all of it.
    private func finish() {
        guard let tape else { return }
        let folder = tape.folder
        // The copy for an archive that no longer answers has a folder of another name.
        let name = folder.identity?.header.session ?? folder.place.lastPathComponent
        for item in tape.damaged {
            spool.setAside(
                item, as: "\(folder.place.lastPathComponent)-\(item.lastPathComponent)", because: "it is damaged")
        }
        if let loss = tape.loss { spool.log("Session \(name) is incomplete: \(loss).") }
        if !folder.remove() { spool.log("The folder \(folder.place.path) was not deleted: it holds other files.") }
        spool.log("Delivered the last events of session \(name).")
        stop()
        next()
    }

    /// Gives up a session that the server refuses.
    private func abandon() {
        guard let tape, let link else { return }
        let folder = tape.folder
        stop()
        switch link.state.stoppedBy.flatMap(CloseCode.init(rawValue:)) {
        case .deleted: folder.remove()
        // It waits until its own server answers.
        case .otherArchive: break
        // The next launch tries it again.
        case .serverFailed: spool.log("The server can't store the session \(folder.place.lastPathComponent) now.")
        // These hold for all sessions now, and may not at the next launch.
        case .notAuthorised, .version, nil: return
        default: spool.setAside(folder.place, because: "the server refused it")
        }
        next()
    }
}

extension PendingActions.Left {
    /// The action's event line.
    fileprivate func line(seq: Int, at time: Double) -> EventLine {
        var members: [(String, JSON)] = [("action", action), (isReduced ? "skipped" : "unfinished", true)]
        if let error { members.append(("error", .string(error))) }
        if let caller { members.append(("caller", .string(caller))) }
        return EventLine(seq: seq, at: time, kind: .action, store: store, members: members)
    }
}

extension Outbox.Bounds {
    /// Recovery reads one segment at a time, and the disk's bound applies.
    static let unlimited = Outbox.Bounds(count: .max, bytes: .max)
}
