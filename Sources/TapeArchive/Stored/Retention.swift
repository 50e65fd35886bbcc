/// Which sessions are deleted: the least recently active first. Never a kept session, one whose app is connected,
/// or one that a launch state refers to.
package struct Retention: Sendable, Equatable {
    /// Sessions without activity for more days than this are deleted; nil keeps them.
    package var keepDays: Int?
    /// The most bytes of the archive's pages; nil for no limit.
    package var maxSize: Int?
    /// Whether the newest session of each app is spared.
    package var sparesNewest: Bool

    package init(keepDays: Int? = nil, maxSize: Int? = nil, sparesNewest: Bool = false) {
        self.keepDays = keepDays
        self.maxSize = maxSize
        self.sparesNewest = sparesNewest
    }

    /// Whether nothing is ever deleted.
    package var isOff: Bool { keepDays == nil && maxSize == nil }

    private static let day = 86_400_000

    /// Returns the sessions to delete now.
    ///
    /// - Parameters:
    ///   - sessions: The candidates, the least recently active first.
    ///   - size: Bytes of the archive, candidates included.
    ///   - now: In ms since 1970.
    ///   - bytes: The approximate size of a session.
    package func plan(
        _ sessions: [PruneCandidate], size: Int, now: Int, isConnected: (_ session: String) -> Bool,
        bytes: (PruneCandidate) throws -> Int
    ) rethrows -> RemovalPlan {
        var plan = RemovalPlan(size: size)
        let oldest = keepDays.map { now - $0 * Self.day } ?? .min
        for session in sessions {
            let isOld = session.lastSeen < oldest
            guard isOld || maxSize.map({ size - plan.bytes > $0 }) ?? false else { break }
            if isConnected(session.id) || sparesNewest && session.isNewest { continue }
            // The estimates may add up to more than the archive.
            let bytes = min(try bytes(session), size - plan.bytes)
            plan.removals.append(Removal(session: session, reason: isOld ? .age : .size, bytes: bytes))
            plan.bytes += bytes
        }
        return plan
    }

    /// Before this time an incomplete upload counts as a session: a day after its last data.
    package static func uploadedBefore(_ now: Int) -> Int { now - day }
}

/// The sessions to delete and the archive's size before, from one snapshot.
package struct RemovalPlan: Sendable {
    /// Bytes of the archive.
    package let size: Int
    package var removals: [Removal] = []
    /// Bytes of all removals, never more than `size`.
    package var bytes = 0

    /// The plan with only those removals that `isIncluded` accepts.
    package func filter(_ isIncluded: (Removal) -> Bool) -> RemovalPlan {
        let rest = removals.filter(isIncluded)
        return RemovalPlan(size: size, removals: rest, bytes: rest.reduce(0) { $0 + $1.bytes })
    }
}

/// A session that retention may delete.
package struct PruneCandidate: Sendable {
    package let row: Int64
    package let id: String
    package let app: String
    package let lastSeen: Int
    package let events: Int
    /// Whether no other session of its app was active later.
    package let isNewest: Bool

    package init(row: Int64, id: String, app: String, lastSeen: Int, events: Int, isNewest: Bool) {
        (self.row, self.id, self.app, self.lastSeen, self.events) = (row, id, app, lastSeen, events)
        self.isNewest = isNewest
    }
}

/// A session that retention deletes.
package struct Removal: Sendable {
    package enum Reason: String, Sendable { case age, size }

    package let session: PruneCandidate
    package let reason: Reason
    /// The approximate bytes that it takes in the archive.
    package let bytes: Int
}
