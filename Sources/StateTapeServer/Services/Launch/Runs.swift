import Dispatch
import Logging
import TapeArchive
import TapeFormat
import TapeSockets

/// The `statetape run` commands that report to the servers of an archive. Sessions with the label `run` and a run's
/// id are its apps.
final class Runs: Sendable {
    /// The label of the sessions.
    static let label = "run"

    private let store: any RunStore
    private let loop: EventLoop
    private let events: EventPost
    private let logger: Logger
    /// Reads the runs, so that no older list is sent after a newer one.
    private let queue = DispatchQueue(label: "statetape.runs")

    init(_ store: any RunStore, loop: EventLoop, events: EventPost, logger: Logger) {
        (self.store, self.loop, self.events, self.logger) = (store, loop, events, logger)
        show()
    }

    /// The runs, in order of their first report.
    func all() throws -> [JSON] { try store.all() }

    /// Adds or updates a run. If there are too many, the oldest one is removed.
    ///
    /// - Returns: The run, with what its app answered to the launch state.
    func report(_ run: Run) throws -> JSON {
        let run = try store.report(run)
        loop.schedule(after: Run.lease) { [weak self] in self?.expire() }
        changed()
        return run
    }

    func end(_ id: String) throws -> Bool {
        let isKnown = try store.end(id)
        if isKnown { changed() }
        return isKnown
    }

    /// An app has answered whether it applied its launch state, or the server could not send it one.
    func answered(_ answer: Pushed.Result, by labels: [String: String]) {
        guard let id = labels[Self.label] else { return }
        attempt { if try self.store.answered(answer.ofRun, by: id) { self.changed() } }
    }

    /// Another server has changed the runs.
    func show() {
        queue.async { [self] in
            attempt {
                let all = try self.store.all()
                self.events.tell(.runs(all))
            }
        }
    }

    private func expire() {
        queue.async { [self] in attempt { if try self.store.expire() { self.changed() } } }
    }

    private func changed() {
        events.tell(.runsChanged)
        show()
    }

    private func attempt(_ body: () throws -> Void) {
        do {
            try body()
        } catch {
            logger.error("What statetape run reports can't be read or stored: \(error)")
        }
    }
}

extension Runs: CoreService {
    func handle(_ event: CoreEvent) {
        switch event {
        case .peer(.runsChanged), .peer(.missed): show()
        default: break
        }
    }
}
