import Foundation
import TapeFormat

/// One run of the app as it is being recorded: numbers the events, runs the link, hands pushes to the stores.
///
/// Callers leave samples from any thread; everything else happens on the recorder's own thread.
// Unchecked: what is marked as the recorder's thread's is touched on `queue` only.
final class Session: @unchecked Sendable {
    /// How many pushes wait for the app.
    private static let maxPushes = 64
    /// How long samples are written before the link has its turn.
    private static let turn: Duration = .milliseconds(10)
    /// How long samples gather while the app is busy.
    private static let pause: Duration = .milliseconds(5)
    /// Frees what was dropped.
    private static let cleaner = DispatchQueue(label: "statetape.cleaner", qos: .utility)

    let starts = Starts()
    let log: @Sendable (String) -> Void
    let layouts = Layouts()
    /// Whether every patch is held against the state encoded whole.
    let isVerifying: Bool
    private let queue = DispatchQueue(label: "statetape.recorder", qos: .utility)
    private let origin = ContinuousClock.now
    private let captures = Guarded(CaptureQueue())
    private let stores = Guarded<[String: WeakStore]>([:])
    private let address: Address?
    private let makeTransport: @Sendable () throws -> any Transport
    private let makeSpeaker: @Sendable () -> LinkState.Speaker
    private let bounds: Outbox.Bounds

    // The recorder's thread's:
    /// Samples that were taken and not written yet, the next last.
    private var backlog: [Sample] = []
    /// The recorder's thread comes back by itself.
    private var isComing = false
    private lazy var link = LinkState(speaker: makeSpeaker(), bounds: bounds, launched: .zero)
    private var file: TapeFile?
    private var transport: (any Transport)?
    private var connection: (any TransportConnection)?
    /// Which connection is heard.
    private var attempt = 0
    private var timers: [LinkState.Timer: Int] = [:]
    private var next = 0
    private var pushes: [WaitingPush] = []
    private var isPlaying = false
    private var onEnd: [(_ hasAll: Bool) -> Void] = []
    private var isEnded = false
    private var isStopped = false

    private struct WeakStore {
        weak var store: (any AnyStoreTape)?
    }

    init(
        target: Settings.Target, launch: Launch, bounds: Outbox.Bounds = Outbox.Bounds(), isVerifying: Bool = false,
        transport: @escaping @Sendable () throws -> any Transport, log: @escaping @Sendable (String) -> Void
    ) {
        let (started, token) = (Date(), target.address?.token)
        address = target.address
        self.bounds = bounds
        self.isVerifying = isVerifying
        self.log = log
        makeTransport = transport
        makeSpeaker = { Identity(started: started, token: token, launch: launch).speaker }
        queue.async { [self] in
            file = target.file.flatMap { TapeFile(path: $0, header: link.speaker.header, log: log) }
            feed(.connect)
        }
        if address == nil { _ = starts.settle(nil) }
    }

    deinit {
        // Stopping waits for the transport's thread, which nobody's deinit should.
        if let transport { DispatchQueue.global().async { transport.stop() } }
    }

    /// Since the launch; a monotonic clock that counts sleep.
    var now: Duration { ContinuousClock.now - origin }
}

// MARK: From any thread

extension Session {
    /// Adds a store under a name that no other has now.
    func attach<Store: AnyStoreTape>(_ name: String, _ make: (String) -> Store) -> Store {
        // Held until the lock is free: the last to let go of a store lets go of the app's values.
        var others: [any AnyStoreTape] = []
        return stores.withLock { stores in
            var (unique, number) = (name, 2)
            while let other = stores[unique]?.store {
                others.append(other)
                unique = "\(name)#\(number)"
                number += 1
            }
            let store = make(unique)
            stores[unique] = WeakStore(store: store)
            return store
        }
    }

    /// Leaves a sample for the recorder's thread.
    ///
    /// - Returns: Whether no more states should be left for now.
    @discardableResult
    func submit(_ sample: Sample) -> Bool {
        let errand = captures.withLock { $0.append(sample) }
        if errand.callsRecorder { queue.async { [self] in drain() } }
        if errand.callsCleaner {
            Self.cleaner.async { [captures] in _ = captures.withLock { $0.takeGarbage() } }
        }
        return errand.isFull
    }

    /// Waits until every sample is written.
    func settle() {
        queue.sync { drain() }
    }

    /// A store has been connected: what waited for it can be played.
    func storeConnected() {
        queue.async { [self] in playNext() }
    }

    /// Plays a start that came after its store had begun.
    func playLate(_ push: Push) {
        queue.async { [self] in
            pushes.append(WaitingPush(push: push))
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
                _ = captures.withLock { $0.close() }
            }
            guard address != nil else { return done(true) }
            guard link.phase != .stopped, !link.outbox.isEmpty else { return done(link.phase != .stopped) }
            onEnd.append(done)
            // A retry that is seconds away would come too late.
            feed(.connect)
        }
    }

    /// Closes the connection after what is queued; nothing is recorded any more.
    func stop() {
        queue.async { [self] in
            isStopped = true
            _ = captures.withLock { $0.close() }
            connection?.close(code: CloseCode.normal.rawValue, reason: "")
            attempt += 1
            file = nil
        }
    }
}

// MARK: Events, on the recorder's thread

extension Session {
    /// The longest line that may be written.
    var maxLine: Int { min(Limits.line, link.maxMessage) }

    /// Writes what waits, but not for long at a time: the link has its turn in between, however busy the app is.
    private func drain(all: Bool = false) {
        let began = now
        repeat {
            // A sample is let go of as soon as it is written: while it lives, the app's next change copies what they
            // share.
            while let sample = backlog.popLast() {
                sample.write(to: self)
                if !all, now - began > Self.turn { return queue.async { [self] in drain() } }
            }
            guard let (dropped, samples) = captures.withLock({ $0.take() }) else { return comeBack() }
            if dropped > 0 { writeGap(dropped) }
            backlog = samples.reversed()
        } while true
    }

    /// Looks again in a while if the app is busy.
    private func comeBack() {
        guard !isComing, captures.withLock({ $0.isAwake }) else { return }
        isComing = true
        queue.asyncAfter(deadline: .now() + Self.pause.milliseconds / 1_000) { [self] in
            isComing = false
            guard backlog.isEmpty, captures.withLock({ $0.look() }) else { return drain() }
            for store in attached { store.fallQuiet() }
        }
    }

    /// The next event's line; nothing is written yet.
    func line(
        _ kind: EventKind, store: String = "main", at: Duration, members: [(String, EventLine.Content)]
    ) -> EventLine {
        EventLine(seq: next, at: at.milliseconds, kind: kind, store: store, members: members)
    }

    func append(_ line: EventLine) {
        guard !isEnded, !isStopped else { return }
        next = line.seq + 1
        file?.write(line.bytes)
        if address != nil { feed(.event(line)) }
    }

    func append(_ kind: EventKind, store: String = "main", at: Duration, members: [(String, JSON)] = []) {
        append(line(kind, store: store, at: at, members: members.map { ($0, .json($1)) }))
    }

    func note(_ text: String, level: String? = nil, at: Duration? = nil) {
        if level != nil { log(text) }
        append(
            .note, at: at ?? now, members: [("text", .string(text))] + (level.map { [("level", .string($0))] } ?? []))
    }

    private func writeGap(_ count: Int) {
        append(Outbox.gap(from: next, through: next + count - 1, at: now.milliseconds, .capture))
        for store in attached { store.loseEvents() }
    }

    private var attached: [any AnyStoreTape] {
        stores.withLock { $0.values.compactMap(\.store) }.sorted { $0.name < $1.name }
    }

    private func writeFull(_ name: String?, isNew: Bool = false) {
        for store in attached where name == nil || store.name == name { store.writeFull(to: self, isNew: isNew) }
    }

    /// Runs `body` later on the recorder's thread, if the session is still there.
    func after(_ delay: Duration, _ body: @escaping (Session) -> Void) {
        let hand = Carried(body)
        queue.asyncAfter(deadline: .now() + delay.milliseconds / 1_000) { [weak self] in
            if let self { hand.value(self) }
        }
    }
}

// MARK: Pushes, on the recorder's thread

extension Session {
    func answer(_ answer: PushAnswer, seq: Int) {
        feed(
            .pushed(
                Pushed(id: answer.id, result: .played(seq: seq, filled: answer.filled, ignored: answer.ignored))))
    }

    func fail(_ id: String, _ failure: Pushed.Failure) {
        log("A push could not be played: \(failure.message)\(failure.path.map { ", at “\($0)”" } ?? "")")
        feed(.pushed(Pushed(id: id, result: .failed(failure))))
    }

    private func take(_ push: Push) {
        guard stores.withLock({ $0[push.store]?.store }) != nil else {
            let message = "the app has no store “\(push.store)”"
            return fail(push.id, Pushed.Failure(code: "unknown-store", message: message))
        }
        if pushes.count >= Self.maxPushes { fail(pushes.removeFirst().push.id, .expired) }
        let wait = Duration.milliseconds(push.expires ?? 5_000)
        pushes.append(WaitingPush(push: push, deadline: now + wait))
        // It may have to wait for its store to be connected, or for the app to come to it.
        after(wait) { $0.playNext() }
        playNext()
    }

    /// One at a time and in order; those whose store isn't connected yet wait.
    private func playNext() {
        let now = now
        let late = pushes.filter { $0.deadline.map { $0 <= now } ?? false }
        pushes.removeAll { $0.deadline.map { $0 <= now } ?? false }
        for waiting in late { fail(waiting.push.id, .expired) }
        guard !isPlaying else { return }
        let ready = pushes.firstIndex { waiting in
            stores.withLock { $0[waiting.push.store]?.store }?.isConnected ?? false
        }
        guard let ready else { return }
        let waiting = pushes.remove(at: ready)
        guard let store = stores.withLock({ $0[waiting.push.store]?.store }) else { return playNext() }
        isPlaying = true
        store.play(waiting, in: self) { [weak self] in
            guard let self else { return }
            queue.async { [self] in
                isPlaying = false
                playNext()
            }
        }
    }
}

// MARK: The link, on the recorder's thread

extension Session {
    private func feed(_ input: LinkState.Input) {
        guard address != nil, !isStopped else { return }
        for action in link.handle(input, at: now) { perform(action) }
    }

    private func perform(_ action: LinkState.Action) {
        switch action {
        case .connect: connect()
        case .send(let message): connection?.send(message)
        case .disconnect(let code, let reason):
            attempt += 1
            connection?.close(code: code, reason: reason)
            connection = nil
        case .wait(let timer, let delay):
            let number = timers[timer, default: 0] + 1
            timers[timer] = number
            after(delay) { session in
                if session.timers[timer] == number { session.feed(.timer(timer)) }
            }
        case .settled(let start):
            for push in starts.settle(start) { pushes.append(WaitingPush(push: push)) }
            playNext()
        case .play(let push): take(push)
        case .dropPushes: pushes.removeAll { $0.deadline != nil }
        case .full(let store): writeFull(store)
        case .newSession: beginAgain()
        case .acknowledged: tellEnd(hasAll: true)
        case .stopped:
            isStopped = file == nil
            connection = nil
            tellEnd(hasAll: false)
            if file == nil { _ = captures.withLock { $0.close() } }
        case .log(let message): log(message)
        }
    }

    private func connect() {
        guard let address else { return }
        attempt += 1
        let attempt = attempt
        do {
            let transport = try transport ?? makeTransport()
            self.transport = transport
            connection = transport.connect(to: address) { [weak self] event in
                guard let self else { return }
                queue.async { [self] in
                    if attempt == self.attempt { feed(.transport(event)) }
                }
            }
        } catch {
            feed(.transport(.closed(code: nil, reason: String(describing: error))))
        }
    }

    /// The server has more of the session than was ever made: it is some other's, and this one takes a new name.
    private func beginAgain() {
        let speaker = makeSpeaker()
        link.begin(header: speaker.header, key: speaker.key)
        next = 0
        writeFull(nil, isNew: true)
    }

    private func tellEnd(hasAll: Bool) {
        for done in onEnd { done(hasAll) }
        onEnd = []
    }
}

extension Duration {
    /// As a fraction.
    var milliseconds: Double {
        let (seconds, attoseconds) = components
        return Double(seconds) * 1_000 + Double(attoseconds) / 1e15
    }
}
