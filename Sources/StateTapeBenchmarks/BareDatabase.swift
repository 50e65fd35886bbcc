import CPostgres

/// Copies batches into one table of a PostgreSQL database with `COPY … BINARY`, without any other work.
enum BareDatabase {
    struct Failure: Error, CustomStringConvertible {
        let description: String
    }

    /// The events per second.
    ///
    /// - Parameters:
    ///   - url: The database's address. It must name a schema without tables.
    ///   - batch: Events per transaction.
    static func rate(_ lines: [[UInt8]], batch: Int, url: String) throws -> Double {
        guard let connection = PQconnectdb(url) else { throw Failure(description: "no memory") }
        defer { PQfinish(connection) }
        try run(
            """
            CREATE TABLE bench_bare (
                session bigint NOT NULL, first bigint NOT NULL, lines bytea COMPRESSION lz4 NOT NULL,
                PRIMARY KEY (session, first))
            """, connection)
        let time = try ContinuousClock().measure {
            for first in stride(from: 0, to: lines.count, by: batch) {
                try copy(lines[first..<min(first + batch, lines.count)], first, connection)
            }
        }
        return Double(lines.count) / (time / .seconds(1))
    }

    /// Stores lines in one transaction, in rows of at most 256.
    private static func copy(_ lines: ArraySlice<[UInt8]>, _ first: Int, _ connection: OpaquePointer) throws {
        try run("COPY bench_bare FROM STDIN (FORMAT binary)", connection, expecting: PGRES_COPY_IN)
        try put(Array("PGCOPY\n".utf8) + [0xff, 0x0d, 0x0a] + [UInt8](repeating: 0, count: 9), connection)
        for start in stride(from: lines.startIndex, to: lines.endIndex, by: 256) {
            let part = lines[start..<min(start + 256, lines.endIndex)]
            var row: [UInt8] = []
            row.reserveCapacity(64 + part.reduce(0) { $0 + $1.count + 1 })
            append(Int16(3), to: &row)
            for number in [1, Int64(start)] {
                append(Int32(8), to: &row)
                append(number, to: &row)
            }
            append(Int32(part.reduce(0) { $0 + $1.count + 1 }), to: &row)
            for line in part {
                row += line
                row.append(UInt8(ascii: "\n"))
            }
            try put(row, connection)
        }
        try put([0xff, 0xff], connection)
        guard PQputCopyEnd(connection, nil) == 1 else { throw failure(connection) }
        while let result = PQgetResult(connection) {
            defer { PQclear(result) }
            guard PQresultStatus(result) == PGRES_COMMAND_OK else { throw failure(connection) }
        }
    }

    private static func append(_ value: some FixedWidthInteger, to bytes: inout [UInt8]) {
        withUnsafeBytes(of: value.bigEndian) { bytes.append(contentsOf: $0) }
    }

    private static func put(_ bytes: [UInt8], _ connection: OpaquePointer) throws {
        let isSent = bytes.withUnsafeBytes {
            PQputCopyData(connection, $0.baseAddress?.assumingMemoryBound(to: CChar.self), Int32($0.count))
        }
        guard isSent == 1 else { throw failure(connection) }
    }

    private static func run(
        _ sql: String, _ connection: OpaquePointer, expecting status: ExecStatusType = PGRES_COMMAND_OK
    ) throws {
        let result = PQexec(connection, sql)
        defer { PQclear(result) }
        guard PQresultStatus(result) == status else { throw failure(connection) }
    }

    static func failure(_ connection: OpaquePointer) -> Failure {
        Failure(description: PQerrorMessage(connection).map { String(cString: $0) } ?? "the connection was lost")
    }
}
