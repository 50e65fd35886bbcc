#if Server
    import Logging
    import TapeEngine
    import TapeFormat

    /// Finds the launch state of a new run.
    struct LaunchStates: Sendable {
        struct Begin: Sendable {
            let start: Welcome.Start
            /// The actions to replay after the state.
            var replay: Replay?
        }

        let archive: any Archive
        let tapes: Tapes
        let states: States
        let logger: Logger
        let once = OneTimeLaunches()

        /// Returns the most specific launch state that matches the run. Nil if none matches or its states can't be
        /// built.
        func begin(_ run: Session) -> Begin? {
            do {
                while true {
                    let states = try archive.startStates().filter { !$0.once || !once.isTaken($0.id, notBy: run.id) }
                    guard let match = StartState.match(states, run.header), let begin = try begin(match, run),
                        !begin.start.states.isEmpty
                    else { return nil }
                    if !match.once || once.take(match.id, as: begin.start.id, for: run.id) { return begin }
                }
            } catch {
                logger.error("The launch state for session \(run.id) can't be built: \(error)")
                return nil
            }
        }

        /// The app has answered whether it applied a launch state.
        func answered(_ pushed: Pushed, by session: String) {
            if let state = once.arrived(at: session, pushed.id) { delete(state) }
        }

        /// The app of a run has disconnected. If it recorded anything, it had applied the launch state before.
        func disconnected(_ session: String, hasRecorded: Bool) {
            guard hasRecorded else { return once.missed(session) }
            if let state = once.arrived(at: session) { delete(state) }
        }

        private func delete(_ state: String) {
            do {
                _ = try archive.deleteStartState(state)
            } catch {
                logger.error("A used one-time launch state can't be deleted: \(error)")
            }
        }

        private func begin(_ match: StartState, _ run: Session) throws -> Begin? {
            func start(_ states: [String: JSON]) -> Welcome.Start {
                // In the welcome message, each state is nested four levels deep.
                Welcome.Start(
                    id: match.id, mode: match.mode.rawValue, states: states.filter { $0.value.fits(inside: 4) })
            }
            if match.mode == .latest {
                guard let device = run.header.device?.id,
                    let session = try archive.latestSession(app: run.header.app.id, device: device, except: run.id)
                else { return nil }
                return Begin(start: start(try states.latest(of: tapes[session])))
            }
            guard let id = match.session, let session = try archive.session(id), let seq = match.seq else { return nil }
            guard match.mode == .replay else {
                return Begin(start: start(try states.states(of: tapes[session], after: seq)))
            }
            let from = try beginning(of: session, before: seq)
            // An id of its own, since several runs may get the same launch state.
            var first = start(try states.states(of: tapes[session], after: from))
            first.id = RandomName.make()
            return Begin(
                start: first, replay: Replay(start: first.id, source: session.id, from: from, through: seq))
        }

        /// Where a replay up to `seq` starts: at the last earlier event that no reducer made, such as an applied state.
        /// If there is none, at the first state of the tape.
        private func beginning(of session: Session, before seq: Int) throws -> Int {
            var found: Int?
            try tapes[session].each(in: 0..<seq + 1) { line in
                if line.kind == .replace || line.kind == .gap || line.kind == .`init` && found == nil {
                    found = line.seq
                }
                return true
            }
            return found ?? 0
        }
    }
#endif
