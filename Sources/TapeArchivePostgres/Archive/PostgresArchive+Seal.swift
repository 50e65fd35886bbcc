import Foundation
import TapeArchive
import TapeEngine
import TapeFormat

extension PostgresArchive {
    /// Seals in order, in one round trip. Their sessions are locked.
    static func seal(_ seals: [Seal], _ connection: PostgresConnection) throws -> [Outcome] {
        try connection.run(seals.map(statement)).map { $0.isEmpty ? .dropped : .sealed }
    }

    private static func statement(_ seal: Seal) -> PostgresStatement {
        let (first, next) = (seal.covers.lowerBound, seal.covers.upperBound)
        let words = seal.words.map(word)
        let sql = """
            WITH place AS (SELECT session FROM progress WHERE session = $1 AND sealed = $2),
            chunks AS (INSERT INTO chunk (session, first, next, lines) SELECT session, $2, $3, $4 FROM place),
            heads AS (INSERT INTO head (session, first, next, columns) SELECT session, $2, $3, $5 FROM place),
            names AS (
                INSERT INTO name (session, number, text)
                SELECT session, number + $6 - 1, text
                FROM place, unnest($7::bytea[]) WITH ORDINALITY AS n(text, number)),
            words AS (
                INSERT INTO word (session, text, folded)
                SELECT session, text, folded FROM place, unnest($8::text[], $9::text[]) AS w(text, folded)),
            -- In a statement each part sees what was there before: the keyframes' bases aren't deleted.
            unbased AS (
                DELETE FROM base b USING place p, unnest($10::bigint[], $11::bytea[], $12::bigint[])
                    AS n(hash, store, seq)
                WHERE b.session = p.session AND b.hash = n.hash AND b.store = n.store AND b.seq = n.seq
                    AND b.kind = $13 RETURNING 1),
            keyframes AS (
                INSERT INTO keyframe (session, hash, seq, store, state)
                SELECT session, k.* FROM place, unnest($14::bigint[], $15::bigint[], $16::bytea[], $17::bytea[])
                    AS k(hash, seq, store, state)),
            based AS (
                INSERT INTO base (session, hash, seq, kind, store)
                SELECT session, hash, seq, $18, store
                FROM place, unnest($14::bigint[], $15::bigint[], $16::bytea[]) AS k(hash, seq, store)),
            -- From the batch with the first line on: before it are only deleted rows, thousands until the next vacuum.
            gone AS (
                DELETE FROM batch b USING place p WHERE b.session = p.session AND b.first < $3 AND b.next <= $3
                    AND b.first >= coalesce(
                        (SELECT max(first) FROM batch WHERE session = $1 AND first <= $2), $2)
                RETURNING octet_length(lines) + \(RowSize.batch) AS bytes),
            -- Sealing succeeded, so the earlier failure was not caused by the lines.
            calm AS (DELETE FROM trouble t USING place p WHERE t.session = p.session AND t.seq < $3)
            UPDATE progress SET sealed = $3, stored = greatest(0, stored + $19
                    - (SELECT coalesce(sum(bytes), 0) FROM gone)
                    - \(RowSize.base) * (SELECT count(*) FROM unbased))
                FROM place WHERE progress.session = place.session RETURNING 1 AS done
            """
        return PostgresStatement(
            sql,
            [
                .int(seal.session), .int(first), .int(next), .bytes(seal.lines), .bytes(seal.columns),
                .int(seal.firstName), .utf8s(seal.names), .texts(words.map(\.text)), .texts(words.map(\.folded)),
                .ints(seal.noBases.map { StoreHash.of($0.store) }), .utf8s(seal.noBases.map(\.store)),
                .ints(seal.noBases.map(\.seq)), .int(StateBase.Kind.state.rawValue),
                .ints(seal.keyframes.map { StoreHash.of($0.store) }), .ints(seal.keyframes.map(\.seq)),
                .utf8s(seal.keyframes.map(\.store)), .byteses(seal.keyframes.map(\.state)),
                .int(StateBase.Kind.keyframe.rawValue), .int(size(of: seal)),
            ])
    }

    /// The bytes of the rows that a seal adds.
    private static func size(of seal: Seal) -> Int {
        let blobs = seal.lines.count + seal.columns.count + 2 * RowSize.batch
        let names = seal.names.reduce(0) { $0 + $1.utf8.count + RowSize.name }
        let words = seal.words.reduce(0) { $0 + 6 * $1.utf8.count + RowSize.word }
        return seal.keyframes.reduce(blobs + names + words) { $0 + size(of: $1) }
    }

    private static func size(of keyframe: Seal.Keyframe) -> Int {
        keyframe.state.count + RowSize.batch + RowSize.base
    }

    static func keep(_ keyframe: Seal.Keyframe, _ session: Int64, _ connection: PostgresConnection) throws {
        let hash = StoreHash.of(keyframe.store)
        try connection.run(
            "INSERT INTO keyframe (session, hash, seq, store, state) VALUES ($1, $2, $3, $4, $5)", .int(session),
            .int(hash), .int(keyframe.seq), .utf8(keyframe.store), .bytes(keyframe.state))
        try connection.run(
            "INSERT INTO base (session, hash, seq, kind, store) VALUES ($1, $2, $3, $4, $5)", .int(session),
            .int(hash), .int(keyframe.seq), .int(StateBase.Kind.keyframe.rawValue), .utf8(keyframe.store))
        try connection.run(
            "UPDATE progress SET stored = stored + $1 WHERE session = $2", .int(size(of: keyframe)), .int(session))
    }

    /// A text in the form that a search can find, and the same folded unless folding ASCII alone does the same.
    package static func word(_ text: String) -> (text: String, folded: String?) {
        let text = text.utf8.contains(0) ? text.replacing("\0", with: " ") : text
        let folded = SearchedText.simple(text)
        return (text, folded.utf8.elementsEqual(SearchedText.ascii(text).utf8) ? nil : folded)
    }

    package func columns(of session: Int64, at seq: Int) throws -> [UInt8]? {
        let sql = """
            SELECT columns FROM head WHERE session = $1 AND next > $2 AND first = coalesce(
                (SELECT max(first) FROM head WHERE session = $1 AND first <= $2),
                (SELECT min(first) FROM head WHERE session = $1))
            """
        return try read { try $0.run(sql, .int(session), .int(seq)).first?.bytes("columns") }.map(Zstd.decompress)
    }

    package func names(of session: Int64, from number: Int) throws -> [String] {
        try read {
            try $0.run(
                "SELECT text FROM name WHERE session = $1 AND number >= $2 ORDER BY number", .int(session),
                .int(number)
            ).map { try $0.text("text") }
        }
    }

    package func keyframe(of session: Int64, store: String, at seq: Int) throws -> [UInt8]? {
        try read {
            try $0.run(
                "SELECT state FROM keyframe WHERE session = $1 AND hash = $2 AND store = $3 AND seq = $4",
                .int(session), .int(StoreHash.of(store)), .utf8(store), .int(seq)
            ).first?.bytes("state")
        }.map(Zstd.decompress)
    }

    package func keyframeSizes(of session: Int64) throws -> [(store: String, seq: Int, bytes: Int)] {
        try read {
            try $0.run(
                "SELECT store, seq, substr(state, 1, 18) AS head FROM keyframe WHERE session = $1 ORDER BY seq",
                .int(session)
            ).map { (try $0.text("store"), try $0.int("seq"), try Zstd.size(of: $0.bytes("head"))) }
        }
    }

    package func keyframes(of session: Int64, in seqs: Range<Int>) throws -> [(store: String, seq: Int)] {
        try read {
            try $0.run(
                "SELECT store, seq FROM keyframe WHERE session = $1 AND seq >= $2 AND seq < $3", .int(session),
                .int(seqs.lowerBound), .int(seqs.upperBound)
            ).map { (try $0.text("store"), try $0.int("seq")) }
        }
    }

    package func unsealed() throws -> [String] {
        let sql = """
            SELECT s.id FROM progress p JOIN session s ON s.row = p.session
            WHERE p.sealed < p.next AND NOT s.hidden
                AND NOT EXISTS (SELECT FROM trouble t WHERE t.session = p.session AND t.count > 1) ORDER BY s.row
            """
        return try read { try $0.run(sql).map { try $0.text("id") } }
    }
}
