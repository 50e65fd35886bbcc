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

    package private(set) var phase = Phase.idle
    package private(set) var outbox: Outbox
    package var sessionIdentity: SessionIdentity
    /// The longest message that the server accepts, in bytes.
    package private(set) var maxMessage = AppLink.maxMessage
    private let launched: Duration
    /// Whether the session is that of a dead process: nothing is played into it, and its events are numbered already.
    private let isRecovered: Bool
    /// The close code with which the server ended the link, once it is `stopped`.
    package private(set) var stoppedBy: UInt16?
    private let spread: @Sendable () -> Double
    /// Whether to offer compression.
    var compresses: Bool

    private var attempt = 0
    private var backoff = Backoff()
    private var isWelcomed = false
    private var liveSince = Duration.zero
    /// All events below were sent on this connection.
    private var cursor = 0
    private var undrained = 0
    private var isFullDue = false
    private var refused = RefusedLines()
    /// Since when events have been waiting without an acknowledgement.
    private var silentSince = Duration.zero
    /// How often the server has closed the link because of an error of its own.
    private var failures = 0
    private var isWatchingSilence = false
    private var answers = Answers()
    private var hold = Hold()
    /// How many of the app's own actions wait, if the server doesn't know yet.
    private var queued: Int?
    /// What has the events before the oldest one here, if the server lacks them.
    private var earlier = Outbox.Loss.serverLost
    /// An outage is logged once.
    private var isOutageTold = false

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

    private mutating func connect() -> [Action] {
        guard phase == .idle || phase == .waiting else { return [] }
        phase = .connecting
        attempt += 1
        return [.connect, .wait(.welcome, Self.welcomeLimit)]
    }

    private mutating func greet(_ now: Duration) -> [Action] {
        phase = .greeting
        let hello = Hello(
            header: sessionIdentity.header, key: sessionIdentity.key, next: outbox.first,
            fresh: !isRecovered && !isWelcomed && now - launched < .seconds(5), maxMessage: AppLink.maxMessage,
            token: sessionIdentity.token, recovered: isRecovered, attempt: attempt,
            archive: sessionIdentity.server.archive, compress: compresses ? [Compression.deflate] : [])
        return [.send(AppLine.hello(hello).bytes)]
    }

    private mutating func rang(_ timer: Timer, _ now: Duration) -> [Action] {
        switch timer {
        case .retry: return phase == .waiting ? connect() : []
        case .lock: return hold.isOverdue()
        case .replay: return hold.mayStandStill(at: now)
        case .welcome:
            guard phase == .connecting || phase == .greeting else { return [] }
            return [.disconnect(code: CloseCode.goingAway.rawValue, reason: "no welcome")]
                + closed(code: nil, reason: "the server did not answer", now)
        case .silence:
            isWatchingSilence = false
            guard phase == .live, !outbox.isEmpty else { return [] }
            guard now - silentSince >= silenceLimit else { return watchSilence(now) }
            let reason = "nothing was acknowledged for \(silenceLimit.components.seconds) s"
            return [.disconnect(code: CloseCode.goingAway.rawValue, reason: reason)]
                + closed(code: nil, reason: "the server went silent", now)
        }
    }
}

// MARK: Messages from the server

extension LinkState {
    private mutating func received(_ message: [UInt8], _ now: Duration) -> [Action] {
        var actions: [Action] = []
        for line in message.lines where phase == .greeting || phase == .live {
            do {
                actions += try received(ServerLine(parsing: line), now)
            } catch {
                actions.append(.log("The recorder can't read a line from the server: \(error)"))
            }
        }
        return actions
    }

    private mutating func received(_ line: ServerLine, _ now: Duration) -> [Action] {
        switch line {
        case .welcome(let welcome): return phase == .greeting ? welcomed(welcome, now) : []
        case .error(let error): return [.log("The server says: \(error.message.prefix(Self.maxText))")]
        case .unknown: return []
        default: return phase == .live ? obey(line, now) : []
        }
    }

    private mutating func obey(_ line: ServerLine, _ now: Duration) -> [Action] {
        switch line {
        case .ack(let next):
            silentSince = now
            outbox.acknowledge(below: next)
            cursor = max(cursor, outbox.first)
            return (outbox.isEmpty ? [.acknowledged] : []) + pump(now)
        case .push, .replay, .loop, .want, .control: return isRecovered ? [] : play(line, now)
        case .welcome, .error, .unknown: return []
        }
    }

    private mutating func play(_ line: ServerLine, _ now: Duration) -> [Action] {
        switch line {
        case .push(let push):
            guard isShort(push.id) else { return [Self.ignoredPush] }
            guard answers.isNew(push.id) else { return pump(now) }
            if hold.isLoop { return refuse(push.id, .looping) + pump(now) }
            // Nothing would put the app's own state back.
            if push.travel != nil, !hold.isLocked || hold.replay != nil {
                return refuse(push.id, .unlocked) + pump(now)
            }
            if hold.isLocked, case .action = push.content { return refuse(push.id, .locked) + pump(now) }
            return [.play(push)]
        case .loop(let loop):
            if loop.states == nil { return hold.replay == loop.id ? [.stopLoop(loop.id)] : [] }
            guard isShort(loop.id) else { return [Self.ignoredPush] }
            guard answers.isNew(loop.id) else { return pump(now) }
            guard hold.replay == nil else { return refuse(loop.id, .looping) + pump(now) }
            return hold.begin(loop, at: now)
        case .replay(let replay): return hold.received(replay, at: now)
        case .want(let store): return [.full(store: store)]
        case .control(let control): return hold.obey(control)
        case .ack, .welcome, .error, .unknown: return []
        }
    }

    private static let ignoredPush = Action.log("The recorder ignored a push: its id is too long.")

    /// Whether an id is short enough to be remembered.
    private func isShort(_ id: String) -> Bool { id.utf8.count <= Self.maxText }

    private mutating func refuse(_ id: String, _ failure: Pushed.Failure) -> [Action] {
        answers.answer(Pushed(id: id, result: .failed(failure)), isConnected: true)
        return []
    }

    private mutating func welcomed(_ welcome: Welcome, _ now: Duration) -> [Action] {
        guard welcome.have <= Self.maxSeq else {
            let reason = "it says that it has \(welcome.have) events"
            return [.disconnect(code: CloseCode.normal.rawValue, reason: reason)] + stop(nil, reason)
        }
        if let archive = sessionIdentity.server.archive, archive != welcome.archive {
            let reason = "the session was recorded for another archive"
            return [.disconnect(code: CloseCode.normal.rawValue, reason: reason)] + foundOtherArchive()
        }
        if isRecovered, welcome.have > outbox.next { outbox.skip(to: welcome.have) }
        guard welcome.have <= outbox.next else {
            phase = .waiting
            return [
                .disconnect(code: CloseCode.normal.rawValue, reason: "the session is not this one"), .newSession,
                .wait(.retry, backoff.next(spread: spread())),
            ]
        }
        guard refused.welcomed(have: welcome.have, &outbox) else {
            let reason = "it also refuses the gap in place of a line that it refused"
            return [.disconnect(code: CloseCode.normal.rawValue, reason: reason)] + stop(nil, reason)
        }
        phase = .live
        isWelcomed = true
        isOutageTold = false
        sessionIdentity.server.archive = welcome.archive
        sessionIdentity.server.isPrivate = welcome.isPrivate
        sessionIdentity.server.isWelcomed = true
        liveSince = now
        silentSince = now
        // The announced limit may be too high, so the lines that the server refused count too.
        maxMessage = min(welcome.maxMessage, refused.limit)
        if welcome.have < outbox.first {
            outbox.prependGap(from: welcome.have, at: now.milliseconds, earlier)
        } else {
            outbox.acknowledge(below: welcome.have)
        }
        earlier = .serverLost
        outbox.replaceByGaps(longerThan: maxMessage)
        cursor = welcome.have
        var actions: [Action] = [.report(.connected(session: welcome.session))]
        if compresses, welcome.compress == Compression.deflate { actions.append(.compress) }
        actions += hold.obey(Control(recording: welcome.recording, locked: welcome.locked))
        if let start = welcome.start, start.isReplay { actions += hold.begin(replay: start.id, at: now) }
        actions.append(.settled(welcome.start))
        if outbox.isEmpty { actions.append(.acknowledged) }
        return actions + pump(now)
    }
}

// MARK: Sending

extension LinkState {
    /// Sends as much as the transport has room for.
    private mutating func pump(_ now: Duration) -> [Action] {
        guard phase == .live else { return [] }
        var actions: [Action] = []
        while undrained < Self.window, let message = nextMessage() {
            undrained += message.count
            actions.append(.send(message))
        }
        if cursor >= outbox.next, isFullDue {
            isFullDue = false
            actions.append(.full(store: nil))
        }
        return actions + (outbox.isEmpty ? [] : watchSilence(now))
    }

    private mutating func nextMessage() -> [UInt8]? {
        var message: [UInt8] = []
        func add(_ bytes: [UInt8]) {
            if !message.isEmpty { message.append(UInt8(ascii: "\n")) }
            message += bytes
        }
        while let answer = answers.next(below: cursor) {
            add(AppLine.pushed(answer).bytes)
        }
        if let queued { add(AppLine.queued(queued).bytes) }
        queued = nil
        while cursor < outbox.next, !refused.isHeld(cursor, outbox), let line = outbox.line(at: cursor) {
            guard message.isEmpty || message.count + line.bytes.count < min(Self.batch, maxMessage) else { break }
            add(line.bytes)
            let isSingle = refused.isSingle(cursor)
            cursor = line.seq + 1
            if line.kind == .gap { isFullDue = true }
            if isSingle { break }
            while let answer = answers.next(below: cursor) { add(AppLine.pushed(answer).bytes) }
        }
        return message.isEmpty ? nil : message
    }

    /// The server acknowledges a long line only after it has arrived, which takes its time.
    private var silenceLimit: Duration { Self.silenceLimit + .seconds(undrained / Self.slowest) }

    private mutating func watchSilence(_ now: Duration) -> [Action] {
        guard !isWatchingSilence else { return [] }
        isWatchingSilence = true
        return [.wait(.silence, max(.zero, silentSince + silenceLimit - now))]
    }
}

// MARK: Closing

extension LinkState {
    /// The server has another archive than the one that the session is recorded for.
    private mutating func foundOtherArchive() -> [Action] {
        let code = CloseCode.otherArchive.rawValue
        guard !isRecovered else { return stop(code, "the session was recorded for another archive") }
        phase = .waiting
        return [.otherArchive, .wait(.retry, backoff.next(spread: spread()))]
    }

    private mutating func closed(
        code: UInt16?, reason: String, _ now: Duration, _ answer: HTTPAnswer? = nil
    ) -> [Action] {
        guard phase != .waiting, phase != .idle else { return [] }
        if phase == .live, now - liveSince > .seconds(5) { backoff.reset() }
        undrained = 0
        answers.forgetUnsent()
        var actions: [Action] = [.dropPushes] + hold.linkIsLost() + [.settled(nil)]
        if code == CloseCode.otherArchive.rawValue { return actions + foundOtherArchive() }
        guard mayRetry(after: code) else { return actions + stop(code, Self.meaning(of: code, reason)) }
        phase = .waiting
        let delay = backoff.next(spread: spread())
        if !isOutageTold {
            isOutageTold = true
            actions.append(.report(.disconnected(reason: answer?.meaning ?? Self.meaning(of: code, reason))))
        }
        return actions + [.wait(.retry, delay)]
    }

    private mutating func stop(_ code: UInt16?, _ reason: String) -> [Action] {
        phase = .stopped
        stoppedBy = code
        outbox.clear()
        return [.report(.ended(reason: reason)), .stopped]
    }

    private mutating func mayRetry(after code: UInt16?) -> Bool {
        switch code {
        case nil, 1001, 1005, 1006, 1012, 1013: return true
        case CloseCode.serverFailed.rawValue:
            failures += 1
            return !isRecovered || failures < Self.maxFailures
        case CloseCode.badCompression.rawValue:
            // The app's compression is faulty, so it sends lines uncompressed.
            defer { compresses = false }
            return compresses
        case CloseCode.badLine.rawValue: return phase == .live && refused.badLine(outbox)
        case CloseCode.tooBig.rawValue: return phase == .live && refused.tooBig(&outbox, sent: cursor)
        default: return false
        }
    }

    private static func meaning(of code: UInt16?, _ reason: String) -> String {
        let meaning =
            switch code.flatMap(CloseCode.init(rawValue:)) {
            case .notAuthorised:
                "the token is missing or wrong; use the URL that the server printed, or set STATETAPE_TOKEN"
            case .version: "it speaks another version of the protocol"
            case .replaced: "a newer connection of this session took over"
            case .otherKey: "the session belongs to another app"
            case .deleted: "the session was deleted"
            case .badLine: "it could not read a line"
            case .tooBig: "a message was too long for it"
            default: code.map { "code \($0)" } ?? "it can't be reached"
            }
        return reason.isEmpty ? meaning : "\(meaning) (\(reason))"
    }
}
