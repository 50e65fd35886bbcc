import Logging
import TapeArchive
import TapeArchivePostgres

/// What the servers of one archive share besides its sessions. A server with an archive of its own keeps it in memory and
/// in the data folder.
struct SharedServices: Sendable {
    let broker: any Broker
    let launches: any OneTimeLaunches
    let runs: any RunStore
    let tokens: any TokenStore

    /// - Throws: ``ServerError`` if the system lacks resources.
    init(
        _ archive: any Archive, _ folder: DataFolder, timing: PeerTiming, logger: Logger
    ) throws(ServerError) {
        guard let archive = archive as? PostgresArchive else {
            (broker, launches, runs, tokens) = (LocalBroker(), LocalLaunches(), LocalRuns(), folder)
            return
        }
        broker = try PostgresBroker(archive, timing: timing, logger: logger)
        (launches, runs, tokens) = (SharedLaunches(archive), SharedRuns(archive), archive)
    }
}
