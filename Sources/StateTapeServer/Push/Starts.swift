#if Server
    import Logging
    import TapeFormat

    /// Finds out where a new run begins.
    struct Starts: Sendable {
        struct Begin: Sendable {
            let start: Welcome.Start
            /// The actions that follow.
            var replay: Replay?
        }

        let archive: any Archive
        let tape: TapeReader
        let states: States
        let logger: Logger

        /// The narrowest start state that matches the run; nil if none does or its states can't be had.
        func begin(_ run: Session) -> Begin? {
            do {
                guard let match = StartState.match(try archive.startStates(), run.header),
                    let begin = try begin(match, run), !begin.start.states.isEmpty
                else { return nil }
                if match.once { _ = try archive.deleteStartState(match.id) }
                return begin
            } catch {
                logger.error("The start state of session \(run.id) can't be built: \(error)")
                return nil
            }
        }

        private func begin(_ match: StartState, _ run: Session) throws -> Begin? {
            func start(_ states: [String: JSON]) -> Welcome.Start {
                Welcome.Start(id: match.id, mode: match.mode.rawValue, states: states)
            }
            if match.mode == .latest {
                guard let device = run.header.device?.id,
                    let session = try archive.latestSession(app: run.header.app.id, device: device, except: run.id)
                else { return nil }
                return Begin(start: start(try states.latest(of: session)))
            }
            guard let id = match.session, let session = try archive.session(id), let seq = match.seq else { return nil }
            guard match.mode == .replay else {
                return Begin(start: start(try states.states(of: session, after: seq)))
            }
            let from = try beginning(of: session, before: seq)
            // Its own id: one start may be given to many runs.
            var first = start(try states.states(of: session, after: from))
            first.id = RandomName.make()
            return Begin(
                start: first, replay: Replay(start: first.id, source: session.id, from: from, through: seq))
        }

        /// Where a replay up to `seq` begins: the last event before it that no reducer made, such as a state that was
        /// played in; else the first state of the tape.
        private func beginning(of session: Session, before seq: Int) throws -> Int {
            var found: Int?
            try tape.each(of: session.row, in: 0..<seq + 1) { line in
                if line.kind == .replace || line.kind == .gap || line.kind == .`init` && found == nil {
                    found = line.seq
                }
                return true
            }
            return found ?? 0
        }
    }
#endif
