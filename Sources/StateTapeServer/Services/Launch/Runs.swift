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
    private let tell: @Sendable (News) -> Void
    /// Sends all runs to the viewers; called on the loop's thread.
    private let publish: @Sendable ([JSON]) -> Void
    private let logger: Logger
    /// Reads the runs, so that no older list is sent after a newer one.
    private let queue = DispatchQueue(label: "statetape.runs")
    private let last = Locked<[JSON]>([])

    init(
        _ store: any RunStore, loop: EventLoop, logger: Logger, tell: @escaping @Sendable (News) -> Void,
        publish: @escaping @Sendable ([JSON]) -> Void
    ) {
        self.store = store
        self.loop = loop
        self.logger = logger
        self.tell = tell
        self.publish = publish
        show()
    }

    /// The runs that were last shown. Reads nothing.
    var shown: [JSON] { last.withLock { $0 } }

    /// The runs, in order of their first report.
    func all() throws -> [JSON] { try store.all() }

    /// Adds or updates a run. The oldest one gives way to a new one if there are too many.
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
                self.last.withLock { $0 = all }
                self.loop.execute { self.publish(all) }
            }
        }
    }

    private func expire() {
        queue.async { [self] in attempt { if try self.store.expire() { self.changed() } } }
    }

    private func changed() {
        tell(News(runs: true))
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
