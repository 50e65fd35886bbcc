import TapeArchive

/// What waits for the archive: changes, and tasks that run between two commits. Each owner's changes stay in the order
/// of arrival, and a task runs after all changes before it.
struct CommitQueue {
    enum Entry {
        case change(Change, any Committer.Client)
        case task(@Sendable () -> Void)

        var isTask: Bool { if case .task = self { true } else { false } }
        fileprivate var bytes: Int { if case .change(let change, _) = self { change.bytes } else { 0 } }
    }

    /// The most bytes in one transaction.
    private static let groupBytes = 8 << 20
    /// The most bytes when several owners wait: a new owner has to wait for a whole transaction.
    private static let sharedGroupBytes = 2 << 20
    private static let groupEvents = 4_096

    private var entries: [Entry] = []
    /// How many of the first changes are committed one by one.
    private var single = 0
    /// Every second group takes the smallest changes first, so that a small change never waits behind several large
    /// ones.
    private var isLeastFirst = true

    /// Whether a change is next.
    var hasChangeNext: Bool { entries.first?.isTask == false }
    /// Whether the next changes are committed one by one.
    var isSingle: Bool { single > 0 }

    mutating func add(_ entry: Entry) {
        entries.append(entry)
    }

    /// Removes and returns the first task; empty without one.
    mutating func takeTask() -> [Entry] {
        entries.firstIndex(where: \.isTask).map { [entries.remove(at: $0)] } ?? []
    }

    /// Removes and returns the next task, or the changes of one transaction.
    mutating func takeGroup() -> [Entry] {
        guard hasChangeNext else { return entries.isEmpty ? [] : [entries.removeFirst()] }
        let places = nextGroup()
        let group = places.map { entries[$0] }
        let isTaken = Set(places)
        entries = entries.indices.filter { !isTaken.contains($0) }.map { entries[$0] }
        isLeastFirst.toggle()
        single = max(0, single - group.count)
        return group
    }

    /// Puts a group back that wasn't stored.
    ///
    /// - Parameter single: Commit its changes one by one.
    mutating func putBack(_ group: [Entry], single isSingle: Bool) {
        entries = group + entries
        if isSingle { single += group.count }
    }

    /// Removes and returns everything.
    mutating func removeAll() -> [Entry] {
        defer { entries = [] }
        return entries
    }

    /// The places of the changes of one transaction. Owners take turns, so that a busy one doesn't delay the others.
    private func nextGroup() -> [Int] {
        var turns: [[Int]] = []
        var counts: [String: Int] = [:]
        for (index, entry) in entries.enumerated() {
            guard case .change(let change, _) = entry else { break }
            let turn = counts[change.owner, default: 0]
            counts[change.owner] = turn + 1
            if turn == turns.count { turns.append([]) }
            turns[turn].append(index)
        }
        if isLeastFirst, counts.count > 1 {
            for turn in turns.indices { turns[turn].sort { (entries[$0].bytes, $0) < (entries[$1].bytes, $1) } }
        }
        let most = counts.count > 1 ? Self.sharedGroupBytes : Self.groupBytes
        var bytes = 0
        var events = 0
        var taken: [Int] = []
        for index in turns.joined().prefix(single > 0 ? 1 : .max) {
            guard case .change(let change, _) = entries[index] else { break }
            bytes += change.bytes
            events += change.events
            guard taken.isEmpty || bytes <= most && events <= Self.groupEvents else { break }
            taken.append(index)
        }
        return taken
    }
}

extension [CommitQueue.Entry] {
    /// The changes, those that append to one session as one, and the client of each.
    var merged: (changes: [Change], clients: [any Committer.Client]) {
        var changes: [Change] = []
        var clients: [any Committer.Client] = []
        var places: [String: Int] = [:]
        for case .change(let change, let client) in self {
            if case .append(let batch) = change {
                if let place = places[batch.owner] {
                    changes[place].append(batch)
                    continue
                }
                places[batch.owner] = changes.count
            }
            changes.append(change)
            clients.append(client)
        }
        return (changes, clients)
    }
}
