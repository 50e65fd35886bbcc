import Logging
import TapeArchive
import TapeEngine
import TapeFormat

/// Finds the launch state of a new run.
struct LaunchStates: LaunchOffers {
    let archive: any SessionCatalogue & LaunchStateStore
    let tapes: Tapes
    let states: States
    let runs: Runs
    let apps: LiveApps
    let once: any OneTimeLaunches
    let workers: Workers
    let events: EventPost
    let logger: Logger

    private static let sourceDeleted = Pushed.Failure(
        code: .sessionAbsent, message: "the session to launch from was deleted")

    /// Returns the most specific launch state that matches the run. Nil if none matches or its states can't be built.
    func begin(_ run: Session) -> LaunchOffer? {
        do {
            var states = try archive.launchStates()
            while let match = LaunchState.match(states, run.header), let begin = try begin(match, run) {
                if try !match.once || once.take(match.id, as: begin.start.id, for: run.id) { return begin }
                // Another run is about to get it.
                states.removeAll { $0.id == match.id }
            }
        } catch let failure as Pushed.Failure {
            ended(.failed(failure), run)
        } catch is DeletedSession {
            ended(.failed(Self.sourceDeleted), run)
        } catch {
            ended(.failed(Pushed.Failure(code: .broken, message: "the state can't be built: \(error)")), run)
        }
        return nil
    }

    /// The app of a new run has applied its launch state, or did not get or take it.
    private func ended(_ result: Pushed.Result, _ run: Session) {
        runs.answered(result, by: run.header.labels)
        guard case .failed(let failure) = result else { return }
        logger.warning("Session \(run.id) did not start with its launch state: \(failure.message)")
        do {
            try archive.keep(failure, ofStart: run.row)
            events.tell(.changed([run.id]))
        } catch {
            logger.error("The failed launch of session \(run.id) can't be stored: \(error)")
        }
    }

    /// The app has answered whether it applied a launch state.
    private func answered(_ pushed: Pushed, by session: String) {
        used { try once.arrived(at: session, pushed.id) }
    }

    /// The app of a run has disconnected. If it recorded anything, it had applied the launch state before.
    private func disconnected(_ session: String, hasRecorded: Bool) {
        used {
            if hasRecorded { return try once.arrived(at: session, nil) }
            try once.missed(session)
            return nil
        }
    }

    /// Deletes a launch state that was used up.
    private func used(_ find: () throws -> String?) {
        do {
            if let state = try find() { _ = try archive.deleteLaunchState(state) }
        } catch {
            logger.error("A used one-time launch state can't be deleted: \(error)")
        }
    }

    private func begin(_ match: LaunchState, _ run: Session) throws -> LaunchOffer? {
        func start(_ states: [String: JSON]) throws -> Welcome.Start {
            guard !states.isEmpty else {
                throw Pushed.Failure(code: .broken, message: "no state is known at the event to launch from")
            }
            // In the welcome message, each state is nested four levels deep.
            if let deep = states.filter({ !$0.value.fits(inside: 4) }).keys.min() {
                let message = "the state of “\(deep)” is nested deeper than \(Limits.nesting - 4)"
                throw Pushed.Failure(code: .tooDeep, message: message)
            }
            return Welcome.Start(id: match.id, mode: Welcome.Start.Mode(rawValue: match.mode.rawValue), states: states)
        }
        if match.mode == .latest {
            guard let device = run.header.device?.id,
                let session = try archive.latestSession(app: run.header.app.id, device: device, except: run.id)
            else { return nil }
            return LaunchOffer(start: try start(states.latest(of: tapes[session])))
        }
        guard let id = match.session, let session = try archive.session(id), let seq = match.seq else {
            throw Self.sourceDeleted
        }
        guard match.mode == .replay else {
            return LaunchOffer(start: try start(states.states(of: tapes[session], after: seq)))
        }
        let from = try beginning(of: session, before: seq)
        // An id of its own, since several runs may get the same launch state.
        var first = try start(states.states(of: tapes[session], after: from))
        first.id = RandomName.make()
        return LaunchOffer(
            start: first, replay: Replay(start: first.id, source: session.id, from: from, through: seq))
    }

    /// Where a replay up to `seq` starts: at the last earlier event that no reducer made, such as an applied state.
    /// If there is none, at the first state of the tape.
    private func beginning(of session: Session, before seq: Int) throws -> Int {
        var found: Int?
        try tapes[session].each(in: 0..<seq + 1) { line in
            // A damaged chunk is read as one gap.
            guard line.seq <= seq else {
                let message = "the events \(line.first) to \(line.seq) are damaged"
                throw Pushed.Failure(code: .broken, message: message)
            }
            if line.kind == .replace || line.kind == .gap || line.kind == .`init` && found == nil {
                found = line.seq
            }
            return true
        }
        return found ?? 0
    }
}

extension LaunchStates: CoreService {
    func handle(_ event: CoreEvent) {
        switch event {
        case .launched(let result, let session): workers.run { ended(result, session) }
        case .launchAnswered(let answer, let session): workers.run { answered(answer, by: session.id) }
        case .disconnected(let link):
            // If the app has reconnected, its run continues.
            guard let session = link.session, apps.port(of: session) == nil else { return }
            let hasRecorded = link.committed > 0
            workers.run { disconnected(session, hasRecorded: hasRecorded) }
        default: break
        }
    }
}
