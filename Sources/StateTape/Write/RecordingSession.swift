import Foundation
import StateCapture
import TapeFormat
import TapeUplink

/// Records one run of the app: numbers the events, runs the link, and passes pushes to the stores.
///
/// An actor on the recorder's own thread. Callers submit pending events from any thread, and reach the rest by
/// ``post(_:)``, which costs no task.
actor RecordingSession {
    /// The most pushes that wait for the app.
    static let maxPushes = 64
    /// The longest time that a push waits, in milliseconds.
    static let longestWait = 3_600_000
    /// The most recorded actions that wait. A server that follows the protocol sends no more than 64 before the first
    /// is reduced.
    static let maxReplays = 256
    /// The most warnings of one kind. An app that answers each warning with the cause of the next would never stop.
    static let maxWarnings = 100
    /// How long pending events are written before the link gets its turn.
    static let turn: Duration = .milliseconds(10)
    /// How long lines gather while events are written.
    static let gather: Duration = .milliseconds(2)
    /// Frees dropped events.
    static let cleaner = DispatchQueue(label: "statetape.cleaner", qos: .utility)
    /// Freeing a deep value takes a large stack, too.
    private static let cleanerStack = RecorderStack()

    let starts: Starts
    let log: @Sendable (String) -> Void
    let report: @Sendable (RecorderStatus) -> Void
    let layouts: Layouts
    let migrations: Migrations
    /// Whether every patch is checked against the state encoded whole.
    let isVerifying: Bool
    let arrayPolicy: ArrayHabit.Policy
    let redactor: Redactor
    nonisolated let thread = RecorderThread()
    nonisolated var unownedExecutor: UnownedSerialExecutor { thread.asUnownedSerialExecutor() }
    let origin = ContinuousClock.now
    let captures = Locked(CaptureQueue())
    let stores = Locked(Stores())
    /// The number of dispatches begun.
    let dispatches = Locked(0)
    let makeTransport: @Sendable () throws -> any Transport
    let makeIdentity: @Sendable () -> LinkState.SessionIdentity
    let bounds: Outbox.Bounds
    /// Whether the session began with the process: only then can the server set a launch state.
    let isLaunch: Bool
    /// The actions that have no line yet. They outlive the process.
    let pending = PendingActions()

    /// How long the app's stores may take.
    let patience = Locked(Patience())

    /// Events taken from the queue and not written yet, the next one last.
    var backlog: [PendingEvent] = []
    var positions = EventPositions()
    /// Nil if call stacks are not recorded.
    var callStacks: CallStackWriter?
    private(set) var address: Address?
    /// Lines that are sent together; nil while each line is sent at once.
    var gathering: Gathering?
    /// Whether the recorder's thread is scheduled to look again.
    var isComing = false
    /// Made on this thread, because naming the session reads a file.
    private(set) lazy var link = makeLink()
    /// Whether the header has the types of the stores: it is on its way to the server, or has lines behind it.
    var isHeaderComplete = false
    /// The events that have the tables of types so far.
    var typeTables: [[ObjectIdentifier]: Int] = [:]
    var file: TapeFile?
    /// Where the tape file is, or was until the session ended.
    private(set) var filePath: String?
    /// Nil if events are kept in memory only.
    var spool: Spool?
    let spoolFolder: SpoolFolder?
    var recovery: Recovery?
    var transport: (any Transport)?
    /// How many warnings of each kind were logged.
    var warnings: [Substring: Int] = [:]
    var next = 0
    /// The time of the last event, in milliseconds since the start: the times on a tape never go back.
    var latest = 0.0
    var pushes: [WaitingPush] = []
    var isPlaying = false
    /// The replay that ends once its dispatched actions are on the tape.
    var replayed: ReplayEnd?
    var loop: RunningLoop?
    /// Whether only pushes are recorded.
    var isPaused = false
    var onEnd: [@Sendable (_ hasAll: Bool) -> Void] = []
    var isEnded = false
    var isStopped = false

    struct ReplayEnd {
        let id: String
        /// Why it stopped early.
        var failure: Pushed.Failure?
    }

    struct Patience {
        /// How long a store may take to reduce an action after its dispatch has returned.
        var reduceLimit: Duration = .seconds(2)
        /// How long a closure of a store may keep the end of a lock waiting.
        var unlockLimit: Duration = .seconds(5)
    }

    /// Lines that were written since a time and not sent yet.
    struct Gathering {
        var since: Duration
        var bytes = 0
    }

    /// The attached stores, and the settings for new ones.
    struct Stores {
        struct Weak {
            weak var store: (any AnyStoreRecorder)?
        }

        var byName: [String: Weak] = [:]
        /// The types of the stores so far, if a test can name them.
        var types: [String: Header.StoreTypes] = [:]
        /// Stores that are gone, until their `detach` is written.
        var leaving: [ObjectIdentifier: Weak] = [:]
        var isPaused = false
        /// Recording has ended.
        var isClosed = false
        /// Nil while the app runs its own actions.
        var lock: LockKind?
    }

    init(
        target: Settings.Target, launch: Launch, bounds: Outbox.Bounds = Outbox.Bounds(), isVerifying: Bool = false,
        hasCallStacks: Bool = false, isCrashSafe: Bool = true, isLaunch: Bool = true, redactor: Redactor,
        layouts: Layouts,
        migrations: Migrations = Migrations(), transport: @escaping @Sendable () throws -> any Transport,
        log: @escaping @Sendable (String) -> Void, report: @escaping @Sendable (RecorderStatus) -> Void
    ) {
        let (started, token) = (Date(), target.address?.token)
        address = target.address
        starts = Starts(limit: LaunchWait(launch.environment).limit)
        self.bounds = bounds
        self.isLaunch = isLaunch
        self.isVerifying = isVerifying
        callStacks = hasCallStacks ? CallStackWriter() : nil
        arrayPolicy = launch.ownsArrays ? .always : .standard
        self.redactor = redactor
        self.layouts = layouts
        self.migrations = migrations
        (self.log, self.report) = (log, report)
        spoolFolder = isCrashSafe ? target.spool.map { SpoolFolder(place: $0, log: log) } : nil
        makeTransport = transport
        let server = target.address.map(SessionServer.init) ?? SessionServer()
        makeIdentity = {
            var identity = Identity(started: started, token: token, launch: launch, redactor).sessionIdentity
            identity.server = server
            return identity
        }
        post { $0.begin(target.file) }
        if target.address == nil || !isLaunch { _ = starts.settle(nil) }
    }

    deinit {
        // Stopping waits for the transport's thread, which would block the caller of this deinit.
        if let transport { DispatchQueue.global().async { transport.stop() } }
    }

    private func begin(_ path: String?) {
        let header = link.state.sessionIdentity.header
        file = path.flatMap { path in
            TapeFile(path: path.replacingOccurrences(of: "%s", with: header.session), header: header, log: log)
        }
        filePath = file?.path
        openSpool()
        feed(.connect)
        spool?.sync()
        spoolFolder?.tidy(limit: bounds.bytes)
    }

    private func makeLink() -> Link {
        let state = LinkState(
            sessionIdentity: makeIdentity(), bounds: bounds, launched: isLaunch ? .zero : .seconds(-60),
            compresses: address?.compresses ?? false)
        let link = Link(state, route)
        link.arrived = { [weak self] input in self?.here { $0.feed(input) } }
        return link
    }

    /// The time since the launch, by a monotonic clock that counts sleep.
    nonisolated var now: Duration { ContinuousClock.now - origin }
}

// MARK: From any thread

extension RecordingSession {
    /// Does something on the recorder's thread, after what was posted before.
    nonisolated func post(_ body: @escaping @Sendable (isolated RecordingSession) -> Void) {
        thread.queue.async { self.here(body) }
    }

    /// Does something on the recorder's thread later, if the session still exists.
    nonisolated func after(_ delay: Duration, _ body: @escaping @Sendable (isolated RecordingSession) -> Void) {
        thread.queue.asyncAfter(deadline: .now() + delay.milliseconds / 1_000) { [weak self] in self?.here(body) }
    }

    /// Does something on the recorder's thread, and waits for the result.
    nonisolated func wait<Value>(for body: (isolated RecordingSession) throws -> Value) rethrows -> Value {
        try thread.queue.sync { try here(body) }
    }

    /// Does something now; called on the recorder's thread.
    // As `assumeIsolated`, which on macOS 14 and iOS 17 knows the code of tasks only.
    nonisolated func here<Value>(_ body: (isolated RecordingSession) throws -> Value) rethrows -> Value {
        thread.checkIsolated()
        return try withoutActuallyEscaping(body) { body in
            try unsafeBitCast(body, to: ((RecordingSession) throws -> Value).self)(self)
        }
    }

    /// How long a store may take to reduce an action after its dispatch has returned.
    nonisolated var reduceLimit: Duration {
        get { patience.withLock { $0.reduceLimit } }
        set { patience.withLock { $0.reduceLimit = newValue } }
    }

    /// How long a closure of a store may keep the end of a lock waiting.
    nonisolated var unlockLimit: Duration {
        get { patience.withLock { $0.unlockLimit } }
        set { patience.withLock { $0.unlockLimit = newValue } }
    }

    /// The queue of the recorder's thread.
    nonisolated var queue: DispatchQueue { thread.queue }

    /// Adds a store under a name that no other store has now.
    nonisolated func attach<Store: AnyStoreRecorder>(
        _ name: String, _ types: Header.StoreTypes?, _ make: (String) -> Store
    ) -> Store {
        // Kept until the lock is free: releasing a store may release the app's values.
        var others: [any AnyStoreRecorder] = []
        return stores.withLock { stores in
            var (unique, number) = (name, 2)
            while let other = stores.byName[unique]?.store {
                others.append(other)
                unique = "\(name)#\(number)"
                number += 1
            }
            let store = make(unique)
            stores.byName[unique] = Stores.Weak(store: store)
            stores.types[unique] = types
            if stores.isPaused { store.pause() }
            if stores.isClosed { store.close() }
            if let lock = stores.lock { store.lock(lock) }
            return store
        }
    }

    /// Frees the name of a store that is gone. Its remaining events are written first, then its `detach`.
    nonisolated func detach(_ store: any AnyStoreRecorder, wasBegun: Bool) {
        let (id, name) = (ObjectIdentifier(store), store.name)
        if wasBegun {
            stores.withLock { $0.leaving[id] = Stores.Weak(store: store) }
            submit(
                Job { session in
                    session.stores.withLock { $0.leaving[id] = nil }
                    session.append(.detach, store: name, at: session.now)
                    store.leave(session)
                })
        }
        // Last, so that a store that takes the name begins after this one has ended.
        stores.withLock { $0.byName[name] = nil }
        // A replay may wait for it.
        storeConnected()
    }

    /// Submits a pending event to the recorder's thread.
    ///
    /// - Returns: Whether callers should submit no more states for now.
    @discardableResult
    nonisolated func submit(_ event: PendingEvent) -> Bool {
        let result = captures.withLockUnchecked { $0.append(event) }
        if result.callsRecorder { post { $0.drain() } }
        if result.callsCleaner {
            Self.cleaner.async { [captures, pending] in
                Self.cleanerStack.run {
                    for event in captures.withLock({ $0.takeGarbage() }) { event.place.map(pending.free) }
                }
            }
        }
        return result.isFull
    }

    /// Waits until every pending event is written.
    nonisolated func settle() {
        wait { $0.drain(all: true) }
    }

    /// Plays the pushes that waited for a store's connection, or for its queued actions.
    nonisolated func storeConnected() {
        post { $0.playNext() }
    }

    /// Applies a launch state that arrived after its store had launched.
    nonisolated func playLate(_ push: WaitingPush) {
        post { session in
            session.pushes.append(push)
            session.playNext()
        }
    }

    /// Ends the session.
    ///
    /// - Parameter done: Called on the recorder's thread once the server has everything, or never will.
    nonisolated func end(_ done: @escaping @Sendable (_ hasAll: Bool) -> Void) {
        post { $0.endHere(done) }
    }

    /// Continues with another server. It gets the events that the last one has not acknowledged, unless that one is
    /// private, and the stores' states.
    nonisolated func move(to new: Address) {
        post { $0.moveHere(to: new) }
    }

    /// Closes the connection after the queued messages and ends the recording.
    ///
    /// - Parameter done: Called on the recorder's thread once all files are closed.
    nonisolated func stop(_ done: @escaping @Sendable () -> Void = {}) {
        post { session in
            session.isStopped = true
            session.closeCaptures()
            session.link.close()
            session.file = nil
            session.closeSpool(remove: false)
            done()
        }
    }
}

// MARK: On the recorder's thread

extension RecordingSession {
    private func endHere(_ done: @escaping @Sendable (_ hasAll: Bool) -> Void) {
        drain(all: true)
        guard !isStopped else { return done(false) }
        if !isEnded {
            for store in attached { store.tellSkipped(in: self) }
            append(.end, at: now)
            isEnded = true
            closeCaptures()
            pending.close()
        }
        guard address != nil else { return done(true) }
        guard link.state.phase != .stopped, !link.state.outbox.isEmpty else {
            return done(link.state.phase != .stopped)
        }
        onEnd.append(done)
        // A scheduled retry may be seconds away, which is too late.
        feed(.connect)
    }

    private func moveHere(to new: Address) {
        guard address != nil, !isStopped, link.state.phase != .stopped else {
            return log(
                "The recorder uses \(new.server) from the next launch on: in this launch, recording has ended.")
        }
        address = new
        link.state.move(token: new.token, compresses: new.compresses, to: SessionServer(new))
        spool?.identify(as: link.state.sessionIdentity)
        // It has the last server's token. The new server's welcome starts it again.
        recovery?.stop()
        recovery = nil
        link.disconnect(reason: "the app was given another server")
        feed(.transport(.closed(code: CloseCode.goingAway.rawValue, reason: "the app was given another server")))
        feed(.connect)
    }

    func closeCaptures() {
        _ = captures.withLock { $0.close() }
        stores.withLock { $0.isClosed = true }
        for store in attached { store.close() }
    }
}
