#if Server
    import Logging
    import TapeFormat

    /// Finds out where a new run begins.
    struct Starts: Sendable {
        let archive: any Archive
        let states: States
        let logger: Logger

        /// The narrowest start state that matches the run; nil if none does or its states can't be had.
        func start(for run: Session) -> Welcome.Start? {
            do {
                guard let match = StartState.match(try archive.startStates(), run.header),
                    let states = try states(of: match, run), !states.isEmpty
                else { return nil }
                if match.once { _ = try archive.deleteStartState(match.id) }
                return Welcome.Start(id: match.id, mode: match.mode.rawValue, states: states)
            } catch {
                logger.error("The start state of session \(run.id) can't be built: \(error)")
                return nil
            }
        }

        private func states(of start: StartState, _ run: Session) throws -> [String: JSON]? {
            switch start.mode {
            case .state:
                guard let id = start.session, let session = try archive.session(id), let seq = start.seq else {
                    return nil
                }
                return try states.states(of: session, after: seq)
            case .latest:
                guard let device = run.header.device?.id,
                    let session = try archive.latestSession(app: run.header.app.id, device: device, except: run.id)
                else { return nil }
                return try states.latest(of: session)
            }
        }
    }
#endif
