import TapeFormat
import Testing

@testable import StateTape
@testable import TapeUplink

/// Drives the state machine with a manual clock and keeps the actions that it returns.
struct LinkDriver {
    var link: LinkState
    var now = Duration.zero
    var sent: [[String]] = []
    var actions: [LinkState.Action] = []
    var waits: [LinkState.Timer: Duration] = [:]

    init(bounds: Outbox.Bounds = Outbox.Bounds(), token: String? = nil, compresses: Bool = false) {
        let header = Header(
            session: "01JD3M8Q5R7V2X9B4N6T0KZYWE", app: Header.App(id: "app"), started: "2026-01-01T00:00:00Z")
        link = LinkState(
            sessionIdentity: LinkState.SessionIdentity(header: header, key: "k", token: token), bounds: bounds,
            launched: .zero,
            compresses: compresses, spread: { 0.5 })
    }

    mutating func feed(_ input: LinkState.Input) {
        for action in link.handle(input, at: now) {
            switch action {
            case .send(let message):
                sent.append(String(decoding: message, as: UTF8.self).split(separator: "\n").map(String.init))
            case .wait(let timer, let delay): waits[timer] = now + delay
            case .log, .report: break
            default: actions.append(action)
            }
        }
    }

    /// Advances the clock until a timer fires.
    mutating func ring(_ timer: LinkState.Timer) {
        now = waits.removeValue(forKey: timer) ?? now
        feed(.timer(timer))
    }

    mutating func say(_ line: ServerLine) { feed(.transport(.received(line.bytes))) }

    mutating func welcome(
        have: Int = 0, maxMessage: Int = 1 << 20, compress: String? = nil, start: Welcome.Start? = nil
    ) {
        feed(.transport(.opened))
        say(
            .welcome(
                Welcome(
                    session: "s", have: have, server: "t", maxMessage: maxMessage, recording: true, locked: false,
                    compress: compress, start: start)))
    }

    mutating func live() {
        feed(.connect)
        welcome()
    }

    mutating func close(_ code: UInt16?) { feed(.transport(.closed(code: code, reason: ""))) }

    /// The server closes because a message is too big, and accepts the next connection.
    mutating func refuseMessage(have: Int) {
        close(1009)
        ring(.retry)
        sent = []
        welcome(have: have)
    }

    mutating func note(_ text: String = "n") {
        feed(.event(EventLine(seq: link.outbox.next, at: 1, kind: .note, members: [("text", .string(text))])))
    }

    mutating func action(cause: JSON?) {
        let members: [(String, JSON)] = [("action", ["type": "add"]), ("skipped", true)]
        feed(
            .event(
                EventLine(
                    seq: link.outbox.next, at: 1, kind: .action,
                    members: members + (cause.map { [("cause", $0)] } ?? []))))
    }

    mutating func take() -> [String] {
        defer { sent = [] }
        return sent.flatMap { $0 }
    }

    /// The actions for the app, without those for the connection.
    mutating func takeOrders() -> [LinkState.Action] {
        takeActions().filter { action in
            switch action {
            case .record, .lock, .unlock, .replay, .endReplay, .play: true
            default: false
            }
        }
    }

    mutating func takeActions() -> [LinkState.Action] {
        defer { actions = [] }
        return actions
    }

    /// The seqs of the sent events, a gap as its range.
    mutating func takeSeqs() -> [ClosedRange<Int>] {
        take().compactMap { try? EventLine(parsing: Array($0.utf8)) }.map { $0.first...$0.seq }
    }

    static func hello(_ line: String?) throws -> Hello {
        guard case .hello(let hello) = try AppLine(parsing: Array((line ?? "").utf8)) else {
            throw FormatError("no hello")
        }
        return hello
    }
}
