import Dispatch
import Logging
import TapeFormat
import TapeSockets

/// The `statetape run` commands that report to the servers of an archive. Sessions with the label `run` and a run's
/// id are its apps.
final class Runs: Sendable {
    /// The label of the sessions.
    static let label = "run"
    static let limit = 32
    /// A run that has not reported for so long was killed, or can't reach the server. A run reports every 30 s.
    static let lease = Duration.seconds(90)

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
        loop.schedule(after: Self.lease) { [weak self] in self?.expire() }
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

/// Stores what each `statetape run` last reported.
protocol RunStore: Sendable {
    func all() throws -> [JSON]
    func report(_ run: Run) throws -> JSON
    /// False if the run isn't known. So does `answered`.
    func end(_ id: String) throws -> Bool
    func answered(_ start: JSON.Object, by id: String) throws -> Bool
    /// Removes the runs that have not reported for too long.
    ///
    /// - Returns: Whether there were any.
    func expire() throws -> Bool
}

extension RunStore {
    static func joined(_ run: JSON, _ start: JSON.Object?) -> JSON {
        guard let start, var run = run.object else { return run }
        for member in start { run[member.key] = member.value }
        return .object(run)
    }
}

/// Stores the runs in memory.
final class LocalRuns: RunStore {
    private struct Entry {
        let id: String
        var run: JSON
        var start: JSON.Object?
        var seen = ContinuousClock.now

        var json: JSON { LocalRuns.joined(run, start) }
    }

    private let entries = Locked<[Entry]>([])

    func all() -> [JSON] { entries.withLock { $0.map(\.json) } }

    func report(_ run: Run) -> JSON {
        entries.withLock { entries in
            guard let index = entries.firstIndex(where: { $0.id == run.id }) else {
                if entries.count == Runs.limit { entries.removeFirst() }
                entries.append(Entry(id: run.id, run: run.json))
                return run.json
            }
            entries[index].run = run.json
            entries[index].seen = .now
            // A new build has no answer yet.
            if run.status != .running { entries[index].start = nil }
            return entries[index].json
        }
    }

    func end(_ id: String) -> Bool { removeAll { $0.id == id } }

    func answered(_ start: JSON.Object, by id: String) -> Bool {
        entries.withLock { entries in
            guard let index = entries.firstIndex(where: { $0.id == id }) else { return false }
            entries[index].start = start
            return true
        }
    }

    func expire() -> Bool {
        let oldest = ContinuousClock.now - Runs.lease
        return removeAll { $0.seen <= oldest }
    }

    private func removeAll(_ isGone: (Entry) -> Bool) -> Bool {
        entries.withLock { entries in
            let count = entries.count
            entries.removeAll(where: isGone)
            return entries.count < count
        }
    }
}
