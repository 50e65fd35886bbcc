package import TapeFormat

/// The app's side of the link to the server, as a state machine. It does no I/O and reads no clock.
///
/// It keeps the events until the server acknowledges them, connects and reconnects, and sends from where the server is.
/// It passes each push on once, and answers it after the event that the push caused.
package struct LinkState: Sendable {
    package enum Phase: Equatable { case idle, connecting, greeting, live, waiting, stopped }

    static let welcomeLimit: Duration = .seconds(15)
    static let silenceLimit: Duration = .seconds(60)
    /// The bytes per second of the slowest network that carries long lines.
    static let slowest = 64 << 10
    /// The most bytes in a message of several lines, and the most bytes given to the transport before it drains.
    package static let batch = 64 << 10
    static let window = 1 << 20
    /// No session has so many events, and higher numbers can't all be represented.
    static let maxSeq = 1 << 52
    /// The most characters of an id, which is remembered, and of a message, which is logged.
    static let maxText = 256
    /// How often a server may fail to store a session of an earlier launch.
    static let maxFailures = 5

    package internal(set) var phase = Phase.idle
    package internal(set) var outbox: Outbox
    package var sessionIdentity: SessionIdentity
    /// The longest message that the server accepts, in bytes.
    package internal(set) var maxMessage = AppLink.maxMessage
    let launched: Duration
    /// Whether the session is that of a dead process: nothing is played into it, and its events are numbered already.
    let isRecovered: Bool
    /// The close code with which the server ended the link, once it is `stopped`.
    package internal(set) var stoppedBy: UInt16?
    let spread: @Sendable () -> Double
    /// Whether to offer compression.
    var compresses: Bool

    var attempt = 0
    var backoff = Backoff()
    var isWelcomed = false
    var liveSince = Duration.zero
    /// All events below were sent on this connection.
    var cursor = 0
    var undrained = 0
    var isFullDue = false
    var refused = RefusedLines()
    /// Since when events have been waiting without an acknowledgement.
    var silentSince = Duration.zero
    /// How often the server has closed the link because of an error of its own.
    var failures = 0
    var isWatchingSilence = false
    var answers = Answers()
    var hold = Hold()
    /// How many of the app's own actions wait, if the server doesn't know yet.
    var queued: Int?
    /// What has the events before the oldest one here, if the server lacks them.
    var earlier = Outbox.Loss.serverLost
    /// An outage is logged once.
    var isOutageTold = false

    /// - Parameters:
    ///   - launched: When the process started, on the clock that `handle` is given.
    ///   - compresses: Whether to offer compression.
    ///   - spread: A random number in 0…1 for the backoff.
    package init(
        sessionIdentity: SessionIdentity, bounds: Outbox.Bounds = Outbox.Bounds(), launched: Duration,
        isRecovered: Bool = false,
        compresses: Bool = false, spread: @escaping @Sendable () -> Double = { .random(in: 0...1) }
    ) {
        self.sessionIdentity = sessionIdentity
        self.outbox = Outbox(bounds: bounds)
        self.launched = launched
        self.isRecovered = isRecovered
        self.compresses = compresses
        self.spread = spread
        if !sessionIdentity.server.isWelcomed, sessionIdentity.server.first > 0 { earlier = .otherArchive }
    }

    mutating func handle(_ input: Input, at now: Duration) -> [Action] {
        guard phase != .stopped else { return [] }
        switch input {
        case .connect: return connect()
        case .transport(.opened): return phase == .connecting ? greet(now) : []
        case .transport(.received(let message)): return received(message, now)
        case .transport(.drained):
            undrained = 0
            return pump(now)
        case .transport(.closed(let code, let reason)): return closed(code: code, reason: reason, now)
        case .transport(.declined(let answer)): return closed(code: nil, reason: "", now, answer)
        case .event(let line, let isLast):
            if outbox.isEmpty { silentSince = now }
            hold.recorded(line, at: now)
            let change = outbox.append(line)
            // The server would close the connection, and again for whatever replaces it.
            if phase == .live, line.bytes.count > maxMessage { outbox.replaceByGap(at: line.seq, .refused) }
            return (change.hasGap ? [.gaveUp] : []) + (change.isSegmentEnded ? [.segmentEnded] : [])
                + (isLast ? pump(now) : [])
        case .due: return pump(now)
        case .pushed(let pushed):
            answers.answer(pushed, isConnected: phase == .live)
            return hold.answered(pushed.id) + pump(now)
        case .dropped(let id):
            answers.forget(id)
            return []
        case .queued(let store, let count):
            queued = hold.queued(count, in: store)
            return pump(now)
        case .lifted(let reason): return hold.lift(reason)
        case .timer(let timer): return rang(timer, now)
        }
    }

    /// Continues under a new name after ``Action/newSession``. The events keep their numbers; a gap will replace those
    /// that the other session has.
    package mutating func begin(header: Header, key: String) {
        sessionIdentity.header = header
        sessionIdentity.key = key
        sessionIdentity.server.isWelcomed = false
        refused = RefusedLines()
    }

    /// Continues under a new name after ``Action/otherArchive``, for the server that answers now.
    ///
    /// - Parameter givesUp: Whether a gap replaces the events that the last archive lacks, since they are not for others.
    package mutating func begin(header: Header, key: String, for server: SessionServer, givesUp: Bool) {
        begin(header: header, key: key)
        sessionIdentity.server = server
        earlier = .otherArchive
        if givesUp { outbox.giveUp(.otherArchive) }
        sessionIdentity.server.first = outbox.first
    }

    /// Continues with another server, which has its own limits. If the last one has named its archive, the new one's
    /// `welcome` decides whether it is the same.
    package mutating func move(token: String?, compresses: Bool, to server: SessionServer) {
        if sessionIdentity.server.archive == nil { sessionIdentity.server = server }
        sessionIdentity.token = token
        self.compresses = compresses
        refused = RefusedLines()
    }

    /// Why the app's own actions don't run.
    package var lock: LockKind { hold.isLoop ? .loop : replay == nil ? .queue : .replay }
    /// The id of the running replay.
    package var replay: String? { hold.replay }
}
