import Foundation
import GRDB
package import TapeEngine
import TapeFormat
import Zlib

extension SQLiteArchive {
    package func batch(of session: Int64, from seq: Int, joinedTo bytes: Int) throws -> LineBatch? {
        let (batch, isSealed): (LineBatch?, Bool) = try readAround { db, hint in
            // Sealed lines first: a batch may be sealed only in part.
            if let row = try Self.sealed("chunk", "lines", hint, session, seq, db) {
                return (try LineBatch(row), true)
            }
            return (try Self.batches(of: session, from: seq, joinedTo: bytes, db, hint), false)
        }
        guard let batch, isSealed else { return batch }
        return LineBatch(
            first: batch.first, next: batch.next, bytes: try Zstd.decompress(batch.bytes), isChecked: true)
    }

    private static func batches(
        of session: Int64, from seq: Int, joinedTo bytes: Int, _ db: Database, _ hint: String
    ) throws -> LineBatch? {
        // The last batch that starts at or before `seq` contains it, or ends before it at the end of a tape.
        let sql = """
            SELECT stored.lines, stored.session, stored.first, stored.next, stored.sum FROM \(stored("batch", hint))
            WHERE place.session = ?1 AND place.first >=
                (SELECT coalesce(max(first), 0) FROM batch\(hint) WHERE session = ?1 AND first <= ?2)
            AND coalesce(stored.next, ?2 + 1) > ?2 ORDER BY place.first
            """
        let rows = try Row.fetchCursor(db.cachedStatement(sql: sql), arguments: [session, seq])
        func read() throws -> LineBatch? { try rows.next().map { try LineBatch($0.checked(of: session)) } }
        guard var joined = try read() else { return nil }
        while joined.bytes.count < bytes, let next = try read(),
            next.first == joined.next, joined.bytes.count + next.bytes.count <= bytes
        {
            joined.append(next)
        }
        return joined
    }

    package func base(of session: Int64, store: String?, upTo seq: Int) throws -> StateBase? {
        try readAround { db, hint in
            let sql = """
                SELECT seq, kind FROM base\(hint) WHERE session = ? AND store IS ? AND seq <= ? ORDER BY seq DESC LIMIT 1
                """
            return try Row.fetchOne(db.cachedStatement(sql: sql), arguments: [session, store?.stored, seq])
                .flatMap { try StateBase($0) }
        }
    }

    package func nextState(of session: Int64, store: String, after seq: Int) throws -> Int? {
        try readAround { db, hint in
            try Int.fetchOne(
                db.cachedStatement(
                    sql: "SELECT min(seq) FROM base\(hint) WHERE session = ? AND store = ? AND seq > ? AND kind = 0"
                ),
                arguments: [session, store.stored, seq])
        }
    }

    package func stores(of session: Int64, upTo seq: Int) throws -> [String] {
        try readAround { db, hint in
            try StoredText.fetchAll(
                db.cachedStatement(
                    sql: """
                        SELECT DISTINCT store FROM base\(hint) WHERE session = ? AND store IS NOT NULL AND seq <= ?
                        ORDER BY store
                        """),
                arguments: [session, seq]
            ).map(\.text)
        }
    }

    package func markBroken(_ session: Int64, store: String, at seq: Int) throws {
        try write { db in
            try db.execute(
                sql: """
                    INSERT INTO base (session, store, seq, kind) SELECT ?1, ?2, ?3, ?4
                    WHERE EXISTS (SELECT 1 FROM session WHERE row = ?1) AND NOT EXISTS (
                        SELECT 1 FROM base WHERE session = ?1 AND store = ?2 AND seq = ?3 AND kind = ?4)
                    """,
                arguments: [session, store.stored, seq, StateBase.Kind.broken.rawValue])
        }
    }
}

extension LineBatch {
    fileprivate init(_ row: Row) throws {
        let (first, next): (Int, Int) = (try row.get("first"), try row.get("next"))
        // Checked, since the values are subtracted later.
        guard 0 <= first, first < next, next <= Limits.seq + 1 else {
            throw FormatError("a batch has an invalid range: from \(first) to below \(next)")
        }
        let bytes = [UInt8](try row.get("lines") as Data)
        // A chunk has a checksum of its own, and an older batch none.
        let sum: Int? = row.hasColumn("sum") ? try row.get("sum") : nil
        guard sum == nil || sum == CRC32.of(bytes) else { throw FormatError("the checksum of the lines is wrong") }
        self.init(first: first, next: next, bytes: bytes)
    }
}

extension StateBase {
    fileprivate init?(_ row: Row) throws {
        let seq: Int = try row.get("seq")
        guard let kind = Kind(rawValue: try row.get("kind")), -1...Limits.seq ~= seq else { return nil }
        self.init(seq: seq, kind: kind)
    }
}
