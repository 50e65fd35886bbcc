import CPostgres

/// The rows of a result, in the database's binary form.
final class PostgresRows: RandomAccessCollection {
    private let result: OpaquePointer
    let endIndex: Int
    private let columns: [String: Int32]

    /// Takes over a result of libpq.
    init(_ result: OpaquePointer) {
        self.result = result
        endIndex = Int(PQntuples(result))
        columns = (0..<PQnfields(result)).reduce(into: [:]) { columns, column in
            if let name = PQfname(result, column) { columns[String(cString: name)] = column }
        }
    }

    deinit {
        PQclear(result)
    }

    var startIndex: Int { 0 }
    subscript(_ index: Int) -> PostgresRow { PostgresRow(rows: self, index: Int32(index)) }

    /// The rows that a statement without rows inserted, updated or deleted.
    var changed: Int { PQcmdTuples(result).flatMap { Int(String(cString: $0)) } ?? 0 }

    fileprivate func bytes(_ row: Int32, _ name: String) throws(PostgresError) -> UnsafeRawBufferPointer? {
        guard let column = columns[name] else { throw .unreadable(name) }
        if PQgetisnull(result, row, column) == 1 { return nil }
        return UnsafeRawBufferPointer(
            start: PQgetvalue(result, row, column), count: Int(PQgetlength(result, row, column)))
    }
}

/// A row of a result. It keeps the result alive.
struct PostgresRow {
    fileprivate let rows: PostgresRows
    fileprivate let index: Int32

    func optionalInt(_ column: String) throws(PostgresError) -> Int? {
        guard let bytes = try rows.bytes(index, column) else { return nil }
        switch bytes.count {
        case 8: return Int(Int64(bigEndian: bytes.loadUnaligned(as: Int64.self)))
        case 4: return Int(Int32(bigEndian: bytes.loadUnaligned(as: Int32.self)))
        default: throw .unreadable(column)
        }
    }

    func optionalBytes(_ column: String) throws(PostgresError) -> [UInt8]? {
        try rows.bytes(index, column).map { [UInt8]($0) }
    }

    func optionalText(_ column: String) throws(PostgresError) -> String? {
        try rows.bytes(index, column).map { String(decoding: $0, as: UTF8.self) }
    }

    func int(_ column: String) throws(PostgresError) -> Int { try some(optionalInt(column), column) }
    func int64(_ column: String) throws(PostgresError) -> Int64 { Int64(try int(column)) }
    func bytes(_ column: String) throws(PostgresError) -> [UInt8] { try some(optionalBytes(column), column) }
    /// The column is a text, or the bytes of one in UTF-8.
    func text(_ column: String) throws(PostgresError) -> String { try some(optionalText(column), column) }

    func bool(_ column: String) throws(PostgresError) -> Bool {
        guard let bytes = try rows.bytes(index, column), bytes.count == 1 else { throw .unreadable(column) }
        return bytes[0] != 0
    }

    func double(_ column: String) throws(PostgresError) -> Double {
        Double(bitPattern: UInt64(bitPattern: Int64(try int(column))))
    }

    private func some<Value>(_ value: Value?, _ column: String) throws(PostgresError) -> Value {
        guard let value else { throw .unreadable(column) }
        return value
    }
}
