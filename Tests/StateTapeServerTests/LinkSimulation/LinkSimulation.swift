import SampleTapes
import TapeFormat
import Testing

@testable import StateTape
@testable import TapeUplink

/// An app and a server on an unreliable network, with a server that also misbehaves.
final class LinkSimulation {
    /// The limit that the simulated server enforces, lower than the one it announces.
    static let longestMessage = 4_000

    let seed: UInt64
    let clock = SimulatedClock()
    var chance: Chance
    /// Whether faults still occur.
    private(set) var isRough = true
    private let isTraced: Bool

    private(set) lazy var server = SimulatedServer(self)
    private(set) lazy var app = SimulatedApp(self, bounds: bounds)
    private let bounds: Outbox.Bounds
    /// How often each fault occurs: once in this many times, 0 for never. Each seed has its own mix.
    private let rates: (cut: Int, death: Int, back: Int, more: Int, bad: Int, long: Int, push: Int, copy: Int)
    /// The longest delay of an item, in ms.
    private let slow: Int

    init(seed: UInt64, isTraced: Bool = false) {
        self.seed = seed
        self.isTraced = isTraced
        var chance = Chance(seed)
        func rate(_ usual: Int) -> Int { chance.once(in: 3) ? 0 : usual / 2 + chance.below(usual) }
        rates = (rate(40), rate(120), rate(500), rate(700), rate(200), rate(200), rate(20), rate(8))
        slow = [20, 200, 2_000, 6_000][chance.below(4)]
        bounds =
            chance.once(in: 3)
            ? Outbox.Bounds(count: 10 + chance.below(60), bytes: 20_000)
            : Outbox.Bounds(count: 10_000, bytes: 1 << 24)
        self.chance = chance
    }

    func trace(_ text: @autoclosure () -> String) {
        if isTraced { print("\(clock.now) \(text())") }
    }

    /// The app wants to connect. The server may see the connection much later than the app expects.
    func connect() -> SimulatedWire {
        let wire = SimulatedWire(self, slow: isRough ? slow : 50)
        if isRough, chance.once(in: 6) {
            wire.lose(at: .app, within: 3_000, hearsRest: false)
            // The server may be down, or the connection may arrive after the app has given up.
            if chance.once(in: 2) { return wire }
        }
        let delay = chance.milliseconds(1...(isRough ? 4 * slow : 50))
        wire.hold(at: .server, until: clock.now + delay)
        clock.after(delay) { [unowned self] in server.accept(wire) }
        wire.send(.opened, to: .app)
        if isRough, chance.once(in: rates.copy) { copy(wire) }
        return wire
    }

    /// Sends an abandoned connection's messages once more on another connection.
    private func copy(_ wire: SimulatedWire) {
        clock.after(chance.milliseconds(10...60_000)) { [unowned self] in
            guard !app.isOn(wire) else { return }
            let copy = SimulatedWire(self, slow: slow)
            server.accept(copy)
            for message in wire.sent { copy.send(.message(message), to: .server) }
            copy.lose(at: .server, within: 80_000, hearsRest: true)
        }
    }

    /// Runs until nothing has happened for a long time.
    func run() {
        app.begin()
        live()
        clock.run(until: .seconds(60 * (2 + chance.below(4))))
        isRough = false
        clock.run(until: clock.now + .seconds(300))
        server.push()
        clock.run(until: clock.now + .seconds(30))
        app.end()
        clock.run(until: clock.now + .seconds(30))
    }

    /// An action of the app, perhaps with a fault. Repeats after a while.
    private func live() {
        guard isRough else { return }
        let isBurst = chance.once(in: 30)
        for _ in 0..<(isBurst ? 40 : 1) { app.record(bytes: chance.below(200)) }
        if chance.once(in: rates.bad) { app.record(bytes: 10, isBad: true) }
        if chance.once(in: rates.long) { app.record(bytes: Self.longestMessage + chance.below(500)) }
        if chance.once(in: rates.push) { server.push() }
        if chance.once(in: rates.cut) { app.cut() }
        if chance.once(in: rates.death) { server.die() }
        if chance.once(in: rates.back) { server.goBack() }
        if chance.once(in: rates.more) { server.takeMore(of: app.sessions.last ?? "") }
        clock.after(chance.milliseconds(1...3_000)) { [unowned self] in live() }
    }

    /// The violated invariants.
    func faults() -> [String] {
        var faults = app.stops
        if app.link.phase != .live { faults.append("the link is \(app.link.phase)") }
        if !app.link.outbox.isEmpty { faults.append("\(app.link.outbox.count) events wait") }
        if !app.acknowledgedAll { faults.append("the app never got the last acknowledgement") }
        for (id, count) in app.played where count > 1 { faults.append("push \(id) was played \(count) times") }
        if let last = server.lastPush, server.answers[last] != true { faults.append("push \(last) has no answer") }
        return faults + missing()
    }

    /// Every event is on the server once and in order, or covered by one gap with the right reason.
    private func missing() -> [String] {
        var faults: [String] = []
        // The events of an earlier session of the app.
        var before: Set<Int> = []
        for (number, session) in app.sessions.enumerated() {
            let lines = server.archive[session]?.lines ?? []
            var next = 0
            var here: Set<Int> = []
            for line in lines {
                if line.first != next { faults.append("\(session): \(line.first) follows \(next - 1)") }
                next = line.seq + 1
                // An event that the app didn't send.
                if line.seq >= app.events.count { break }
                here.formUnion(line.first...line.seq)
                if line.kind != .gap {
                    if line.bytes != app.events[line.seq].bytes { faults.append("\(session): \(line.seq) differs") }
                    continue
                }
                let allowed: Set<Int> =
                    switch line["reason"]?.string {
                    case "memory": app.dropped
                    case "refused": app.refusable
                    case "server-lost": server.setBack.union(before)
                    default: []
                    }
                for seq in line.first...line.seq where !allowed.contains(seq) {
                    faults.append("\(session): \(seq) is a gap, \(line["reason"]?.string ?? "")")
                }
            }
            before.formUnion(here)
            if number == app.sessions.count - 1, next != app.events.count {
                faults.append("\(session) ends before \(next), the app made \(app.events.count)")
            }
        }
        return faults
    }
}
