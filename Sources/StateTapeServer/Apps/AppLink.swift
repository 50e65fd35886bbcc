import TapeArchive
import TapeFormat
import TapeSockets

/// A connected app. Performs the actions of the link's state machine. On the loop's thread.
final class AppLink: ConnectionHandler {
    /// Only a connection's first answers may be the one to a launch state: looking it up takes a worker that the pages
    /// need.
    private static let maxLaunchAnswers = 64
    /// Bytes of the longest line that is parsed on the loop's thread, which serves all apps.
    private static let longLine = 1 << 20
    /// The link stops reading once more than this many bytes of the app's lines are queued for a commit.
    private static let share = 4 << 20

    let owner = RandomName.make()
    private let ingest: Ingest
    private let peer: String
    private var machine: AppLinkState
    private var connection: Connection?
    private var overdue: Scheduled?
    /// Tells the viewers that a lock has ended by itself.
    private var lockEnd: Scheduled?
    private var hello: Hello?
    private var openedSession: Session?
    private var isOpening = false
    /// The link is working through a long message.
    private var isTaking = false
    /// Bytes of the app's lines that are queued for a commit.
    private var waiting = 0
    /// Every seq below is committed.
    private(set) var committed = 0
    /// Time travel has locked the app, not an order.
    private var isTravelling = false
    /// The id of the launch state that the app got, until it answers.
    private var start: String?
    /// The answers so far.
    private var answers = 0
    /// What other threads know of the app, once its session is open.
    private(set) var shown: LiveApps.Entry? {
        didSet { if let shown { ingest.apps.publish(shown.port.session, self) } }
    }

    init(_ ingest: Ingest, peer: String, refusal: @escaping @Sendable (_ token: String?) -> LinkError?) {
        self.ingest = ingest
        self.peer = peer
        machine = AppLinkState(maxMessage: ingest.maxMessage, archive: ingest.archive, refusal: refusal)
    }

    /// The app is connected, and it is the process that made the recording (not one that recovered it).
    var isLive: Bool { shown?.isLive ?? false }
    /// The id of the session, once it is opened.
    var session: String? { openedSession?.id }
    /// The way to the app from other threads, once its session is open.
    var port: AppPort? { shown?.port }
    /// Bytes of the longest message that the app accepts.
    private var maxMessage: Int { hello?.maxMessage ?? Limits.line }

    /// Pauses, resumes, locks or unlocks the app.
    func order(_ control: Control) {
        if var app = shown {
            if let recording = control.recording { app.isRecording = recording }
            if let locked = control.locked {
                if !locked { app.queued = 0 }
                if !locked || app.lockedUntil.map({ $0 <= .now }) ?? true { isTravelling = false }
                app.lockedUntil = locked ? .now + ingest.timing.lock : nil
                lockEnd?.cancel()
                if locked {
                    lockEnd = ingest.loop.later(after: ingest.timing.lock) { [weak self] in self?.lockEnded() }
                }
            }
            shown = app
        }
        send(.control(control))
    }

    private func lockEnded() {
        if let session { ingest.events.tell(.changed([session])) }
    }

    /// Locks the app for time travel.
    func beginTravel() {
        let isFirst = session.map { !ingest.apps.live.isLocked($0) } ?? false
        order(Control(locked: true))
        if isFirst { isTravelling = true }
    }

    /// Unlocks the app if time travel has locked it: a step has failed, and nobody may end the lock.
    func endTravel() {
        if isTravelling { order(Control(locked: false, queue: .replay)) }
    }

    func send(_ line: ServerLine) { send(line.bytes) }

    func send(_ message: [UInt8]) { connection?.send(message) }

    func opened(_ connection: Connection) {
        // The app is unknown until its hello arrives, so only a hello-sized message is accepted.
        connection.limitMessages(
            to: Limits.header, code: CloseCode.headerTooLarge.rawValue,
            reason: "the hello message is longer than \(Limits.header) bytes")
        ingest.apps.connected(self, from: peer)?.evicted()
        overdue = ingest.loop.later(after: ingest.timing.hello) { [weak self] in
            self?.step { $0.helloIsOverdue() }
        }
        self.connection = connection
    }

    func received(_ connection: Connection, _ message: [UInt8], isText: Bool) {
        do throws(AppLinkState.Refusal) {
            take(MessageSlices(try machine.unpack(message)))
        } catch {
            for action in error.actions { perform(action) }
        }
    }

    /// Processes a message's lines slice by slice, so that other apps get their turn in between.
    private func take(_ slices: MessageSlices) {
        var slices = slices
        let lines = slices.next()
        guard lines.contains(where: { $0.count > Self.longLine }) else {
            step { $0.take(lines) }
            return takeRest(of: slices)
        }
        setTaking(true)
        let back = ingest.loop.back { [self, slices] (parsed: [AppLinkState.Parsed]) in
            step { $0.take(parsed: parsed) }
            takeRest(of: slices)
        }
        ingest.workers.run { back(lines.map(AppLinkState.parse)) }
    }

    private func takeRest(of slices: MessageSlices) {
        setTaking(!slices.isEmpty)
        if !slices.isEmpty { ingest.loop.later { self.take(slices) } }
    }

    /// Reads no further message before this one is processed.
    private func setTaking(_ isTaking: Bool) {
        let wasTaking = self.isTaking
        self.isTaking = isTaking
        if isTaking || wasTaking { updateReading() }
    }

    func drained(_ connection: Connection) {}

    func closed(_ connection: Connection, code: UInt16?, reason: String) {
        let wasOpened = self.connection != nil
        self.connection = nil
        machine.ended()
        shown?.isLive = false
        overdue?.cancel()
        lockEnd?.cancel()
        if wasOpened { ingest.apps.disconnected(self) }
        if hello == nil, code == CloseCode.headerTooLarge.rawValue {
            ingest.events.tell(.refused(peer: peer, LinkError(code: "header-too-large", message: reason)))
        }
        if let hello { ingest.apps.release(hello, owner: owner) }
        guard let session else { return }
        ingest.apps.detach(session, self)
        ingest.events.tell(.disconnected(self))
        ingest.events.tell(.changed([session]))
    }

    /// The server closes this link because too many connections have not sent a hello.
    func evicted() { step { $0.evicted() } }

    func replaced() { step { $0.replaced() } }

    func deleted() { step { $0.deleted() } }

    /// Stops reading while the session is being opened, or while too many bytes are queued for a commit (of this
    /// app or of all apps).
    func updateReading() {
        let isBusy = isOpening || isTaking || waiting > Self.share || ingest.apps.isPaused
        if isBusy { connection?.pauseReading() } else { connection?.resumeReading() }
    }

    private func opened(_ session: Session) {
        guard let connection, let hello else { return }
        openedSession = session
        committed = session.next
        shown = LiveApps.Entry(
            port: AppPort(session: session.id, maxMessage: maxMessage, connection: connection), row: session.row,
            owner: owner, attempt: hello.attempt, isRecording: !session.isPaused)
        ingest.apps.attach(session.id, self)
        guard hello.fresh, session.next == 0, !hello.recovered else { return welcome(session, nil) }
        let back = ingest.loop.back { [self] in welcome(session, $0) }
        ingest.workers.run { [launches = ingest.launches] in back(launches.begin(session)) }
    }

    private func welcome(_ session: Session, _ begin: LaunchOffer?) {
        var welcome = Welcome(
            session: session.id, have: session.next, server: Release.name, archive: ingest.archive,
            isPrivate: ingest.isPrivate, maxMessage: ingest.maxMessage, recording: !session.isPaused,
            compress: hello?.compress.first { $0 == Compression.deflate }, start: begin?.start)
        let bytes = ServerLine.welcome(welcome).bytes.count
        if welcome.start != nil, bytes > maxMessage {
            welcome.start = nil
            let message = "the launch state has \(bytes) bytes; the app accepts messages of at most \(maxMessage)"
            ingest.events.tell(.launched(.failed(Pushed.Failure(code: .tooLong, message: message)), session))
        }
        start = welcome.start?.id
        isOpening = false
        guard let connection else { return }
        shown?.isLive = hello?.recovered == false
        connection.limitMessages(to: ingest.maxMessage)
        send(.welcome(welcome))
        if welcome.start != nil, let replay = begin?.replay {
            ingest.events.tell(.replaying(replay, self))
        }
        updateReading()
        ingest.events.tell(.changed([session.id]))
        step { $0.opened(have: session.next, ended: session.ended != nil) }
    }

    private func step(_ body: (inout AppLinkState) -> [AppLinkState.Action]) {
        for action in body(&machine) { perform(action) }
    }

    private func perform(_ action: AppLinkState.Action) {
        switch action {
        case .open(let hello):
            self.hello = hello
            isOpening = true
            overdue?.cancel()
            guard ingest.apps.accept(self) else { return step { $0.foundFull() } }
            guard ingest.apps.claim(hello, owner: owner) else { return replaced() }
            updateReading()
            let opening = SessionOpening(
                header: hello.header, keyHash: SHA256.hash(hello.key), owner: owner,
                attempt: hello.recovered ? nil : hello.attempt)
            add(.open(opening))
        case .append(let lines):
            guard let openedSession else { return }
            let batch = Batch(session: openedSession.row, owner: owner, lines: lines)
            waiting += batch.bytes
            add(.append(batch))
            if waiting > Self.share { updateReading() }
        case .ack(let next): send(.ack(next: next))
        case .pushed(let answer):
            ingest.events.tell(.answered(answer, self))
            let isStart = answer.id == start
            if isStart { start = nil }
            answers += 1
            guard let openedSession else { return }
            if answers <= Self.maxLaunchAnswers { ingest.events.tell(.launchAnswered(answer, openedSession)) }
            if isStart { ingest.events.tell(.launched(answer.result, openedSession)) }
        case .queued(let count):
            shown?.queued = count
            if let session { ingest.events.tell(.changed([session])) }
        case .close(let code, let error):
            // These are not mistakes of the app, which knows what to do.
            if ![.replaced, .deleted, .otherArchive].contains(code) {
                ingest.events.tell(.refused(peer: peer, error))
            }
            shown?.isLive = false
            let delay = error.code == "not-authorised" ? ingest.wrongTokens.add(peer: peer) : .zero
            connection?.close(
                after: delay, sending: ServerLine.error(error).bytes, code: code.rawValue, reason: error.message)
        }
    }

    private func add(_ change: Change) {
        if !ingest.committer.add(change, LoopBound(self)) { ingest.apps.pause(true) }
    }

    // MARK: The committer's answers

    fileprivate func committed(_ change: Change, _ outcome: Outcome) {
        switch (outcome, change) {
        case (.opened(let session), _): opened(session)
        case (.refused, _): step { $0.refused() }
        case (.deleted, _): step { $0.deleted() }
        case (.dropped, _): step { $0.replaced() }
        case (.appended, .append(let batch)):
            committed = batch.next
            let wasFull = waiting > Self.share
            waiting -= batch.bytes
            if wasFull, waiting <= Self.share { updateReading() }
            step { $0.committed(next: batch.next) }
            if let session { ingest.events.tell(.committed(session, batch, self)) }
        case (.appended, _), (.sealed, _): break
        }
    }

    fileprivate func failed() {
        machine.ended()
        let problem = LinkError(code: "archive", message: "the server can't store events; its log says why")
        ingest.events.tell(.refused(peer: peer, problem))
        send(.error(problem))
        connection?.close(code: CloseCode.serverFailed.rawValue, reason: problem.message)
    }
}

/// The committer tells a link on the loop's thread what became of its changes.
extension LoopBound: Committer.Client where Value == AppLink {
    func committed(_ change: Change, _ outcome: Outcome) { value.committed(change, outcome) }

    func failed(_ change: Change, _ error: any Error) { value.failed() }
}
