import Foundation
import Logging
import TapeArchive
import TapeFormat

/// The one connection of a server that changes sessions.
final class PostgresWriter: Sendable {
    private struct State {
        var connection: PostgresConnection?
        /// The last connection's process on the server.
        var process: Process?
        var isClosed = false
    }

    /// A process on the server. Its number alone may be used again.
    private struct Process {
        let number: Int
        let began: String
    }

    /// How often a transaction is tried that conflicts with others.
    private static let attempts = 5

    private let address: PostgresAddress
    private let sync: Sync
    private let logger: Logger
    private let turn = NSLock()
    private let state = Locked(State())

    init(_ address: PostgresAddress, sync: Sync, logger: Logger) {
        self.address = address
        self.sync = sync
        self.logger = logger
    }

    /// Connects, and brings the tables up to date.
    ///
    /// - Throws: ``PostgresError``, or ``ServerError`` if a newer version wrote the archive.
    func open() throws {
        try turn.withLock {
            _ = try connect { connection, schema in
                try PostgresSchema.migrate(connection, schema, address)
                try PostgresSchema.addWordIndex(connection, schema)
            }
        }
    }

    /// Waits for the transaction that runs.
    func close() {
        turn.withLock {
            state.withLock { state in
                state.isClosed = true
                state.connection = nil
            }
        }
    }

    func write<Value>(
        opening: [PostgresStatement], isRepeatable: Bool, _ body: (PostgresConnection) throws -> Value
    ) throws -> Value {
        try repeated(isRepeatable) { try transaction($0, opening, body) }
    }

    /// Statements that are sent together are a transaction.
    func write(_ statements: [PostgresStatement]) throws -> [PostgresRows] {
        try repeated(true) { try $0.run(statements) }
    }

    private func repeated<Value>(
        _ isRepeatable: Bool, _ transaction: (PostgresConnection) throws -> Value
    ) throws -> Value {
        try turn.withLock {
            var attempt = 1
            var hasReconnected = false
            while true {
                let kept = state.withLock { $0.connection }
                do {
                    return try transaction(kept ?? reconnect())
                } catch let error as PostgresError {
                    if error.isLost { state.withLock { $0.connection = nil } }
                    if error.isUncertain, !isRepeatable {
                        throw Unwritable(
                            description: "the connection to the database was lost, and the change may be stored")
                    }
                    if error.isConflict, attempt < Self.attempts {
                        attempt += 1
                    } else if error.isLost, kept != nil, !hasReconnected {
                        hasReconnected = true
                    } else {
                        throw error.unwritable ?? error as any Error
                    }
                }
            }
        }
    }

    private func transaction<Value>(
        _ connection: PostgresConnection, _ opening: [PostgresStatement],
        _ body: (PostgresConnection) throws -> Value
    ) throws -> Value {
        let value: Value
        do {
            _ = try connection.run([PostgresStatement("BEGIN")] + opening)
            value = try body(connection)
        } catch {
            if !connection.isLost { try? connection.runScript("ROLLBACK") }
            throw error
        }
        do {
            try connection.runScript("COMMIT")
        } catch var error {
            error.isUncertain = error.isLost
            throw error
        }
        return value
    }

    private func reconnect() throws -> PostgresConnection {
        if state.withLock(\.isClosed) { throw Unwritable(description: "the archive is closed") }
        do {
            return try connect { connection, _ in
                guard try PostgresSchema.version(connection) == PostgresSchema.latest else {
                    throw PostgresSchema.newer(address)
                }
            }
        } catch let error as ServerError {
            throw Unwritable(description: error.description)
        }
    }

    private func connect(
        _ prepare: (PostgresConnection, _ schema: String) throws -> Void
    ) throws -> PostgresConnection {
        let connection = try PostgresConnection(address, logger: logger)
        let schema = try PostgresSession.begin(connection)
        // An acknowledged event must survive a power failure even if the database is set up for speed.
        if sync == .full {
            try connection.runScript(
                """
                SELECT set_config('synchronous_commit', 'on', false)
                WHERE current_setting('synchronous_commit') = 'off'
                """)
        }
        try end(state.withLock { $0.process }, connection)
        // Without a limit: an index of a large table takes long.
        try prepare(connection, schema)
        // A server that is halted in the middle of a commit must not keep the others from theirs, which wait for a
        // lock twice as long.
        // Nor must one whose machine is gone while it sends a group.
        try connection.runScript(
            """
            SET statement_timeout = '60s'; SET idle_in_transaction_session_timeout = '5s';
            SET tcp_keepalives_idle = 3; SET tcp_keepalives_interval = 1; SET tcp_keepalives_count = 3
            """)
        let began = try connection.run(
            "SELECT backend_start::text AS began FROM pg_stat_activity WHERE pid = pg_backend_pid()")
        state.withLock { state in
            state.connection = connection
            state.process = began.first.flatMap { try? $0.text("began") }.map {
                Process(number: connection.process, began: $0)
            }
        }
        return connection
    }

    /// Ends the process of a lost connection. It would keep its locks until the server notices the loss.
    private func end(_ process: Process?, _ connection: PostgresConnection) throws {
        guard let process else { return }
        try connection.run(
            """
            SELECT pg_terminate_backend(pid, 5000) FROM pg_stat_activity
            WHERE pid = $1 AND backend_start::text = $2
            """, .int(process.number), .text(process.began))
    }
}
