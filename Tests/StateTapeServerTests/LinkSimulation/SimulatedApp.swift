import SampleTapes
import TapeFormat
import Testing

@testable import StateTape
@testable import TapeUplink

/// The app's link and a recorder that numbers events and applies pushes, like `Session`.
final class SimulatedApp {
    private unowned let simulation: LinkSimulation
    private(set) var link: LinkState
    private let bounds: Outbox.Bounds

    /// Every event, by its seq.
    private(set) var events: [EventLine] = []
    /// The app's sessions; the last one is the current one.
    private(set) var sessions: [String] = []
    /// Seqs that a gap may cover, and the allowed reason.
    private(set) var dropped: Set<Int> = []
    private(set) var refusable: Set<Int> = []
    /// How often each push was applied, and the pushes that were requested.
    private(set) var played: [String: Int] = [:]
    private(set) var acknowledgedAll = false
    private(set) var stops: [String] = []
    private var hasEnded = false

    private var wire: SimulatedWire?
    private var deflater: Deflater?
    private var timers: [LinkState.Timer: Int] = [:]
    private var waiting: [Push] = []
    private var isPlaying = false
    private var outstanding = 0

    init(_ simulation: LinkSimulation, bounds: Outbox.Bounds) {
        self.simulation = simulation
        self.bounds = bounds
        var header = Sample.header()
        header.session = "SESSION-0001"
        sessions = [header.session]
        link = LinkState(
            sessionIdentity: LinkState.SessionIdentity(header: header, key: "key-1"), bounds: bounds,
            launched: .zero,
            compresses: simulation.seed % 2 == 0, spread: { 0.5 })
    }

    func begin() { feed(.connect) }

    /// An action in the app.
    func record(bytes: Int, isBad: Bool = false) {
        guard !hasEnded else { return }
        let text = String(repeating: "x", count: bytes)
        append(.note, [("text", isBad ? .text(Array("\"\(text)".utf8)) : .json(.string(text)))])
        if isBad || bytes > LinkSimulation.longestMessage - 100 { refusable.insert(events.count - 1) }
    }

    func end() {
        append(.end, [])
        hasEnded = true
    }

    func cut() { wire?.cut() }
    func isOn(_ wire: SimulatedWire) -> Bool { self.wire === wire }

    private func append(_ kind: EventKind, _ members: [(String, EventLine.Content)]) {
        guard !hasEnded else { return }
        let line = EventLine(
            seq: events.count, at: Double(events.count), kind: kind, members: members)
        events.append(line)
        feed(.event(line))
    }

    private func feed(_ input: LinkState.Input) {
        let isNew = if case .event = input { true } else { false }
        let first = link.outbox.first
        let actions = link.handle(input, at: simulation.clock.now)
        if isNew, let head = link.outbox.line(at: first), head["reason"]?.string == Outbox.Loss.memory.rawValue {
            dropped.formUnion(head.first...head.seq)
        }
        #expect(link.outbox.count <= bounds.count + 2)
        #expect(link.outbox.bytes <= bounds.bytes + LinkSimulation.longestMessage + 200)
        for action in actions { perform(action) }
    }

    private func perform(_ action: LinkState.Action) {
        switch action {
        case .connect: connect()
        case .send(let message): send(message)
        case .disconnect(let code, let reason):
            wire?.send(.closed(code: code, reason: reason), to: .server)
            wire = nil
            outstanding = 0
        case .wait(let timer, let delay):
            let number = timers[timer, default: 0] + 1
            timers[timer] = number
            simulation.clock.after(delay) {
                if self.timers[timer] == number { self.feed(.timer(timer)) }
            }
        case .play(let push):
            waiting.append(push)
            playNext()
        case .dropPushes:
            let ids = waiting.map(\.id)
            waiting = []
            for id in ids { feed(.dropped(id)) }
        case .full: append(.replace, [("state", .json(["n": 1])), ("cause", .json(["control": "state"]))])
        case .newSession:
            var header = link.sessionIdentity.header
            header.session = "SESSION-000\(sessions.count + 1)"
            sessions.append(header.session)
            link.begin(header: header, key: "key-\(sessions.count)")
        case .acknowledged: acknowledgedAll = true
        case .stopped: stops.append("stopped at \(simulation.clock.now)")
        case .log(let message): simulation.trace("app: \(message)")
        case .report(let status): simulation.trace("app: \(status)")
        case .compress: deflater = Deflater()
        // The simulated servers have no ids, so that none has another archive.
        case .settled, .replay, .endReplay, .loop, .stopLoop, .endLoop, .record, .lock, .unlock, .segmentEnded,
            .gaveUp, .otherArchive:
            break
        }
    }

    private func connect() {
        let wire = simulation.connect()
        self.wire = wire
        deflater = nil
        outstanding = 0
        wire.receive(at: .app) { [unowned self, unowned wire] item in
            guard self.wire === wire else { return }
            switch item {
            case .opened: self.feed(.transport(.opened))
            case .message(let bytes): self.feed(.transport(.received(bytes)))
            case .closed(let code, let reason): self.feed(.transport(.closed(code: code, reason: reason)))
            }
        }
    }

    private func send(_ message: [UInt8]) {
        guard let wire else { return }
        outstanding += message.count
        simulation.trace("app sends \(String(decoding: message.prefix(100), as: UTF8.self))")
        #expect(outstanding < LinkState.window + max(LinkState.batch, LinkSimulation.longestMessage * 2))
        let arrival = wire.send(
            .message(deflater?.compressed(message) ?? message), to: .server)
        simulation.clock.after(arrival - simulation.clock.now) {
            guard self.wire === wire else { return }
            self.outstanding -= message.count
            if self.outstanding == 0 { self.feed(.transport(.drained)) }
        }
    }

    private func playNext() {
        guard !isPlaying, !waiting.isEmpty else { return }
        isPlaying = true
        let push = waiting.removeFirst()
        simulation.clock.after(simulation.chance.milliseconds(1...3_000)) {
            self.isPlaying = false
            self.played[push.id, default: 0] += 1
            if self.hasEnded || self.simulation.chance.once(in: 4) {
                self.feed(
                    .pushed(Pushed(id: push.id, result: .failed(.init(code: .decode, message: "no")))))
            } else {
                let seq = self.events.count
                self.append(
                    .replace, [("state", .json(["n": 2])), ("cause", .json(["push": .string(push.id)]))])
                self.feed(.pushed(Pushed(id: push.id, result: .played(seq: seq))))
            }
            self.playNext()
        }
    }
}
