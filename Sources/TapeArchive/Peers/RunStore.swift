package import TapeFormat

/// Stores what each `statetape run` last reported.
package protocol RunStore: Sendable {
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
    package static func joined(_ run: JSON, _ start: JSON.Object?) -> JSON {
        guard let start, var run = run.object else { return run }
        for member in start { run[member.key] = member.value }
        return .object(run)
    }
}

/// Stores the runs in memory.
package final class LocalRuns: RunStore {
    private struct Entry {
        let id: String
        var run: JSON
        var start: JSON.Object?
        var seen = ContinuousClock.now

        var json: JSON { LocalRuns.joined(run, start) }
    }

    private let entries = Locked<[Entry]>([])

    package init() {}

    package func all() -> [JSON] { entries.withLock { $0.map(\.json) } }

    package func report(_ run: Run) -> JSON {
        entries.withLock { entries in
            guard let index = entries.firstIndex(where: { $0.id == run.id }) else {
                if entries.count == Run.limit { entries.removeFirst() }
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

    package func end(_ id: String) -> Bool { removeAll { $0.id == id } }

    package func answered(_ start: JSON.Object, by id: String) -> Bool {
        entries.withLock { entries in
            guard let index = entries.firstIndex(where: { $0.id == id }) else { return false }
            entries[index].start = start
            return true
        }
    }

    package func expire() -> Bool {
        let oldest = ContinuousClock.now - Run.lease
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
