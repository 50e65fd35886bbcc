import Foundation
import Logging
import TapeArchive
import TapeArchivePostgres

/// What the servers of one archive share besides its sessions. A server with an archive of its own keeps it in memory
/// and in the data folder.
struct Sharing: Sendable {
    /// A token that a server has made.
    struct KeptToken: Sendable {
        let value: String
        let isNew: Bool
        /// Where a person finds it.
        let place: String
    }

    let broker: any Broker
    let launches: any OneTimeLaunches
    let runs: any RunStore
    /// The token with this role, made at the first call.
    let token: @Sendable (Role) throws(ServerError) -> KeptToken
    /// Deletes the token with this role, which nobody has seen.
    let forgetToken: @Sendable (Role) -> Void

    /// - Throws: ``ServerError`` if the system lacks resources.
    init(
        _ archive: any Archive, _ folder: DataFolder, timing: PeerTiming, logger: Logger
    ) throws(ServerError) {
        guard let archive = archive as? PostgresArchive else {
            (broker, launches, runs) = (LocalBroker(), LocalLaunches(), LocalRuns())
            token = { role throws(ServerError) in
                let file = role == .view ? folder.viewToken : folder.token
                let (value, isNew) = try folder.keptToken(in: file)
                return KeptToken(value: value, isNew: isNew, place: file.path)
            }
            forgetToken = { try? FileManager.default.removeItem(at: $0 == .view ? folder.viewToken : folder.token) }
            return
        }
        broker = try PostgresBroker(archive, timing: timing, logger: logger)
        launches = SharedLaunches(archive)
        runs = SharedRuns(archive)
        forgetToken = { try? archive.forgetSecret($0.rawValue) }
        token = { role throws(ServerError) in
            do {
                let (value, isNew) = try archive.secret(role.rawValue, or: RandomName.make())
                let place =
                    "the database: SELECT value FROM \(archive.schema).secret WHERE name = '\(role.rawValue)'"
                return KeptToken(value: value, isNew: isNew, place: place)
            } catch {
                throw ServerError(.archive, "The token can't be stored in \(archive.address): \(error).")
            }
        }
    }
}
