import CPostgres
import Foundation
import Logging
import TapeFormat

/// A statement and its parameters.
struct PostgresStatement {
    let sql: String
    var parameters: [PostgresValue] = []

    init(_ sql: String, _ parameters: PostgresValue...) {
        self.sql = sql
        self.parameters = parameters
    }

    init(_ sql: String, _ parameters: [PostgresValue]) {
        self.sql = sql
        self.parameters = parameters
    }
}

/// One connection to the database. Its calls block the caller's thread.
///
/// Only `cancel()` may be called while another thread uses the connection.
final class PostgresConnection: @unchecked Sendable {  // One thread at a time uses it: its pool lends it.
    private let handle: OpaquePointer
    private let canceller: OpaquePointer?
    private let notices: Notices
    /// The statements that the server has prepared, by their SQL.
    private var prepared: [String: String] = [:]

    /// Passes the server's notices to the logger; libpq would print them.
    private final class Notices: Sendable {
        let logger: Logger

        init(_ logger: Logger) { self.logger = logger }
    }

    /// Connects, and waits at most 10 s for it unless the address has another `connect_timeout`.
    ///
    /// - Throws: ``PostgresError`` without SQLSTATE if that fails. Its message doesn't contain the password.
    init(_ address: PostgresAddress, logger: Logger) throws(PostgresError) {
        // The address comes after what it may change, and before what it must not.
        let options = [
            ("connect_timeout", "10"), ("keepalives_idle", "30"), ("keepalives_interval", "10"),
            ("keepalives_count", "3"), ("tcp_user_timeout", "30000"), ("fallback_application_name", "statetape"),
            ("dbname", address.secret), ("client_encoding", "UTF8"),
        ]
        let names = options.map { strdup($0.0) } + [nil]
        let values = options.map { strdup($0.1) } + [nil]
        defer { for copy in names + values { free(copy) } }
        let handle = PQconnectdbParams(
            names.map { UnsafePointer($0) }, values.map { UnsafePointer($0) }, 1)
        guard let handle else {
            throw PostgresError(state: "", message: "no memory for a connection", isLost: true)
        }
        guard PQstatus(handle) == CONNECTION_OK else {
            let error = PostgresError(
                state: "", message: PQerrorMessage(handle).map { String(cString: $0) } ?? "", isLost: true)
            PQfinish(handle)
            throw error
        }
        self.handle = handle
        canceller = PQgetCancel(handle)
        notices = Notices(logger)
        PQsetNoticeProcessor(
            handle,
            { notices, message in
                guard let notices, let message else { return }
                Unmanaged<Notices>.fromOpaque(notices).takeUnretainedValue().logger
                    .debug("The database says: \(PostgresError.oneLine(String(cString: message)))")
            }, Unmanaged.passUnretained(notices).toOpaque())
    }

    deinit {
        PQfreeCancel(canceller)
        PQfinish(handle)
    }

    /// Whether the connection can't be used any more.
    var isLost: Bool { hasFailed || PQstatus(handle) == CONNECTION_BAD }
    private var hasFailed = false
    /// Whether a transaction is open, or has failed and isn't rolled back yet.
    var isInTransaction: Bool { PQtransactionStatus(handle) != PQTRANS_IDLE }

    /// The process on the server that serves this connection.
    var process: Int { Int(PQbackendPID(handle)) }

    /// Asks the server to end the statement that runs now, from any thread.
    func cancel() {
        var message = [CChar](repeating: 0, count: 256)
        PQcancel(canceller, &message, Int32(message.count))
    }

    /// Waits for notifications of the channels that it listens to.
    ///
    /// - Returns: What came with them; empty if none came in time, or the wait was ended.
    func notified(within duration: Duration, or wakeUp: WakeUp) throws(PostgresError) -> Set<String> {
        var texts = notifications()
        // An earlier statement may have read them from the socket.
        guard texts.isEmpty else { return texts }
        wakeUp.wait(for: PQsocket(handle), duration)
        guard PQconsumeInput(handle) == 1 else { throw lost() }
        texts = notifications()
        return texts
    }

    private func notifications() -> Set<String> {
        var texts: Set<String> = []
        while let notification = PQnotifies(handle) {
            if let text = notification.pointee.extra { texts.insert(String(cString: text)) }
            PQfreemem(notification)
        }
        return texts
    }

    /// Runs SQL of our own without parameters: several statements, separated by semicolons.
    func runScript(_ sql: String) throws(PostgresError) {
        let result = PQexec(handle, sql)
        defer { PQclear(result) }
        switch PQresultStatus(result) {
        case PGRES_COMMAND_OK, PGRES_TUPLES_OK, PGRES_EMPTY_QUERY: break
        default: throw error(result)
        }
    }

    /// Runs one statement, which the server keeps prepared.
    @discardableResult
    func run(_ sql: String, _ parameters: PostgresValue...) throws(PostgresError) -> PostgresRows {
        let name = try prepare(sql, parameters)
        return try rows(
            parameters.withPointers { values, lengths, formats in
                PQexecPrepared(handle, name, Int32(values.count), values, lengths, formats, 1)
            })
    }

    /// Runs one statement that hardly ever comes again in this form.
    func runOnce(_ statement: PostgresStatement) throws(PostgresError) -> PostgresRows {
        let types = statement.parameters.map(\.type)
        return try rows(
            statement.parameters.withPointers { values, lengths, formats in
                PQexecParams(handle, statement.sql, Int32(values.count), types, values, lengths, formats, 1)
            })
    }

    /// Sends all statements at once, so that together they take one round trip.
    ///
    /// - Returns: The result of each.
    /// - Throws: The first error. The server runs no statement after that one.
    func run(_ statements: [PostgresStatement]) throws(PostgresError) -> [PostgresRows] {
        for statement in statements { _ = try prepare(statement.sql, statement.parameters) }
        guard PQenterPipelineMode(handle) == 1 else { throw error(nil) }
        defer { PQexitPipelineMode(handle) }
        for statement in statements {
            let isSent = statement.parameters.withPointers { values, lengths, formats in
                PQsendQueryPrepared(
                    handle, prepared[statement.sql], Int32(values.count), values, lengths, formats, 1)
            }
            guard isSent == 1 else { throw error(nil) }
        }
        guard PQpipelineSync(handle) == 1 else { throw error(nil) }
        var results: [PostgresRows] = []
        var failure: PostgresError?
        var isBetween = true
        while true {
            guard let result = PQgetResult(handle) else {
                // A nil follows the result of each statement. A second one means that nothing else comes.
                if !isBetween || isLost { throw failure ?? lost() }
                isBetween = false
                continue
            }
            isBetween = true
            switch PQresultStatus(result) {
            case PGRES_PIPELINE_SYNC:
                PQclear(result)
                if let failure { throw failure }
                return results
            case PGRES_COMMAND_OK, PGRES_TUPLES_OK: results.append(PostgresRows(result))
            default:
                if PQresultStatus(result) != PGRES_PIPELINE_ABORTED, failure == nil { failure = error(result) }
                PQclear(result)
            }
        }
    }

    private func lost() -> PostgresError {
        hasFailed = true
        return PostgresError(
            state: "", message: PQerrorMessage(handle).map { String(cString: $0) } ?? "", isLost: true)
    }

    private func error(_ result: OpaquePointer?) -> PostgresError {
        let error = PostgresError(result, on: handle)
        hasFailed = hasFailed || error.isLost
        return error
    }

    private func prepare(_ sql: String, _ parameters: [PostgresValue]) throws(PostgresError) -> String {
        if let name = prepared[sql] { return name }
        let name = "statement\(prepared.count)"
        let types = parameters.map(\.type)
        _ = try rows(PQprepare(handle, name, sql, Int32(types.count), types))
        prepared[sql] = name
        return name
    }

    private func rows(_ result: OpaquePointer?) throws(PostgresError) -> PostgresRows {
        switch PQresultStatus(result) {
        case PGRES_COMMAND_OK, PGRES_TUPLES_OK:
            if let result { return PostgresRows(result) }
        default: break
        }
        defer { PQclear(result) }
        throw error(result)
    }
}
