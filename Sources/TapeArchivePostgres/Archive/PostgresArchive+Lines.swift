import Foundation
import TapeArchive
package import TapeEngine
import TapeFormat

extension PostgresArchive {
    package func batch(of session: Int64, from seq: Int, joinedTo bytes: Int) throws -> LineBatch? {
        // One statement, so that it sees the lines either sealed or not. A batch may be sealed only in part, so
        // sealed lines come first. The last batch that starts at or before `seq` contains it, or ends before it at
        // the end of a tape.
        let sql = """
            WITH RECURSIVE sealed AS (
                SELECT first, next, lines FROM chunk WHERE session = $1 AND next > $2 AND first = coalesce(
                    (SELECT max(first) FROM chunk WHERE session = $1 AND first <= $2),
                    (SELECT min(first) FROM chunk WHERE session = $1))),
            joined AS (
                (SELECT first, next, octet_length(lines)::bigint AS size FROM batch
                WHERE session = $1 AND next > $2 AND NOT EXISTS (SELECT FROM sealed) AND first >=
                    coalesce((SELECT max(first) FROM batch WHERE session = $1 AND first <= $2), 0)
                ORDER BY first LIMIT 1)
                UNION ALL
                SELECT b.first, b.next, j.size + octet_length(b.lines) FROM joined j
                JOIN batch b ON b.session = $1 AND b.first = j.next
                WHERE j.size < $3 AND j.size + octet_length(b.lines) <= $3)
            SELECT true AS sealed, first, next, lines FROM sealed
            UNION ALL
            SELECT false, b.first, b.next, b.lines FROM joined j
            JOIN batch b ON b.session = $1 AND b.first = j.first
            ORDER BY first
            """
        let rows = try read { try $0.run(sql, .int(session), .int(seq), .int(bytes)) }
        guard let first = rows.first else { return nil }
        var batch = try LineBatch(first)
        if try first.bool("sealed") {
            return LineBatch(
                first: batch.first, next: batch.next, bytes: try Zstd.decompress(batch.bytes), isChecked: true)
        }
        for row in rows.dropFirst() { batch.append(try LineBatch(row)) }
        return batch
    }

    package func base(of session: Int64, store: String?, upTo seq: Int) throws -> StateBase? {
        // A gap has no store, and 0 as its hash.
        let sql = """
            SELECT seq, kind::bigint FROM base WHERE session = $1 AND hash = $2 AND seq <= $3
                AND store IS NOT DISTINCT FROM $4
            ORDER BY session DESC, hash DESC, seq DESC LIMIT 1
            """
        return try read {
            try $0.run(sql, .int(session), .int(store.map(StoreHash.of) ?? 0), .int(seq), .utf8(store)).first
                .flatMap { try StateBase($0) }
        }
    }

    package func nextState(of session: Int64, store: String, after seq: Int) throws -> Int? {
        let sql = """
            SELECT seq FROM base WHERE session = $1 AND hash = $2 AND seq > $3 AND kind = 0 AND store = $4
            ORDER BY session, hash, seq LIMIT 1
            """
        return try read {
            try $0.run(sql, .int(session), .int(StoreHash.of(store)), .int(seq), .utf8(store)).first?.int("seq")
        }
    }

    package func stores(of session: Int64, upTo seq: Int) throws -> [String] {
        let sql = """
            SELECT DISTINCT store FROM base WHERE session = $1 AND store IS NOT NULL AND seq <= $2 ORDER BY store
            """
        return try read { try $0.run(sql, .int(session), .int(seq)).map { try $0.text("store") } }
    }

    package func brokenSeqs(of session: Int64) throws -> Set<Int> {
        try read {
            let sql = "SELECT seq FROM base WHERE session = $1 AND kind = $2"
            return Set(
                try $0.run(sql, .int(session), .int(StateBase.Kind.broken.rawValue)).map { try $0.int("seq") })
        }
    }

    package func markBroken(_ session: Int64, store: String, at seq: Int) throws {
        let sql = """
            INSERT INTO base (session, hash, seq, kind, store) SELECT $1, $2, $3, $4, $5
            FROM session WHERE row = $1 AND NOT EXISTS (
                SELECT FROM base WHERE session = $1 AND hash = $2 AND seq = $3 AND kind = $4 AND store = $5)
            FOR KEY SHARE
            """
        try write(isRepeatable: true) {
            _ = try $0.run(
                sql, .int(session), .int(StoreHash.of(store)), .int(seq),
                .int(StateBase.Kind.broken.rawValue), .utf8(store))
        }
    }
}

extension LineBatch {
    init(_ row: PostgresRow) throws {
        let (first, next) = (try row.int("first"), try row.int("next"))
        // Checked, since the values are subtracted later.
        guard 0 <= first, first < next, next <= Limits.seq + 1 else {
            throw FormatError("a batch has an invalid range: from \(first) to below \(next)")
        }
        self.init(first: first, next: next, bytes: try row.bytes("lines"))
    }
}

extension StateBase {
    fileprivate init?(_ row: PostgresRow) throws {
        let seq = try row.int("seq")
        guard let kind = Kind(rawValue: try row.int("kind")), -1...Limits.seq ~= seq else { return nil }
        self.init(seq: seq, kind: kind)
    }
}
