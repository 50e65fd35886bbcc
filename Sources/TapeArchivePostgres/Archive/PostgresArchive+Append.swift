import TapeArchive
import TapeEngine
import TapeFormat

extension PostgresArchive {
    /// Appends batches, each to another session.
    static func append(_ batches: [Batch], _ received: Int, _ connection: PostgresConnection) throws -> [Outcome] {
        var appended = try sessions(connection.run([store(batches, received)]))
        let left = batches.filter { !appended.contains($0.session) }
        guard !left.isEmpty else { return batches.map { _ in .appended } }
        var existing: Set<Int64> = []
        // Only the owner appends, and in order. If the session already has lines of the batch, an earlier commit
        // has stored them whose answer was lost.
        let found = try connection.run(
            "SELECT p.session, p.next, p.owner FROM progress p WHERE p.session = ANY($1)",
            .ints(left.map(\.session)))
        var rest: [Batch] = []
        for row in found {
            let (session, next) = (try row.int64("session"), try row.int("next"))
            existing.insert(session)
            guard let batch = left.first(where: { $0.session == session }), try row.text("owner") == batch.owner,
                batch.first < next, next <= batch.next
            else { continue }
            let lines = batch.lines.filter { $0.seq >= next }
            if lines.isEmpty {
                appended.insert(session)
            } else if lines.first?.first == next {
                rest.append(Batch(session: session, owner: batch.owner, lines: lines))
            }
        }
        if !rest.isEmpty { appended.formUnion(try sessions(connection.run([store(rest, received)]))) }
        existing.formUnion(appended)
        return batches.map { batch in
            appended.contains(batch.session) ? .appended : existing.contains(batch.session) ? .dropped : .deleted
        }
    }

    private static func sessions(_ results: [PostgresRows]) throws -> Set<Int64> {
        Set(try results[0].map { try $0.int64("session") })
    }

    /// Stores batches, each of another session. Its rows are the sessions whose owner and position were right; the
    /// others stay as they were.
    static func store(_ batches: [Batch], _ received: Int) -> PostgresStatement {
        // The database locks the rows in this order, as those of `lock`. If it chose another one, two servers could wait
        // for each other: a conflict, after which the group is stored again.
        let batches = batches.sorted { $0.session < $1.session }
        let rows = batches.map { BatchRows($0.lines) }
        let all = zip(batches, rows).flatMap { batch, rows in rows.all.map { (batch.session, $0) } }
        let bases = zip(batches, rows).flatMap { batch, rows in rows.bases.map { (batch.session, $0) } }
        return PostgresStatement(
            """
            WITH accepted AS (
                UPDATE progress p SET next = c.next, bytes = p.bytes + c.bytes, stored = p.stored + c.stored,
                    duration = coalesce(c.duration, 0), complete = p.complete AND NOT c.gap, ended = c.ended,
                    seen = greatest(p.seen, $1)
                FROM unnest($2::bigint[], $3::bytea[], $4::bigint[], $5::bigint[], $6::bigint[], $7::bigint[],
                    $8::double precision[], $9::boolean[], $10::bytea[])
                    AS c(session, owner, first, next, bytes, stored, duration, gap, ended)
                WHERE p.session = c.session AND p.owner = c.owner AND p.next = c.first
                RETURNING p.session),
            kept AS (
                INSERT INTO batch (session, first, next, lines)
                SELECT r.* FROM unnest($11::bigint[], $12::bigint[], $13::bigint[], $14::bytea[])
                    AS r(session, first, next, lines)
                WHERE r.session IN (SELECT session FROM accepted)),
            based AS (
                INSERT INTO base (session, hash, seq, kind, store)
                SELECT b.* FROM unnest($15::bigint[], $16::bigint[], $17::bigint[], $18::bigint[], $19::bytea[])
                    AS b(session, hash, seq, kind, store)
                WHERE b.session IN (SELECT session FROM accepted))
            SELECT session FROM accepted
            """,
            .int(received), .ints(batches.map(\.session)), .utf8s(batches.map(\.owner)),
            .ints(batches.map(\.first)), .ints(batches.map(\.next)), .ints(batches.map(\.bytes)),
            .ints(
                zip(batches, rows).map {
                    $0.bytes + $1.all.count * RowSize.batch + $1.bases.count * RowSize.base
                }),
            .doubles(batches.map { $0.lines.last?.at.double }),
            .bools(rows.map { $0.bases.contains { $0.kind == .gap } }), .utf8s(batches.map(end)),
            .ints(all.map(\.0)), .ints(all.map(\.1.first)), .ints(all.map(\.1.next)),
            .byteses(all.map(\.1.bytes)), .ints(bases.map(\.0)),
            .ints(bases.map { $0.1.kind == .gap ? 0 : StoreHash.of($0.1.line.store) }),
            .ints(bases.map(\.1.line.seq)), .ints(bases.map(\.1.kind.rawValue)),
            .utf8s(bases.map { $0.1.kind == .gap ? nil : $0.1.line.store }))
    }

    private static func end(_ batch: Batch) -> String? {
        batch.lines.last.flatMap { $0.kind == .end ? $0["reason"]?.string ?? "" : nil }
    }
}

/// The bytes of a row besides its large column: header, keys and index entries.
enum RowSize {
    package static let batch = 100
    package static let base = 110
    package static let name = 90
    /// The index of trigrams takes several times the text.
    static let word = 150
}

/// The number of a store in indexes: the first part of its name's digest.
package enum StoreHash {
    package static func of(_ store: String) -> Int64 {
        SHA256.hash(store).prefix(8).reduce(0) { $0 << 8 | Int64($1) }
    }
}
