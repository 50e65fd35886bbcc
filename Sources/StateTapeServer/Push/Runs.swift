#if Server
    import Synchronization
    import TapeFormat
    import TapeSockets

    /// The `statetape run` commands that report to this server, in memory. Sessions with the label `run` and a run's id
    /// are its apps.
    final class Runs: Sendable {
        private struct Entry {
            var run: Run
            /// Counts the reports, so that a timer knows whether it is still the last one's.
            var reports = 0
        }

        /// The label of the sessions.
        static let label = "run"
        static let limit = 32
        /// A run that has not reported for so long was killed, or can't reach the server. A run reports every 30 s.
        private static let lease = Duration.seconds(90)

        private let loop: EventLoop
        /// Sends all runs to the viewers; called on the loop's thread.
        private let publish: @Sendable ([JSON]) -> Void
        /// In order of their first report.
        private let entries = Mutex<[Entry]>([])

        init(loop: EventLoop, publish: @escaping @Sendable ([JSON]) -> Void) {
            self.loop = loop
            self.publish = publish
        }

        var json: [JSON] { entries.withLock { $0.map(\.run.json) } }

        /// Adds or updates a run. The oldest one gives way to a new one if there are too many.
        ///
        /// - Returns: The run, with what its app answered to the launch state.
        func report(_ run: Run) -> Run {
            let (run, reports) = entries.withLock { entries in
                guard let index = entries.firstIndex(where: { $0.run.id == run.id }) else {
                    if entries.count == Self.limit { entries.removeFirst() }
                    entries.append(Entry(run: run))
                    return (run, 0)
                }
                let start = entries[index].run.start
                entries[index].run = run
                // A new build has no answer yet.
                if run.status == .running { entries[index].run.start = start }
                entries[index].reports += 1
                return (entries[index].run, entries[index].reports)
            }
            loop.schedule(after: Self.lease) { [weak self] in self?.expire(run.id, reports) }
            changed()
            return run
        }

        func end(_ id: String) -> Bool {
            let isKnown = entries.withLock { entries in
                let count = entries.count
                entries.removeAll { $0.run.id == id }
                return entries.count < count
            }
            if isKnown { changed() }
            return isKnown
        }

        /// An app has answered whether it applied its launch state, or the server could not send it one.
        func answered(_ answer: Pushed.Result, by labels: [String: String]) {
            let isKnown = entries.withLock { entries in
                guard let index = entries.firstIndex(where: { $0.run.id == labels[Self.label] }) else { return false }
                entries[index].run.start = answer
                return true
            }
            if isKnown { changed() }
        }

        private func expire(_ id: String, _ reports: Int) {
            let isOver = entries.withLock { $0.contains { $0.run.id == id && $0.reports == reports } }
            if isOver { _ = end(id) }
        }

        private func changed() {
            loop.execute { [self] in publish(json) }
        }
    }
#endif
