import CPostgres
import TapeArchive

/// An error of the database server, or of the connection to it.
struct PostgresError: ArchiveError, CustomStringConvertible {
    /// The five characters of the SQLSTATE; empty if the connection was lost or never made.
    let state: String
    /// The message in one line.
    let message: String
    /// Whether the connection can't be used any more.
    var isLost = false
    /// Whether the connection was lost while a transaction was being committed, so that it may have been.
    var isUncertain = false

    var description: String { message }
    var reason: String { message }

    init(state: String, message: String, isLost: Bool = false) {
        self.state = state
        self.message = Self.oneLine(message)
        self.isLost = isLost
    }

    /// The error of a result, or else of the connection.
    init(_ result: OpaquePointer?, on connection: OpaquePointer) {
        let state = result.flatMap { PQresultErrorField($0, Self.sqlState) }.map { String(cString: $0) } ?? ""
        let primary = result.flatMap { PQresultErrorField($0, Self.primary) }.map { String(cString: $0) }
        let message = primary ?? PQerrorMessage(connection).map { String(cString: $0) } ?? ""
        let severity = result.flatMap { PQresultErrorField($0, Self.severity) }.map { String(cString: $0) }
        self.init(
            state: state, message: message.isEmpty ? "the connection was lost" : message,
            // After a fatal error the server closes the connection, which libpq notices later. An error without a
            // state is libpq's own.
            isLost: state.isEmpty || severity == "FATAL" || severity == "PANIC")
    }

    // Macros that aren't imported: PG_DIAG_SEVERITY_NONLOCALIZED, PG_DIAG_SQLSTATE and PG_DIAG_MESSAGE_PRIMARY.
    private static let severity = Int32(UInt8(ascii: "V"))
    private static let sqlState = Int32(UInt8(ascii: "C"))
    private static let primary = Int32(UInt8(ascii: "M"))

    /// Whether the same transaction may succeed if it runs again: a deadlock, or a conflict with another one.
    var isConflict: Bool { ["40001", "40P01"].contains(state) }

    /// Whether the stored data is damaged.
    var isDamage: Bool { ["XX001", "XX002"].contains(state) || state == Self.unreadable }

    var outage: String? { unwritable?.description }

    /// Why nothing can be written at the moment; nil if the data itself is at fault.
    var unwritable: Unwritable? {
        if isLost || state.isEmpty { return Unwritable(description: "the database can't be reached (\(message))") }
        switch state {
        case "53100": return Unwritable(description: "the disk of the database is full", isFull: true)
        case "25006": return Unwritable(description: "the database is read-only")
        case "40001", "40P01", "55P03", "57014":
            return Unwritable(description: "another client keeps the database from writing (\(message))")
        default: break
        }
        // Connections, authorization, resources, an operator's commands, the system; a right, database, schema or
        // table that is missing or in the wrong state. Our SQL is always the same, so that no data is the cause of it.
        let temporary = ["08", "25", "28", "3D", "3F", "42", "53", "55", "57", "58"]
        guard temporary.contains(String(state.prefix(2))) else { return nil }
        return Unwritable(description: "the database refuses it (\(message))")
    }

    /// A value that the database has in another form than the program expects.
    static func unreadable(_ column: String) -> PostgresError {
        PostgresError(state: unreadable, message: "the value of “\(column)” can't be read")
    }

    private static let unreadable = "STU00"

    /// libpq's messages have several lines.
    static func oneLine(_ message: String) -> String {
        message.split(whereSeparator: \.isNewline).map { $0.trimmingPrefix(while: \.isWhitespace) }
            .joined(separator: "; ")
    }
}
