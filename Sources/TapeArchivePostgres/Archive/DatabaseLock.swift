import TapeArchive

/// Keeps a second copy out of an archive in a database, while no server uses it.
package final class DatabaseLock: Sendable {
    private let connection: PostgresConnection
    private let schema: String

    /// - Throws: ``ServerError`` if a server or another copy uses the archive.
    package init(_ archive: PostgresArchive) throws {
        connection = try archive.connect()
        schema = archive.schema
        let alive = try connection.run(
            "SELECT count(*) AS count FROM server v WHERE \(AppRows.isAlive("v", lease: 1))",
            .double(PeerTiming().lease / .seconds(1)))
        guard try alive[0].int("count") == 0 else {
            throw ServerError(
                .dataInUse, "The archive \(archive.address) is in use by a server: stop its servers first.")
        }
        let lock = "SELECT pg_try_advisory_lock(\(PostgresSchema.moveLockClass), hashtext($1)) AS done"
        guard try connection.run(lock, .text(schema))[0].bool("done") else {
            throw ServerError(
                .dataInUse,
                "The archive \(archive.address) is in use by another “statetape move”: wait until it ends.")
        }
    }

    /// The database would notice the end of the connection a little later, and refuse a copy that follows at once.
    deinit {
        _ = try? connection.run(
            "SELECT pg_advisory_unlock(\(PostgresSchema.moveLockClass), hashtext($1))", .text(schema))
    }
}
