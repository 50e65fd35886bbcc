import SampleTapes
import TapeFormat

@testable import StateTapeServer
@testable import TapeArchive

/// The server's link state machines with an archive that commits late, in a process that crashes.
final class SimulatedServer {
    struct Stored {
        let key: String
        var owner: Int
        var lines: [EventLine] = []
        var next: Int { (lines.last?.seq ?? -1) + 1 }
        var hasEnded: Bool { lines.last?.kind == .end }
    }

    private enum Change {
        case open(Hello)
        case append([EventLine])
    }

    private final class Link {
        let wire: SimulatedWire
        let number: Int
        var machine = AppLinkState { _ in nil }
        var hello: Hello?
        var isLive = false
        var isClosed = false

        init(_ wire: SimulatedWire, _ number: Int) {
            self.wire = wire
            self.number = number
        }
    }

    private unowned let simulation: LinkSimulation
    /// The data that survives a crash.
    private(set) var archive: [String: Stored] = [:]
    /// Seqs that were lost when the archive was restored from a copy, and seqs of another sender.
    private(set) var setBack: Set<Int> = []
    /// The pushes of a connection, by id: whether they were answered.
    private(set) var answers: [String: Bool] = [:]

    private var life = 0
    private var isUp = true
    private var connections = 0
    private var links: [String: Link] = [:]
    private var all: [Link] = []
    private var claims = Claims()
    private var waiting: [(Change, Link)] = []
    private var isCommitting = false
    private var pushes = 0
    /// The last push.
    var lastPush: String? { pushes > 0 ? "p\(pushes)" : nil }

    init(_ simulation: LinkSimulation) { self.simulation = simulation }

    // MARK: Connections

    func accept(_ wire: SimulatedWire) {
        guard isUp else { return wire.lose(at: .app, within: 10, hearsRest: false) }
        connections += 1
        let (link, life) = (Link(wire, connections), life)
        all.append(link)
        wire.receive(at: .server) { [unowned self] item in
            guard life == self.life, !link.isClosed else { return }
            switch item {
            case .opened: break
            case .message(let bytes) where bytes.count > LinkSimulation.longestMessage:
                self.close(link, 1009, "too big")
            case .message(let bytes): self.step(link) { $0.received(bytes) }
            case .closed: self.closed(link)
            }
        }
        simulation.clock.after(.seconds(5)) {
            if life == self.life { self.step(link) { $0.helloIsOverdue() } }
        }
    }

    private func closed(_ link: Link) {
        guard !link.isClosed else { return }
        link.isClosed = true
        link.isLive = false
        link.machine.ended()
        all.removeAll { $0 === link }
        guard let hello = link.hello else { return }
        claims.release(hello.header.session, key: hello.key, owner: "\(link.number)")
        if links[hello.header.session] === link { links[hello.header.session] = nil }
    }

    private func close(_ link: Link, _ code: UInt16, _ reason: String) {
        link.wire.send(.closed(code: code, reason: reason), to: .app)
        closed(link)
    }

    private func send(_ line: ServerLine, _ link: Link) {
        if !link.isClosed { link.wire.send(.message(line.bytes), to: .app) }
    }

    private func step(_ link: Link, _ body: (inout AppLinkState) -> [AppLinkState.Action]) {
        for action in body(&link.machine) { perform(action, link) }
    }

    private func perform(_ action: AppLinkState.Action, _ link: Link) {
        switch action {
        case .open(let hello):
            link.hello = hello
            let isNewest = claims.claim(
                hello.header.session, key: hello.key, attempt: hello.attempt ?? 0, owner: "\(link.number)")
            guard isNewest else { return step(link) { $0.replaced() } }
            add(.open(hello), link)
        case .append(let lines): add(.append(lines), link)
        case .ack(let next): send(.ack(next: next), link)
        case .pushed(let pushed): if answers[pushed.id] != nil { answers[pushed.id] = true }
        case .queued: break
        case .close(let code, let error):
            send(.error(error), link)
            close(link, code.rawValue, error.message)
        }
    }

    // MARK: Commits

    private func add(_ change: Change, _ link: Link) {
        waiting.append((change, link))
        commit()
    }

    private func commit() {
        guard !isCommitting, !waiting.isEmpty else { return }
        isCommitting = true
        let (group, life) = (waiting, life)
        waiting = []
        simulation.clock.after(simulation.chance.milliseconds(1...400)) {
            // A process that crashed in between has stored nothing of it.
            guard life == self.life else { return }
            self.isCommitting = false
            let isFailing = self.simulation.isRough && self.simulation.chance.once(in: 60)
            if isFailing {
                for (_, link) in group { self.close(link, 1011, "the server can't write now") }
            } else {
                let kept = group.map { self.keep($0.0, $0.1) }
                // It may also crash after the commit and before the acknowledgement.
                if self.simulation.isRough, self.simulation.chance.once(in: 80) { return self.die() }
                for ((change, link), isKept) in zip(group, kept) { self.tell(change, link, isKept) }
            }
            self.commit()
        }
    }

    private func keep(_ change: Change, _ link: Link) -> Bool {
        guard let hello = link.hello else { return false }
        let id = hello.header.session
        switch change {
        case .open:
            guard let stored = archive[id] else {
                archive[id] = Stored(key: hello.key, owner: link.number)
                return true
            }
            guard stored.key == hello.key else { return false }
            archive[id]?.owner = link.number
        case .append(let lines):
            guard let stored = archive[id], stored.owner == link.number, stored.next == lines.first?.first else {
                return false
            }
            archive[id]?.lines += lines
        }
        return true
    }

    private func tell(_ change: Change, _ link: Link, _ isKept: Bool) {
        guard !link.isClosed, let hello = link.hello, let stored = archive[hello.header.session] else { return }
        switch change {
        case .open where !isKept: step(link) { $0.refused() }
        case .open:
            let old = links.updateValue(link, forKey: hello.header.session)
            if let old { step(old) { $0.replaced() } }
            link.isLive = true
            let welcome = Welcome(
                session: hello.header.session, have: stored.next, server: "simulated", maxMessage: 1 << 20,
                compress: hello.compress.first)
            send(.welcome(welcome), link)
            step(link) { $0.opened(have: stored.next, ended: stored.hasEnded) }
        case .append where !isKept: step(link) { $0.replaced() }
        case .append(let lines): step(link) { $0.committed(next: (lines.last?.seq ?? -1) + 1) }
        }
    }

    // MARK: Faults

    /// The process crashes, and restarts after a while.
    func die() {
        guard isUp else { return }
        life += 1
        isUp = false
        isCommitting = false
        waiting = []
        links = [:]
        claims = Claims()
        for link in all {
            link.wire.lose(at: .app, within: simulation.chance.once(in: 3) ? 80_000 : 50, hearsRest: true)
        }
        all = []
        simulation.clock.after(simulation.chance.milliseconds(50...20_000)) { self.isUp = true }
    }

    /// Crashes, and restarts with an older copy of the archive.
    func goBack() {
        die()
        for (id, stored) in archive {
            let kept = simulation.chance.below(stored.lines.count + 1)
            for line in stored.lines[kept...] { setBack.formUnion(line.first...line.seq) }
            archive[id]?.lines.removeSubrange(kept...)
        }
    }

    /// Crashes, and restarts with more events of a session than the app has recorded.
    func takeMore(of session: String) {
        die()
        guard let stored = archive[session] else { return }
        let far = stored.next + 1_000_000
        archive[session]?.lines.append(Sample.gap(far, count: far - stored.next + 1))
    }

    /// Pushes to the connected app; sometimes repeats an earlier push.
    func push() {
        guard let link = links.values.first(where: \.isLive) else { return }
        if pushes == 0 || !simulation.chance.once(in: 4) { pushes += 1 }
        let id = "p\(pushes)"
        if answers[id] == nil { answers[id] = false }
        send(.push(Push(id: id, content: .state(["n": 2]))), link)
    }
}
