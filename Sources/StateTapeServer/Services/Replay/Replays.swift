import Dispatch
import Logging
import TapeArchive
import TapeEngine
import TapeFormat

/// Replays recorded actions through apps' reducers, in a new run or in the running app (a *live replay*). Compares the
/// resulting states with the recording, event by event, and reports the first difference.
///
/// Reading, sending and comparing run on one separate queue, in small steps. An app has at most ``window``
/// unanswered actions.
final class Replays: Sendable {
    static let window = 64

    private let archive: any SessionCatalogue
    private let tapes: Tapes
    private let states: States
    /// How long an app may do nothing about a new live replay, or about the request to stop it.
    private let limit: Duration
    private let apps: LiveApps
    private let events: EventPost
    private let logger: Logger
    private let queue = DispatchQueue(label: "statetape.replay", qos: .utility)
    private let running = Locked<[String: RunningReplay]>([:])
    private let isStopped = Locked(false)

    /// How often work is tried that the archive doesn't let through, and the time between two tries.
    private static let (maxTries, pause) = (16, DispatchTimeInterval.milliseconds(250))

    init(
        _ archive: any SessionCatalogue, _ tapes: Tapes, _ states: States, apps: LiveApps, limit: Duration,
        events: EventPost, logger: Logger
    ) {
        (self.archive, self.tapes, self.states, self.apps) = (archive, tapes, states, apps)
        (self.limit, self.events, self.logger) = (limit, events, logger)
    }

    /// Marks replays as lost if the server that began them has ended.
    private func endLost() {
        do {
            try archive.endReplays()
        } catch {
            logger.error("The replays of an earlier server run can't be ended: \(error)")
        }
    }

    /// The app got its welcome with the launch state.
    private func begin(_ replay: Replay, in app: AppPort) {
        let run = RunningReplay(replay, in: app, looked: 0)
        running.withLock { running in
            running[app.session] = run
            apps.setLaunchReplay(replay, of: app)
        }
        work(on: run) { run, session in
            try self.keep(replay, session)
            try self.send(run)
        }
    }

    /// Begins a live replay. On the loop's thread, so that the end of its connection is told later.
    ///
    /// - Parameters:
    ///   - message: Its line for the app.
    ///   - next: The next event of the app.
    /// - Returns: False if a replay is running in the app.
    func begin(_ replay: Replay, _ message: ServerLine, in app: AppPort, from next: Int) -> Bool {
        let run = RunningReplay(replay, in: app, looked: next)
        let isFree = running.withLock { running in
            guard running[app.session] == nil else { return false }
            running[app.session] = run
            apps.setLiveReplay(replay, of: app.session)
            return true
        }
        guard isFree else { return false }
        app.send(message)
        work(on: run) { run, _ in try self.send(run) }
        end(run, unless: \.isBegun) { replay in
            let message = "the app did not begin the replay: a debugger stopped it, or its recorder is too old"
            replay.fail(Pushed.Failure(code: .noAnswer, message: message))
        }
        return true
    }

    /// Stops the live replay in an app.
    ///
    /// - Returns: False if none is running.
    func stopLive(in session: String) -> Bool {
        guard let run = running.withLock({ $0[session] }), run.isLive else { return false }
        run.app.send(.loop(Loop(id: run.id, states: nil)))
        work(on: run) { run, _ in run.isAllSent = true }
        end(run, unless: { _ in false }) { $0.status = .stopped }
        return true
    }

    /// Ends a live replay after the limit, if it still runs.
    private func end(
        _ run: RunningReplay, unless isDue: @escaping @Sendable (RunningReplay) -> Bool,
        _ change: @escaping @Sendable (inout Replay) -> Void
    ) {
        queue.asyncAfter(deadline: .now() + limit / .seconds(1)) { [weak self] in
            guard let self else { return }
            work(on: run) { run, session in
                guard !isDue(run) else { return }
                run.app.send(.loop(Loop(id: run.id, states: nil)))
                try self.end(run, session, change)
            }
        }
    }

    /// More events of the app are committed.
    private func committed(_ lines: [EventLine], _ link: AppLink) {
        guard let run = run(of: link) else { return }
        let caused = lines.filter { line in
            guard line.raw("cause") != nil, let cause = line["cause"] else { return false }
            return (cause["push"] ?? cause["loop"])?.string == run.id
        }
        let next = (lines.last?.seq ?? -1) + 1
        work(on: run) { run, session in
            for line in caused where line.kind == .action { try self.take(line, run, session) }
            run.looked = next
            if !caused.isEmpty { run.isBegun = true }
            try self.send(run)
            try self.endIfCommitted(run, session)
        }
    }

    /// The app has finished the replay, or failed at an event.
    private func answered(_ pushed: Pushed, _ link: AppLink) {
        guard let run = run(of: link), run.id == pushed.id else { return }
        work(on: run) { run, session in
            switch pushed.result {
            case .failed(let failure):
                // The actions before the failure are compared first.
                run.last = (pushed.next ?? 0) - 1
                run.failure = failure
            case .played(let seq, _): run.last = seq
            }
            try self.endIfCommitted(run, session)
        }
    }

    /// The app disconnected: its replay stops here.
    private func disconnected(_ link: AppLink) {
        guard let run = run(of: link) else { return }
        work(on: run) { run, session in try self.end(run, session) { $0.status = .lost } }
    }

    /// Stores the status of each replay, and returns once nothing runs.
    func stop() {
        queue.sync { isStopped.withLock { $0 = true } }
    }

    private func run(of link: AppLink) -> RunningReplay? {
        guard let app = link.port, let run = running.withLock({ $0[app.session] }), run.app == app else { return nil }
        return run
    }

    /// Does nothing once the replay has ended, even if another one runs in the same app.
    private func work(on run: RunningReplay, _ body: @escaping RunningReplay.Work) {
        guard run.enter() else {
            return queue.async { self.giveUp(run, "its app sends too much") }
        }
        queue.async { [self] in
            run.due.append(body)
            if run.due.count == 1 { workOff(run) }
        }
    }

    // MARK: On the replay queue

    /// Does the work on a replay that is due.
    private func workOff(_ run: RunningReplay) {
        while !isStopped.withLock({ $0 }), running.withLock({ $0[run.session] === run }), let body = run.due.first {
            do {
                guard let session = try archive.session(run.session) else { return remove(run, nil) }
                try body(run, session)
                run.leave()
            } catch {
                run.failures += 1
                if Unwritable.isTemporary(error), run.failures < Self.maxTries {
                    return queue.asyncAfter(deadline: .now() + Self.pause) { self.workOff(run) }
                }
                return giveUp(run, "\(error)")
            }
        }
    }

    /// Ends a replay whose work can't be done.
    private func giveUp(_ run: RunningReplay, _ reason: String) {
        guard running.withLock({ $0[run.session] === run }) else { return }
        logger.error("The replay into session \(run.session) can't continue: \(reason)")
        run.app.send(run.isLive ? .loop(Loop(id: run.id, states: nil)) : .replay(.init(id: run.id)))
        run.replay.fail(Pushed.Failure(code: .broken, message: "the replay can't continue: \(reason)"))
        if let session = try? archive.session(run.session) { try? store(run.replay, session) }
        remove(run, run.replay)
        events.tell(.changed([run.session]))
    }

    /// The next replay may begin as soon as one sees this one's outcome.
    private func remove(_ run: RunningReplay, _ outcome: Replay?) {
        running.withLock { running in
            guard running[run.session] === run else { return }
            running[run.session] = nil
            report(run, run.isLive ? outcome : nil)
        }
    }

    /// Sends as many actions as the window allows.
    private func send(_ run: RunningReplay) throws {
        defer { report(run, run.replay) }
        guard !run.isAllSent else { return }
        guard let source = try archive.session(run.replay.source) else { return stopSending(run) }
        do { try send(run, from: source) } catch is DeletedSession { stopSending(run) }
    }

    /// The replayed session was deleted: the replay ends after the actions that were sent.
    private func stopSending(_ run: RunningReplay) {
        run.failure = Pushed.Failure(code: .sessionAbsent, message: "the replayed session was deleted")
        finishSending(run)
    }

    private func finishSending(_ run: RunningReplay) {
        run.isAllSent = true
        run.app.send(.replay(.init(id: run.id)))
    }

    private func send(_ run: RunningReplay, from source: Session) throws {
        let limit = run.app.maxMessage
        try tapes[source].each(in: run.next..<run.replay.through + 1) { line in
            guard run.unanswered.count < Self.window else { return false }
            run.next = line.seq + 1
            guard let action = run.replay.action(of: line) else { return true }
            let message = ServerLine.replay(.init(id: run.id, of: line.seq, store: line.store, action: action))
            // In the message, the action is nested two levels deep.
            guard message.bytes.count <= limit, action.fits(inside: 2) else {
                run.replay.tooLong += 1
                return true
            }
            run.unanswered.insert(line.seq)
            run.app.send(message)
            return true
        }
        if run.next > run.replay.through { finishSending(run) }
    }

    /// Compares the state after a replayed action with the recorded one.
    private func take(_ line: EventLine, _ run: RunningReplay, _ session: Session) throws {
        // Counted before a later line of the same commit failed.
        guard let of = line["cause"]?["of"]?.int, line.seq >= run.looked else { return }
        var replay = run.replay
        replay.played += 1
        replay.at = of
        if replay.divergence == nil, let source = try archive.session(replay.source), 0..<source.next ~= of,
            let patch = try unlessDeleted({
                try states.patch(
                    from: tapes[source], after: of, to: tapes[session], after: line.seq, store: line.store)
            })
        {
            replay.compared += 1
            if !patch.operations.isEmpty {
                var divergence = Replay.Divergence(of: of, seq: line.seq, store: line.store, patch: patch)
                if let path = patch.operations.first?.path {
                    divergence.recorded = try unlessDeleted {
                        try value(at: path, of: line.store, in: source, after: of)
                    }
                    divergence.value = try value(at: path, of: line.store, in: session, after: line.seq)
                }
                replay.divergence = divergence
                try keep(replay, session)
            }
        }
        run.looked = line.seq + 1
        run.unanswered.remove(of)
        run.replay = replay
        report(run, run.replay)
    }

    /// Nil if the replayed session was deleted meanwhile: nothing is compared any more.
    private func unlessDeleted<Value>(_ body: () throws -> Value?) throws -> Value? {
        do { return try body() } catch is DeletedSession { return nil }
    }

    private func value(at path: Pointer, of store: String, in session: Session, after seq: Int) throws -> JSON? {
        guard case .state(let state) = try states.state(of: tapes[session], store: store, after: seq) else {
            return nil
        }
        return try state.json()[path]
    }

    private func report(_ run: RunningReplay, _ replay: Replay?) {
        if run.isLive { apps.setLiveReplay(replay, of: run.session) } else { apps.setLaunchReplay(replay, of: run.app) }
    }

    private func endIfCommitted(_ run: RunningReplay, _ session: Session) throws {
        guard let last = run.last, run.looked > last else { return }
        try end(run, session) { replay in
            if let failure = run.failure { replay.fail(failure) } else { replay.status = .done }
        }
    }

    private func end(_ run: RunningReplay, _ session: Session, _ change: (inout Replay) -> Void) throws {
        var replay = run.replay
        change(&replay)
        // If it can't be stored, the run goes on, and ends at the next try.
        try store(replay, session)
        remove(run, replay)
        events.tell(.changed([session.id]))
    }

    private func keep(_ replay: Replay, _ session: Session) throws {
        try store(replay, session)
        events.tell(.changed([session.id]))
    }

    /// Stores the status of a launch replay. That of a live replay belongs to the connection.
    private func store(_ replay: Replay, _ session: Session) throws {
        if replay.plan == nil { try archive.keep(replay.json, of: session.row) }
    }
}

extension Replays: CoreService {
    func handle(_ event: CoreEvent) {
        switch event {
        case .committed(_, let batch, let link?): committed(batch.lines, link)
        case .answered(let answer, let link): answered(answer, link)
        case .replaying(let replay, let link): if let app = link.port { begin(replay, in: app) }
        case .disconnected(let link): disconnected(link)
        case .maintain: queue.async { self.endLost() }
        default: break
        }
    }
}
