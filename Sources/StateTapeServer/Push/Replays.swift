#if Server
    import Dispatch
    import Logging
    import TapeEngine
    import TapeFormat

    /// Replays recorded actions through apps' reducers: of a new run, or of the running app, which is then a loop. Compares the resulting states with the recording, event by
    /// event, and reports the first difference.
    ///
    /// Reading, sending and comparing run on one separate queue, in small steps. An app has at most ``window``
    /// unanswered actions.
    final class Replays: Sendable {
        static let window = 64

        private let archive: any Archive
        private let tapes: Tapes
        private let states: States
        /// How long an app may do nothing about a new loop, or about the request to stop it.
        private let limit: Duration
        private let changed: @Sendable (_ session: String) -> Void
        private let logger: Logger
        private let queue = DispatchQueue(label: "statetape.replay", qos: .utility)
        private let running = Locked<[String: Run]>([:])
        private let isStopped = Locked(false)

        private struct Run {
            let link: AppLink
            var replay: Replay
            /// The next event of the source, and the actions that the app has not answered yet.
            var next: Int
            var unanswered: Set<Int> = []
            var isAllSent = false
            /// The app's answer, and the last event before it, until that is compared.
            var last: Int?
            var failure: Pushed.Failure?
            /// Whether the app has begun the loop.
            var isBegun = false
            /// Every event below was compared.
            var looked = 0
            /// The work on this run, in order. The first piece is under way, or is tried again.
            var due: [@Sendable (Session) throws -> Void] = []
            /// How often the first piece has failed.
            var failures = 0
        }

        /// How often work is tried that the archive doesn't let through, and the time between two tries.
        private static let (maxTries, pause) = (16, DispatchTimeInterval.milliseconds(250))

        init(
            _ archive: any Archive, _ tapes: Tapes, _ states: States, limit: Duration, logger: Logger,
            changed: @escaping @Sendable (_ session: String) -> Void
        ) {
            self.archive = archive
            self.tapes = tapes
            self.states = states
            self.limit = limit
            self.logger = logger
            self.changed = changed
        }

        /// Marks the replays as lost that a server had begun which has ended.
        func endLost() {
            do {
                try archive.endReplays()
            } catch {
                logger.error("The replays of an earlier server run can't be ended: \(error)")
            }
        }

        /// The app got its welcome with the launch state.
        func begin(_ replay: Replay, into session: Session, _ link: AppLink) {
            update(session.id, Run(link: link, replay: replay, next: replay.from + 1))
            work(on: session.id, of: link) { session in
                try self.keep(replay, session)
                try self.send(to: session)
            }
        }

        /// Begins a loop.
        ///
        /// - Parameter message: The loop's line for the app.
        /// - Returns: False if a replay is running in the app.
        func begin(_ replay: Replay, _ message: ServerLine, in session: Session, _ link: AppLink) -> Bool {
            let isFree = running.withLock { running in
                guard running[session.id] == nil else { return false }
                running[session.id] = Run(
                    link: link, replay: replay, next: replay.from + 1, looked: link.committed)
                return true
            }
            guard isFree else { return false }
            link.loop = replay
            link.send(message)
            work(on: session.id, of: link) { try self.send(to: $0) }
            // The app may have disconnected before the replay was known.
            if !link.isLive { disconnected(link) }
            end(replay.start, of: session.id, link, unless: \.isBegun) { replay in
                let message = "the app did not begin the replay: a debugger stopped it, or its recorder is too old"
                replay.fail(Pushed.Failure(code: "no-answer", message: message))
            }
            return true
        }

        /// Stops the loop in an app.
        ///
        /// - Returns: False if none is running.
        func stopLoop(in session: String) -> Bool {
            guard let run = running.withLock({ $0[session] }), run.replay.plan != nil else { return false }
            run.link.send(.loop(Loop(id: run.replay.start, states: nil)))
            work(on: session, of: run.link) { session in
                self.running.withLock { $0[session.id]?.isAllSent = true }
            }
            end(run.replay.start, of: session, run.link, unless: { _ in false }) { $0.status = .stopped }
            return true
        }

        /// Ends a loop after the limit, if it still runs.
        private func end(
            _ id: String, of session: String, _ link: AppLink, unless isDue: @escaping @Sendable (Run) -> Bool,
            _ change: @escaping @Sendable (inout Replay) -> Void
        ) {
            queue.asyncAfter(deadline: .now() + limit / .seconds(1)) { [weak self] in
                guard let self else { return }
                work(on: session, of: link) { session in
                    guard let run = self.running.withLock({ $0[session.id] }), run.replay.start == id, !isDue(run)
                    else { return }
                    link.send(.loop(Loop(id: id, states: nil)))
                    try self.end(session, change)
                }
            }
        }

        /// More events of the app are committed.
        func committed(_ session: String, _ lines: [EventLine], _ link: AppLink) {
            guard let id = running.withLock({ $0[session]?.replay.start }) else { return }
            let caused = lines.filter { line in
                guard line.raw("cause") != nil, let cause = line["cause"] else { return false }
                return (cause["push"] ?? cause["loop"])?.string == id
            }
            let next = (lines.last?.seq ?? -1) + 1
            work(on: session, of: link) { session in
                for line in caused where line.kind == .action { try self.take(line, of: session) }
                self.running.withLock { running in
                    running[session.id]?.looked = next
                    if !caused.isEmpty { running[session.id]?.isBegun = true }
                }
                try self.send(to: session)
                try self.endIfCommitted(session)
            }
        }

        /// The app has finished the replay, or failed at an event.
        func answered(_ pushed: Pushed, _ link: AppLink) {
            guard let session = link.session, running.withLock({ $0[session]?.replay.start }) == pushed.id else {
                return
            }
            work(on: session, of: link) { session in
                switch pushed.result {
                case .failed(let failure):
                    self.running.withLock { running in
                        // The actions before the failure are compared first.
                        running[session.id]?.last = (pushed.next ?? 0) - 1
                        running[session.id]?.failure = failure
                    }
                case .played(let seq, _): self.running.withLock { $0[session.id]?.last = seq }
                }
                try self.endIfCommitted(session)
            }
        }

        /// The app disconnected: its replay stops here.
        func disconnected(_ link: AppLink) {
            guard let session = link.session, running.withLock({ $0[session] }) != nil else { return }
            work(on: session, of: link) { session in try self.end(session) { $0.status = .lost } }
        }

        /// Stores the status of each replay, and returns once nothing runs.
        func stop() {
            queue.sync { isStopped.withLock { $0 = true } }
        }

        private func work(
            on session: String, of link: AppLink, _ body: @escaping @Sendable (Session) throws -> Void
        ) {
            queue.async { [self] in
                let isIdle = running.withLock { running in
                    guard running[session]?.link === link else { return false }
                    running[session]?.due.append(body)
                    return running[session]?.due.count == 1
                }
                if isIdle { workOff(session, link) }
            }
        }

        // MARK: On the replay queue

        /// Does the work on a run that is due.
        private func workOff(_ id: String, _ link: AppLink) {
            while !isStopped.withLock({ $0 }),
                let body = running.withLock({ $0[id]?.link === link ? $0[id]?.due.first : nil })
            {
                do {
                    guard let session = try archive.session(id) else { return drop(id, link) }
                    try body(session)
                    running.withLock { running in
                        guard running[id]?.link === link else { return }
                        running[id]?.due.removeFirst()
                        running[id]?.failures = 0
                    }
                } catch {
                    let failures = running.withLock { running in
                        running[id]?.failures += 1
                        return running[id]?.failures ?? Self.maxTries
                    }
                    if Sealer.isTemporary(error), failures < Self.maxTries {
                        return queue.asyncAfter(deadline: .now() + Self.pause) { self.workOff(id, link) }
                    }
                    logger.error("The replay into session \(id) can't continue: \(error)")
                    return drop(id, link)
                }
            }
        }

        private func drop(_ id: String, _ link: AppLink) {
            running.withLock { $0[id] = nil }
            link.replay = nil
            link.loop = nil
        }

        /// Sends as many actions as the window allows.
        private func send(to session: Session) throws {
            guard var run = running.withLock({ $0[session.id] }) else { return }
            defer { update(session.id, run) }
            guard !run.isAllSent, let source = try archive.session(run.replay.source) else { return }
            let (id, limit) = (run.replay.start, run.link.maxMessage)
            try tapes[source].each(in: run.next..<run.replay.through + 1) { line in
                guard run.unanswered.count < Self.window else { return false }
                run.next = line.seq + 1
                guard let action = run.replay.action(of: line) else { return true }
                let message = ServerLine.replay(.init(id: id, of: line.seq, store: line.store, action: action))
                // In the message, the action is nested two levels deep.
                guard message.bytes.count <= limit, action.fits(inside: 2) else {
                    run.replay.tooLong += 1
                    return true
                }
                run.unanswered.insert(line.seq)
                run.link.send(message)
                return true
            }
            guard run.next > run.replay.through else { return }
            run.isAllSent = true
            run.link.send(.replay(.init(id: id)))
        }

        /// Compares the state after a replayed action with the recorded one.
        private func take(_ line: EventLine, of session: Session) throws {
            guard let of = line["cause"]?["of"]?.int, var run = running.withLock({ $0[session.id] }),
                // Counted before a later line of the same commit failed.
                line.seq >= run.looked
            else { return }
            run.looked = line.seq + 1
            run.unanswered.remove(of)
            run.replay.played += 1
            run.replay.at = of
            if run.replay.divergence == nil, let source = try archive.session(run.replay.source),
                0..<source.next ~= of,
                let patch = try states.patch(
                    from: tapes[source], after: of, to: tapes[session], after: line.seq, store: line.store)
            {
                run.replay.compared += 1
                if !patch.operations.isEmpty {
                    var divergence = Replay.Divergence(of: of, seq: line.seq, store: line.store, patch: patch)
                    if let path = patch.operations.first?.path {
                        divergence.recorded = try value(at: path, of: line.store, in: source, after: of)
                        divergence.value = try value(at: path, of: line.store, in: session, after: line.seq)
                    }
                    run.replay.divergence = divergence
                    try keep(run.replay, session)
                }
            }
            update(session.id, run)
        }

        private func value(at path: Pointer, of store: String, in session: Session, after seq: Int) throws -> JSON? {
            guard case .state(let state) = try states.state(of: tapes[session], store: store, after: seq) else {
                return nil
            }
            return state[path]
        }

        private func update(_ session: String, _ run: Run) {
            running.withLock { $0[session] = run }
            if run.replay.plan == nil { run.link.replay = run.replay } else { run.link.loop = run.replay }
        }

        private func endIfCommitted(_ session: Session) throws {
            guard let run = running.withLock({ $0[session.id] }), let last = run.last, run.looked > last else {
                return
            }
            try end(session) { replay in
                if let failure = run.failure { replay.fail(failure) } else { replay.status = .done }
            }
        }

        private func end(_ session: Session, _ change: (inout Replay) -> Void) throws {
            guard var run = running.withLock({ $0[session.id] }) else { return }
            change(&run.replay)
            // If it can't be stored, the run goes on, and ends at the next try.
            try store(run.replay, session)
            running.withLock { $0[session.id] = nil }
            if run.replay.plan == nil { run.link.replay = nil } else { run.link.loop = run.replay }
            changed(session.id)
        }

        private func keep(_ replay: Replay, _ session: Session) throws {
            try store(replay, session)
            changed(session.id)
        }

        /// Stores the status of a launch's replay. That of a loop belongs to the connection.
        private func store(_ replay: Replay, _ session: Session) throws {
            if replay.plan == nil { try archive.keep(replay.json, of: session.row) }
        }
    }
#endif
