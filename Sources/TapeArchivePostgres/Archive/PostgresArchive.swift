import Foundation
package import Logging
package import TapeArchive
import TapeFormat

/// The archive, in a schema of a PostgreSQL database.
package final class PostgresArchive: Archive {
    let headers = ParsedHeaders()
    package let address: PostgresAddress
    /// The name of this server among those that use the archive; a new one at each start.
    let server = RandomName.make()
    private let logger: Logger
    /// The archive's schema, quoted.
    package let schema: String
    package let id: String
    private let readers: PostgresPool
    /// Nil if the archive is only read.
    private let writer: PostgresWriter?

    /// The most connections that read at the same time.
    private static let readLimit = 8

    /// Opens the archive, or creates it.
    ///
    /// - Throws: ``ServerError`` if the database can't be reached, a newer version wrote the archive, or rights are
    ///   missing.
    package convenience init(_ address: PostgresAddress, sync: Sync, logger: Logger) throws(ServerError) {
        try self.init(address, logger, writer: PostgresWriter(address, sync: sync, logger: logger))
    }

    /// Opens the archive for reading only, while a server may be running.
    ///
    /// - Throws: ``ServerError`` if the database can't be reached, or has no archive of this version.
    package convenience init(reading address: PostgresAddress, logger: Logger) throws(ServerError) {
        try self.init(address, logger, writer: nil)
    }

    private init(_ address: PostgresAddress, _ logger: Logger, writer: PostgresWriter?) throws(ServerError) {
        self.address = address
        self.writer = writer
        self.logger = logger
        readers = PostgresPool(limit: Self.readLimit) {
            let connection = try PostgresConnection(address, logger: logger)
            _ = try PostgresSession.begin(connection)
            try connection.runScript("SET default_transaction_read_only = on; SET statement_timeout = '30s'")
            return connection
        }
        do {
            try writer?.open()
            schema = try PostgresSession.begin(PostgresConnection(address, logger: logger))
            let version: Int?
            do {
                version = try readers.read { try PostgresSchema.version($0) }
            } catch let error as PostgresError where error.state == "42P01" {
                version = nil
            }
            switch version {
            case PostgresSchema.latest?:
                id = try readers.read { try $0.run("SELECT id FROM identity").first?.text("id") } ?? ""
            case nil: throw ServerError(.archive, "The archive \(address) doesn't exist.")
            default:
                throw ServerError(
                    .newerDatabase, "The archive \(address) was written by another version of StateTape.")
            }
        } catch let error as ServerError {
            throw error
        } catch {
            throw ServerError(.archive, "The archive \(address) can't be opened: \(error).")
        }
    }

    /// Makes a connection for uses other than reading or changing sessions.
    func connect() throws -> PostgresConnection {
        let connection = try PostgresConnection(address, logger: logger)
        _ = try PostgresSession.begin(connection)
        return connection
    }

    /// The channel on which the servers of the archive wake each other.
    var channel: String { "statetape_" + SHA256.hex(schema).prefix(16) }

    package func close() throws {
        readers.close()
        writer?.close()
    }

    package static let engine = "postgres"
    package var engine: String { Self.engine }

    /// Nothing is lost that the database has confirmed.
    package var misplacement: String? { nil }
    package var lost: [LostEvents] { [] }
    package var knownSessions: [Int64: String] { [:] }
    package var isReplaced: Bool { false }
    package var lostEdits: Int { 0 }
    package var rebuiltIndexes: [String] { [] }
    package func damageSearch() -> (any DamageSearch)? { nil }
    package func fillLost(_ isConnected: (_ session: String) -> Bool) -> [LostEvents] { [] }
    package let pace = Duration.milliseconds(25)

    /// Reads in one statement, or in several that need not agree. The body may run twice.
    func read<Value>(_ body: (PostgresConnection) throws -> Value) throws -> Value {
        try readers.read(body)
    }

    /// Reads what one moment's commits have stored.
    func readAtOnce<Value>(_ body: (PostgresConnection) throws -> Value) throws -> Value {
        try readers.read { connection in
            try connection.runScript("BEGIN ISOLATION LEVEL REPEATABLE READ")
            let value = try body(connection)
            try connection.runScript("COMMIT")
            return value
        }
    }

    /// Writes in one transaction. The body may run several times, after its changes were undone.
    ///
    /// - Parameters:
    ///   - opening: Statements that are sent together with the begin of the transaction.
    ///   - isRepeatable: Whether the changes may be made a second time if it is unknown whether they were stored.
    /// - Throws: ``Unwritable`` if nothing can be written now, else ``PostgresError``.
    func write<Value>(
        opening: [PostgresStatement] = [], isRepeatable: Bool = false,
        _ body: (PostgresConnection) throws -> Value
    ) throws -> Value {
        guard let writer else { throw Unwritable(description: "the archive is open for reading only") }
        return try writer.write(opening: opening, isRepeatable: isRepeatable, body)
    }

    /// Runs statements in one transaction and one round trip.
    ///
    /// - Returns: The result of each. They may run a second time if it is unknown whether they were stored.
    /// - Throws: As above.
    func write(_ statements: [PostgresStatement]) throws -> [PostgresRows] {
        guard let writer else { throw Unwritable(description: "the archive is open for reading only") }
        return try writer.write(statements)
    }
}
