import TapeArchive
import TapeFormat
import TapeSockets

/// A connected app. Performs the actions of the link's state machine. Runs on the loop's thread, except `send`.
final class AppLink: ConnectionHandler, Committer.Client {
    private struct State {
        var machine: AppLinkState
        var connection: Connection?
        var overdue: Scheduled?
        var hello: Hello?
        var session: Session?
        var isOpening = false
        var isWelcome = false
        /// The link is working through a long message.
        var isTaking = false
        /// Bytes of the app's lines that are queued for a commit.
        var waiting = 0
        var committed = 0
        /// When the app unlocks, unless the lock is renewed.
        var lockedUntil: ContinuousClock.Instant?
        /// Time travel has locked the app, not an order.
        var isTravelling = false
        var isPaused = false
        /// How many of the locked app's own actions wait.
        var queued = 0
        var replay: Replay?
        /// The id of the launch state that the app got, until it answers.
        var start: String?
        /// The answers so far.
        var answers = 0
    }

    /// How long a lock lasts if nobody renews it.
    private static let lock: Duration = .seconds(60)
    /// Only a connection's first answers may be the one to a launch state: looking it up takes a worker that the pages
    /// need.
    private static let maxLaunchAnswers = 64
    /// Bytes of the longest line that is parsed on the loop's thread, which serves all apps.
    private static let longLine = 1 << 20
    /// The link stops reading once more than this many bytes of the app's lines are queued for a commit.
    private static let share = 4 << 20

    private let ingest: Ingest
    private let peer: String
    private let owner = RandomName.make()
    private let state: Locked<State>

    init(_ ingest: Ingest, peer: String, refusal: @escaping @Sendable (_ token: String?) -> LinkError?) {
        self.ingest = ingest
        self.peer = peer
        state = Locked(
            State(
                machine: AppLinkState(
                    maxMessage: ingest.maxMessage, archive: ingest.archive, refusal: refusal)))
    }

    /// The app is connected, and it is the process that made the recording (not one that recovered it).
    var isLive: Bool { state.withLock { $0.isWelcome && $0.hello?.recovered == false } }
    /// Bytes of the longest message that the app accepts.
    var maxMessage: Int { state.withLock { $0.hello?.maxMessage } ?? Limits.line }
    /// Every seq below is committed.
    var committed: Int { state.withLock { $0.committed } }

    /// Not during a loop: it is short, and a lock before it lasts.
    var isLocked: Bool { state.withLock { $0.replay != nil || $0.lockedUntil.map { $0 > .now } ?? false } }
    /// How many of the app's own actions wait for the end of its lock.
    var queued: Int { isLocked ? state.withLock { $0.queued } : 0 }
    /// Whether recorded actions are replayed in the app.
    var isReplaying: Bool { replay != nil || loop?.status == .running }
    /// The replay that is running in the app.
    var replay: Replay? {
        get { state.withLock { $0.replay } }
        set { state.withLock { $0.replay = newValue } }
    }
    /// The last replay that was begun in the running app, maybe over an earlier connection.
    var loop: Replay? {
        get { session.flatMap(ingest.apps.loop) }
        set { if let session { ingest.apps.setLoop(newValue, of: session) } }
    }
    /// The id of the session, once it is opened.
    var session: String? { state.withLock { $0.session?.id } }

    /// What a page shows of the app.
    var status: LiveApp {
        LiveApp(
            recording: state.withLock { !$0.isPaused }, locked: isLocked, queued: queued, replay: replay?.json,
            loop: loop?.json)
    }

    /// What other servers know of the app; nil before its session is open.
    var held: HeldApp? {
        let (session, hello) = state.withLock { ($0.session, $0.hello) }
        guard let session else { return nil }
        return HeldApp(
            session: session.id, row: session.row, owner: owner, attempt: hello?.attempt,
            status: isLive ? status : nil)
    }

    /// Pauses, resumes, locks or unlocks the app.
    func order(_ control: Control) {
        if let recording = control.recording { state.withLock { $0.isPaused = !recording } }
        if let locked = control.locked {
            state.withLock { state in
                if !locked { state.queued = 0 }
                if !locked || state.lockedUntil.map({ $0 <= .now }) ?? true { state.isTravelling = false }
                state.lockedUntil = locked ? .now + Self.lock : nil
            }
        }
        send(.control(control))
    }

    /// Locks the app for time travel.
    func beginTravel() {
        let isFirst = !isLocked
        order(Control(locked: true))
        if isFirst { state.withLock { $0.isTravelling = true } }
    }

    /// Unlocks the app if time travel has locked it: a step has failed, and nobody may end the lock.
    func endTravel() {
        if state.withLock({ $0.isTravelling }) { order(Control(locked: false, queue: "replay")) }
    }

    /// Can be called from any thread.
    func send(_ line: ServerLine) {
        state.withLock { $0.connection }?.send(line.bytes)
    }

    func opened(_ connection: Connection) {
        // The app is unknown until its hello arrives, so only a hello-sized message is accepted.
        connection.limitMessages(
            to: Limits.header, code: CloseCode.headerTooLarge.rawValue,
            reason: "the hello message is longer than \(Limits.header) bytes")
        ingest.apps.connected(self, from: peer)?.evicted()
        let overdue = ingest.loop.schedule(after: ingest.timing.hello) { [weak self] in
            self?.step { $0.helloIsOverdue() }
        }
        state.withLock {
            $0.connection = connection
            $0.overdue = overdue
        }
    }

    func received(_ connection: Connection, _ message: [UInt8], isText: Bool) {
        do throws(AppLinkState.Refusal) {
            take(MessageSlices(try unpack(message)))
        } catch {
            for action in error.actions { perform(action) }
        }
    }

    private func unpack(_ message: [UInt8]) throws(AppLinkState.Refusal) -> [UInt8] {
        try state.withLock { state throws(AppLinkState.Refusal) in try state.machine.unpack(message) }
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
        ingest.workers.run { [slices, ingest] in
            let parsed = lines.map(AppLinkState.parse)
            ingest.loop.execute {
                self.step { $0.take(parsed: parsed) }
                self.takeRest(of: slices)
            }
        }
    }

    private func takeRest(of slices: MessageSlices) {
        setTaking(!slices.isEmpty)
        if !slices.isEmpty { ingest.loop.execute { self.take(slices) } }
    }

    /// Reads no further message before this one is processed.
    private func setTaking(_ isTaking: Bool) {
        let wasTaking = state.withLock { state in
            defer { state.isTaking = isTaking }
            return state.isTaking
        }
        if isTaking || wasTaking { updateReading() }
    }

    func drained(_ connection: Connection) {}

    func closed(_ connection: Connection, code: UInt16?, reason: String) {
        let (wasOpened, session, hello) = state.withLock { state in
            defer { state.connection = nil }
            state.machine.ended()
            state.isWelcome = false
            state.overdue?.cancel()
            return (state.connection != nil, state.session, state.hello)
        }
        if wasOpened { ingest.apps.disconnected(self) }
        if hello == nil, code == CloseCode.headerTooLarge.rawValue {
            ingest.events.tell(.refused(peer: peer, LinkError(code: "header-too-large", message: reason)))
        }
        if let hello { ingest.apps.release(hello, owner: owner) }
        guard let session else { return }
        ingest.apps.detach(session.id, self)
        ingest.events.tell(.disconnected(self))
        ingest.events.tell(.changed([session.id]))
    }

    /// The server closes this link because too many connections have not sent a hello.
    func evicted() {
        step { $0.evicted() }
    }

    func replaced() {
        step { $0.replaced() }
    }

    func deleted() {
        step { $0.deleted() }
    }

    /// Stops reading while the session is being opened, or while too many bytes are queued for a commit (of this
    /// app or of all apps).
    func updateReading() {
        let (connection, isBusy) = state.withLock { state in
            (state.connection, state.isOpening || state.isTaking || state.waiting > Self.share)
        }
        if isBusy || ingest.apps.isPaused { connection?.pauseReading() } else { connection?.resumeReading() }
    }

    func committed(_ change: Change, _ outcome: Outcome) {
        switch (outcome, change) {
        case (.opened(let session), _): opened(session)
        case (.refused, _): step { $0.refused() }
        case (.deleted, _): step { $0.deleted() }
        case (.dropped, _): step { $0.replaced() }
        case (.appended, .append(let batch)):
            let (session, isRelieved) = state.withLock { state in
                state.committed = batch.next
                let wasFull = state.waiting > Self.share
                state.waiting -= batch.bytes
                return (state.session, wasFull && state.waiting <= Self.share)
            }
            if isRelieved { updateReading() }
            step { $0.committed(next: batch.next) }
            if let session { ingest.events.tell(.committed(session.id, batch, self)) }
        case (.appended, _), (.sealed, _): break
        }
    }

    func failed(_ change: Change, _ error: any Error) {
        let connection = state.withLock { state in
            state.machine.ended()
            return state.connection
        }
        let problem = LinkError(code: "archive", message: "the server can't store events; its log says why")
        ingest.events.tell(.refused(peer: peer, problem))
        connection?.send(ServerLine.error(problem).bytes)
        connection?.close(code: CloseCode.serverFailed.rawValue, reason: problem.message)
    }

    private func opened(_ session: Session) {
        let hello = state.withLock { state -> Hello? in
            guard state.connection != nil else { return nil }
            state.session = session
            state.isPaused = session.isPaused
            state.committed = session.next
            return state.hello
        }
        guard let hello else { return }
        ingest.apps.attach(session.id, self)
        guard hello.fresh, session.next == 0, !hello.recovered else { return welcome(session, nil) }
        ingest.workers.run { [ingest] in
            let begin = ingest.launches.begin(session)
            ingest.loop.execute { self.welcome(session, begin) }
        }
    }

    private func welcome(_ session: Session, _ begin: LaunchOffer?) {
        let offered = state.withLock { $0.hello?.compress } ?? []
        var welcome = Welcome(
            session: session.id, have: session.next, server: Release.name, archive: ingest.archive,
            isPrivate: ingest.isPrivate, maxMessage: ingest.maxMessage, recording: !session.isPaused,
            compress: offered.first { $0 == Compression.deflate }, start: begin?.start)
        let bytes = ServerLine.welcome(welcome).bytes.count
        if welcome.start != nil, bytes > maxMessage {
            welcome.start = nil
            let message = "the launch state has \(bytes) bytes; the app accepts messages of at most \(maxMessage)"
            ingest.events.tell(.launched(.failed(Pushed.Failure(code: "too-long", message: message)), session))
        }
        let isClosed = state.withLock { state in
            state.start = welcome.start?.id
            state.isOpening = false
            state.isWelcome = state.connection != nil
            return state.connection == nil
        }
        if isClosed { return }
        state.withLock { $0.connection }?.limitMessages(to: ingest.maxMessage)
        send(.welcome(welcome))
        if welcome.start != nil, let replay = begin?.replay {
            ingest.events.tell(.replaying(replay, into: session, self))
        }
        updateReading()
        ingest.events.tell(.changed([session.id]))
        step { $0.opened(have: session.next, ended: session.ended != nil) }
    }

    private func step(_ body: (inout AppLinkState) -> [AppLinkState.Action]) {
        for action in state.withLock({ body(&$0.machine) }) { perform(action) }
    }

    private func perform(_ action: AppLinkState.Action) {
        switch action {
        case .open(let hello):
            state.withLock { state in
                state.hello = hello
                state.isOpening = true
                state.overdue?.cancel()
            }
            guard ingest.apps.accept(self) else { return step { $0.foundFull() } }
            guard ingest.apps.claim(hello, owner: owner) else { return replaced() }
            updateReading()
            let opening = SessionOpening(
                header: hello.header, keyHash: SHA256.hash(hello.key), owner: owner,
                attempt: hello.recovered ? nil : hello.attempt)
            add(.open(opening))
        case .append(let lines):
            guard let session = state.withLock({ $0.session }) else { return }
            let batch = Batch(session: session.row, owner: owner, lines: lines)
            let isFull = state.withLock { state in
                state.waiting += batch.bytes
                return state.waiting > Self.share
            }
            add(.append(batch))
            if isFull { updateReading() }
        case .ack(let next): send(.ack(next: next))
        case .pushed(let answer):
            ingest.events.tell(.answered(answer, self))
            let (session, isStart, isFirst) = state.withLock { state in
                let isStart = answer.id == state.start
                if isStart { state.start = nil }
                state.answers += 1
                return (state.session, isStart, state.answers <= Self.maxLaunchAnswers)
            }
            guard let session else { return }
            if isFirst { ingest.events.tell(.launchAnswered(answer, session)) }
            if isStart { ingest.events.tell(.launched(answer.result, session)) }
        case .queued(let count):
            let session = state.withLock { state in
                state.queued = count
                return state.session
            }
            if let session { ingest.events.tell(.changed([session.id])) }
        case .close(let code, let error):
            // These are not mistakes of the app, which knows what to do.
            if ![.replaced, .deleted, .otherArchive].contains(code) {
                ingest.events.tell(.refused(peer: peer, error))
            }
            let connection = state.withLock { state in
                state.isWelcome = false
                return state.connection
            }
            let delay = error.code == "not-authorised" ? ingest.wrongTokens.add(peer: peer) : .zero
            connection?.close(
                after: delay, sending: ServerLine.error(error).bytes, code: code.rawValue,
                reason: error.message.truncated(toBytes: 123))
        }
    }

    private func add(_ change: Change) {
        if !ingest.committer.add(change, self) { ingest.apps.pause(true) }
    }
}

extension String {
    /// The longest prefix of whole scalars that fits. A close reason has at most 123 bytes.
    fileprivate func truncated(toBytes count: Int) -> String {
        guard utf8.count > count else { return self }
        var text = self
        while text.utf8.count > count - 3 { text.unicodeScalars.removeLast() }
        return text + "…"
    }
}
