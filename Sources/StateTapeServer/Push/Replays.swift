#if Server
    import Dispatch
    import Logging
    import Synchronization
    import TapeEngine
    import TapeFormat

    /// Replays recorded actions through apps' new reducers. Compares the resulting states with the recording, event by
    /// event, and reports the first difference.
    ///
    /// Reading, sending and comparing run on one separate queue, in small steps. An app has at most ``window``
    /// unanswered actions.
    final class Replays: Sendable {
        static let window = 64

        private let archive: any Archive
        private let tapes: Tapes
        private let states: States
        private let changed: @Sendable (_ session: String) -> Void
        private let logger: Logger
        private let queue = DispatchQueue(label: "statetape.replay", qos: .utility)
        private let running = Mutex<[String: Run]>([:])
        private let isStopped = Mutex(false)

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
            /// Every event below was compared.
            var looked = 0
        }

        init(
            _ archive: any Archive, _ tapes: Tapes, _ states: States, logger: Logger,
            changed: @escaping @Sendable (_ session: String) -> Void
        ) {
            self.archive = archive
            self.tapes = tapes
            self.states = states
            self.logger = logger
            self.changed = changed
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

        /// More events of the app are committed.
        func committed(_ session: String, _ lines: [EventLine], _ link: AppLink) {
            guard let id = running.withLock({ $0[session]?.replay.start }) else { return }
            let played = lines.filter { $0.kind == .action && $0["cause"]?["push"]?.string == id }
            work(on: session, of: link) { session in
                for line in played { try self.take(line, of: session) }
                self.running.withLock { $0[session.id]?.looked = (lines.last?.seq ?? -1) + 1 }
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
                case .played(let seq, _, _): self.running.withLock { $0[session.id]?.last = seq }
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
                guard !isStopped.withLock({ $0 }), running.withLock({ $0[session]?.link === link }) else { return }
                do {
                    if let session = try archive.session(session) { return try body(session) }
                } catch {
                    logger.error("The replay into session \(session) can't continue: \(error)")
                }
                running.withLock { $0[session] = nil }
                link.replay = nil
            }
        }

        // MARK: On the replay queue

        /// Sends as many actions as the window allows.
        private func send(to session: Session) throws {
            guard var run = running.withLock({ $0[session.id] }) else { return }
            defer { update(session.id, run) }
            guard !run.isAllSent, let source = try archive.session(run.replay.source) else { return }
            let (id, limit) = (run.replay.start, run.link.maxMessage)
            try tapes[source].each(in: run.next..<run.replay.through + 1) { line in
                guard run.unanswered.count < Self.window else { return false }
                run.next = line.seq + 1
                guard line.kind == .action, let action = line["action"] else { return true }
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
            guard let of = line["cause"]?["of"]?.int, var run = running.withLock({ $0[session.id] }) else { return }
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
                    run.replay.divergence = Replay.Divergence(of: of, seq: line.seq, store: line.store, patch: patch)
                    try keep(run.replay, session)
                }
            }
            update(session.id, run)
        }

        private func update(_ session: String, _ run: Run) {
            running.withLock { $0[session] = run }
            run.link.replay = run.replay
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
            guard var run = running.withLock({ $0.removeValue(forKey: session.id) }) else { return }
            change(&run.replay)
            run.link.replay = nil
            try keep(run.replay, session)
        }

        private func keep(_ replay: Replay, _ session: Session) throws {
            try archive.keep(replay.json, of: session.row)
            changed(session.id)
        }
    }
#endif
