#if Server
    import Dispatch
    import Logging
    import Synchronization
    import TapeEngine
    import TapeFormat

    /// Recorded actions on their way through apps' new reducers. The states that they lead to are held against those of the
    /// recording, event by event; the first that differs is told.
    ///
    /// Reading, sending and comparing happen on a thread of their own, one step at a time; at most ``window`` actions are
    /// with an app that has not answered for them.
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
            /// The next event of the source that is looked at, and the actions that the app has not answered for.
            var next: Int
            var unanswered: Set<Int> = []
            var isAllSent = false
            /// The event that the app has answered with, while it isn't committed.
            var last: Int?
            /// Every event below was looked at.
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
                logger.error("What an earlier server left of its replays can't be ended: \(error)")
            }
        }

        /// The app has been welcomed with the start.
        func begin(_ replay: Replay, into session: Session, _ link: AppLink) {
            update(session.id, Run(link: link, replay: replay, next: replay.from + 1))
            work(on: session.id, of: link) { session in
                try self.keep(replay, session)
                try self.send(to: session)
            }
        }

        /// The app has more committed.
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

        /// The app has answered for the whole replay, or for where it failed.
        func answered(_ pushed: Pushed, _ link: AppLink) {
            guard let session = link.session, running.withLock({ $0[session]?.replay.start }) == pushed.id else {
                return
            }
            work(on: session, of: link) { session in
                switch pushed.result {
                case .failed(let failure): try self.end(session) { $0.fail(failure) }
                case .played(let seq, _, _):
                    self.running.withLock { $0[session.id]?.last = seq }
                    try self.endIfCommitted(session)
                }
            }
        }

        /// The app is gone: its replay ends where it is.
        func gone(_ link: AppLink) {
            guard let session = link.session, running.withLock({ $0[session] }) != nil else { return }
            work(on: session, of: link) { session in try self.end(session) { $0.status = .lost } }
        }

        /// Returns once nothing runs, with what has become of each replay kept; nothing runs any more.
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
                    logger.error("The replay into session \(session) can't go on: \(error)")
                }
                running.withLock { $0[session] = nil }
                link.replay = nil
            }
        }

        // MARK: On the thread of the replays

        /// Sends what the app may have now.
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
                // Two levels of the message are around the action.
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

        /// Holds the state after a replayed action against the recorded one.
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
            try end(session) { $0.status = .done }
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
