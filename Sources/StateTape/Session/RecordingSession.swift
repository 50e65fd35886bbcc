import Foundation
import TapeFormat

/// One run of the app as it is being recorded: numbers the events, runs the link, hands pushes to the stores.
///
/// Callers leave samples from any thread; everything else happens on the recorder's own thread.
// Unchecked: what is marked as the recorder's thread's is touched on `queue` only.
final class RecordingSession: @unchecked Sendable {
    /// How many pushes wait for the app.
    static let maxPushes = 64
    /// How long a push waits at most, in milliseconds.
    static let longestWait = 3_600_000
    /// How many recorded actions do; a server that keeps to the rules sends no more than 64 before the first is reduced.
    static let maxReplays = 256
    /// How often a warning of one kind is told: an app that answers each by what brings the next would never end.
    static let maxWarnings = 100
    private static let queueKey = DispatchSpecificKey<ObjectIdentifier>()
    /// How long samples are written before the link has its turn.
    static let turn: Duration = .milliseconds(10)
    /// How long samples gather while the app is busy, and lines while samples are written.
    static let pause: Duration = .milliseconds(2)
    /// Frees what was dropped.
    static let cleaner = DispatchQueue(label: "statetape.cleaner", qos: .utility)

    let starts: Starts
    let log: @Sendable (String) -> Void
    let layouts: Layouts
    /// Whether every patch is held against the state encoded whole.
    let isVerifying: Bool
    let arrayPolicy: ArrayHabit.Policy
    let redactor: Redactor
    let queue = DispatchQueue(label: "statetape.recorder", qos: .utility)
    let origin = ContinuousClock.now
    let captures = Locked(CaptureQueue())
    let stores = Locked(Stores())
    /// How many dispatches were begun.
    let dispatches = Locked(0)
    let makeTransport: @Sendable () throws -> any Transport
    let makeSpeaker: @Sendable () -> LinkState.SessionIdentity
    let bounds: Outbox.Bounds
    /// It began with the process: the server may say where the app is to start.
    let isLaunch: Bool
    /// The actions that have no line yet, safe from the process's death.
    let pending = PendingActions()

    // The recorder's thread's:
    /// Samples that were taken and not written yet, the next last.
    var backlog: [PendingEvent] = []
    private(set) var address: Address?
    /// Lines that are sent together; nil while each is sent as it is written.
    var gathering: Gathering?
    /// The recorder's thread comes back by itself.
    var isComing = false
    /// Made on this thread, as naming the session reads a file.
    private(set) lazy var link = LinkHolder(
        LinkState(
            sessionIdentity: makeSpeaker(), bounds: bounds, launched: isLaunch ? .zero : .seconds(-60),
            compresses: address?.compresses ?? false))
    var file: TapeFile?
    /// Nil where events are kept in memory only.
    var spool: Spool?
    let spoolFolder: SpoolFolder?
    var recovery: Recovery?
    var transport: (any Transport)?
    var connection: (any TransportConnection)?
    /// Which connection is heard.
    var attempt = 0
    var timers: [LinkState.Timer: Int] = [:]
    /// What the link is told, the first of it right now.
    var inputs: [LinkState.Input] = []
    /// How often a warning of each kind was told.
    var warnings: [Substring: Int] = [:]
    var next = 0
    var pushes: [WaitingPush] = []
    var isPlaying = false
    /// The replay that ends once everything it asked for is on the tape.
    var replayed: String?
    /// Only what is pushed is written.
    var isPaused = false
    var onEnd: [(_ hasAll: Bool) -> Void] = []
    var isEnded = false
    var isStopped = false

    /// Changed in place: a lazy property by itself is taken out and put back, which copies all the events that are held.
    final class LinkHolder {
        var state: LinkState

        init(_ state: LinkState) { self.state = state }
    }

    /// Lines that were written since a time and not sent.
    struct Gathering {
        var since: Duration
        var bytes = 0
    }

    /// The stores that are attached, and what holds for those that come.
    struct Stores {
        struct Weak {
            weak var store: (any AnyStoreTape)?
        }

        var byName: [String: Weak] = [:]
        /// Those that are gone, until that is written.
        var leaving: [ObjectIdentifier: Weak] = [:]
        var isPaused = false
        var isLocked = false
        var isReplaying = false
    }

    init(
        target: Settings.Target, launch: Launch, bounds: Outbox.Bounds = Outbox.Bounds(), isVerifying: Bool = false,
        isCrashSafe: Bool = true, isLaunch: Bool = true, redactor: Redactor, layouts: Layouts,
        transport: @escaping @Sendable () throws -> any Transport, log: @escaping @Sendable (String) -> Void
    ) {
        let (started, token) = (Date(), target.address?.token)
        address = target.address
        starts = Starts(limit: launch.startLimit)
        self.bounds = bounds
        self.isLaunch = isLaunch
        self.isVerifying = isVerifying
        arrayPolicy = launch.ownsArrays ? .always : ArrayHabit.Policy()
        self.redactor = redactor
        self.layouts = layouts
        self.log = log
        spoolFolder = isCrashSafe ? target.spool.map { SpoolFolder(place: $0, log: log) } : nil
        makeTransport = transport
        makeSpeaker = { Identity(started: started, token: token, launch: launch, redactor).sessionIdentity }
        queue.setSpecific(key: Self.queueKey, value: ObjectIdentifier(self))
        queue.async { [self] in
            file = target.file.flatMap { TapeFile(path: $0, header: link.state.sessionIdentity.header, log: log) }
            openSpool()
            feed(.connect)
            spoolFolder?.tidy(limit: bounds.bytes)
        }
        if target.address == nil || !isLaunch { _ = starts.settle(nil) }
    }

    deinit {
        // Stopping waits for the transport's thread, which nobody's deinit should.
        if let transport { DispatchQueue.global().async { transport.stop() } }
    }

    /// Whether this is the recorder's own thread, as where it encodes or logs.
    var isOnQueue: Bool { DispatchQueue.getSpecific(key: Self.queueKey) == ObjectIdentifier(self) }

    /// Since the launch; a monotonic clock that counts sleep.
    var now: Duration { ContinuousClock.now - origin }
}

// MARK: From any thread

extension RecordingSession {
    /// Adds a store under a name that no other has now.
    func attach<Store: AnyStoreTape>(_ name: String, _ make: (String) -> Store) -> Store {
        // Held until the lock is free: the last to let go of a store lets go of the app's values.
        var others: [any AnyStoreTape] = []
        return stores.withLock { stores in
            var (unique, number) = (name, 2)
            while let other = stores.byName[unique]?.store {
                others.append(other)
                unique = "\(name)#\(number)"
                number += 1
            }
            let store = make(unique)
            stores.byName[unique] = Stores.Weak(store: store)
            if stores.isPaused { store.pause() }
            if stores.isLocked { store.lock(isReplaying: stores.isReplaying) }
            return store
        }
    }

    /// Frees the name of a store that is gone. What it left is still to be written, and its `detach` after that.
    func detach(_ store: any AnyStoreTape, wasBegun: Bool) {
        let (id, name) = (ObjectIdentifier(store), store.name)
        if wasBegun {
            stores.withLock { $0.leaving[id] = Stores.Weak(store: store) }
            submit(
                Job { session in
                    session.stores.withLock { $0.leaving[id] = nil }
                    session.append(.detach, store: name, at: session.now)
                })
        }
        // Last: a store that takes the name begins after this one has ended.
        stores.withLock { $0.byName[name] = nil }
    }

    /// Leaves a sample for the recorder's thread.
    ///
    /// - Returns: Whether no more states should be left for now.
    @discardableResult
    func submit(_ sample: PendingEvent) -> Bool {
        let errand = captures.withLock { $0.append(sample) }
        if errand.callsRecorder { queue.async { [self] in drain() } }
        if errand.callsCleaner {
            Self.cleaner.async { [captures, pending] in
                for sample in captures.withLock({ $0.takeGarbage() }) { sample.place.map(pending.free) }
            }
        }
        return errand.isFull
    }

    /// Waits until every sample is written.
    func settle() {
        queue.sync { drain(all: true) }
    }

    /// A store has been connected: what waited for it can be played.
    func storeConnected() {
        queue.async { [self] in playNext() }
    }

    /// Plays a start that came after its store had begun.
    func playLate(_ push: WaitingPush) {
        let hand = UncheckedSendable(push)
        queue.async { [self] in
            pushes.append(hand.value)
            playNext()
        }
    }

    /// Ends the session.
    ///
    /// - Parameter done: Called on the recorder's thread once the server has everything, or never will.
    func end(_ done: @escaping @Sendable (_ hasAll: Bool) -> Void) {
        queue.async { [self] in
            drain(all: true)
            guard !isStopped else { return done(false) }
            if !isEnded {
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
            // A retry that is seconds away would come too late.
            feed(.connect)
        }
    }

    /// Goes on with another server: it gets what the one before it has not acknowledged, and the stores' states.
    func move(to new: Address) {
        queue.async { [self] in
            guard address != nil, !isStopped, link.state.phase != .stopped else {
                return log(
                    "The recorder uses \(new.server) from the next launch on: this launch has ended its recording.")
            }
            address = new
            link.state.move(token: new.token, compresses: new.compresses)
            attempt += 1
            connection?.close(code: CloseCode.normal.rawValue, reason: "the app was given another server")
            connection = nil
            feed(.transport(.closed(code: CloseCode.goingAway.rawValue, reason: "the app was given another server")))
            feed(.connect)
        }
    }

    private func closeCaptures() {
        _ = captures.withLock { $0.close() }
        for store in attached { store.close() }
    }

    /// Closes the connection after what is queued; nothing is recorded any more.
    ///
    /// - Parameter done: Called on the recorder's thread once all files are closed.
    func stop(_ done: @escaping @Sendable () -> Void = {}) {
        queue.async { [self] in
            isStopped = true
            closeCaptures()
            connection?.close(code: CloseCode.normal.rawValue, reason: "")
            attempt += 1
            file = nil
            closeSpool(remove: false)
            done()
        }
    }
}

extension Duration {
    /// As a fraction.
    var milliseconds: Double {
        let (seconds, attoseconds) = components
        return Double(seconds) * 1_000 + Double(attoseconds) / 1e15
    }
}
