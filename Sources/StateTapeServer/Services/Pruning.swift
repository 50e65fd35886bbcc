import Logging
import TapeArchive

/// Deletes sessions as retention says, between commits, and notifies viewers.
struct Pruning: Sendable {
    let archive: any SessionCatalogue
    let committer: Committer
    let apps: LiveApps
    let events: EventPost
    let workers: Workers
    let logger: Logger

    /// The most sessions that one transaction deletes.
    private static let group = 256

    func plan(_ retention: Retention) throws -> RemovalPlan {
        try archive.plan(retention, now: WallClock.now) { apps.isConnected($0) }
    }

    /// Deletes what retention selects now, and continues to free the space of deleted sessions.
    func run(_ retention: Retention) {
        committer.sweep()
        guard !retention.isOff else { return }
        workers.run {
            do {
                remove(try plan(retention).removals[...]) { result in
                    switch result {
                    case .success(let deleted) where deleted.isEmpty: break
                    case .success(let deleted):
                        let bytes = deleted.reduce(0) { $0 + $1.bytes }
                        logger.info("Retention removed \(deleted.count) sessions of about \(bytes) bytes.")
                    case .failure(let error): logger.error("Retention can't remove sessions: \(error)")
                    }
                }
            } catch {
                logger.error("Retention can't select sessions: \(error)")
            }
        }
    }

    /// Deletes sessions, unless they were kept, active or connected in the meantime. Calls back with the deleted ones.
    func remove(
        _ removals: ArraySlice<Removal>, deleted: [Removal] = [],
        then: @escaping @Sendable (Result<[Removal], any Error>) -> Void
    ) {
        if removals.isEmpty { return then(.success(deleted)) }
        committer.run {
            do {
                let group = removals.prefix(Self.group).filter { !apps.isConnected($0.session.id) }
                let removed = try archive.remove(group.map(\.session))
                events.tell(.deleted(removed))
                committer.sweep()
                remove(
                    removals.dropFirst(Self.group),
                    deleted: deleted + group.filter { removed.contains($0.session.id) },
                    then: then)
            } catch {
                then(.failure(error))
            }
        }
    }
}
