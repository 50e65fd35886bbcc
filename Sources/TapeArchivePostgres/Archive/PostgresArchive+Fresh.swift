package import TapeArchive
import TapeEngine
import TapeFormat

extension PostgresArchive {
    /// The most batches of a session.
    private static let maxBatches = 64

    package func fresh(_ places: [String: Int], bytes: Int) throws -> [String: FreshLines] {
        let sql = """
            SELECT s.id, p.next AS end, b.first, b.next, b.lines
            FROM unnest($1::bytea[], $2::bigint[]) AS w(id, seq)
            JOIN session s ON s.id = w.id AND NOT s.hidden JOIN progress p ON p.session = s.row
            LEFT JOIN LATERAL (
                SELECT first, next, lines,
                    sum(octet_length(lines)) OVER (ORDER BY first) - octet_length(lines) AS before
                FROM (SELECT first, next, lines FROM batch WHERE session = s.row AND first >= w.seq
                    ORDER BY first LIMIT \(Self.maxBatches)) few
            ) b ON b.before < $3
            ORDER BY s.id, b.first
            """
        let rows = try read {
            try $0.run(sql, .utf8s(Array(places.keys)), .ints(Array(places.values)), .int(bytes))
        }
        var all: [String: FreshLines] = [:]
        var ends: [String: Int] = [:]
        for row in rows {
            let id = try row.text("id")
            ends[id] = try row.int("end")
            if try row.optionalInt("first") != nil {
                all[id, default: FreshLines()].batches.append(try LineBatch(row))
            }
        }
        for (id, end) in ends {
            var next = places[id] ?? 0
            var found = all[id] ?? FreshLines()
            let isWhole = found.batches.allSatisfy { batch in
                defer { next = batch.next }
                return batch.first == next
            }
            found.hasMore = next < end
            // Otherwise some lines are sealed already, or missing.
            all[id] = isWhole && (found.hasMore == false || !found.batches.isEmpty) ? found : nil
        }
        return all
    }
}
