#if Server
    import Foundation
    import GRDB

    extension SQLiteArchive {
        func batch(of session: Int64, from seq: Int, joinedTo bytes: Int) throws -> StoredBatch? {
            let (batch, isSealed): (StoredBatch?, Bool) = try pool.read { db in
                // Sealed lines first: not all of a batch may be sealed.
                if let row = try Self.sealed("chunk", session, seq, db) { return (StoredBatch(row), true) }
                return (try Self.batches(of: session, from: seq, joinedTo: bytes, db), false)
            }
            guard let batch, isSealed else { return batch }
            return StoredBatch(first: batch.first, next: batch.next, bytes: try Zstd.decompress(batch.bytes))
        }

        private static func batches(
            of session: Int64, from seq: Int, joinedTo bytes: Int, _ db: Database
        ) throws -> StoredBatch? {
            // The last batch that begins at or before `seq` holds it, or ends before it at the end of a tape.
            let sql = """
                SELECT first, next, lines FROM batch WHERE session = ?1 AND first >=
                    (SELECT coalesce(max(first), 0) FROM batch WHERE session = ?1 AND first <= ?2)
                AND next > ?2 ORDER BY first
                """
            let rows = try Row.fetchCursor(db.cachedStatement(sql: sql), arguments: [session, seq])
            guard var joined = try rows.next().map(StoredBatch.init) else { return nil }
            while joined.bytes.count < bytes, let next = try rows.next().map(StoredBatch.init),
                next.first == joined.next, joined.bytes.count + next.bytes.count <= bytes
            {
                joined.next = next.next
                joined.bytes += next.bytes
            }
            return joined
        }

        func base(of session: Int64, store: String?, upTo seq: Int) throws -> Base? {
            try pool.read { db in
                let sql = """
                    SELECT seq, kind FROM base WHERE session = ? AND store IS ? AND seq <= ? ORDER BY seq DESC LIMIT 1
                    """
                return try Row.fetchOne(db.cachedStatement(sql: sql), arguments: [session, store, seq])
                    .flatMap(Base.init)
            }
        }

        func nextState(of session: Int64, store: String, after seq: Int) throws -> Int? {
            try pool.read { db in
                try Int.fetchOne(
                    db.cachedStatement(
                        sql: "SELECT min(seq) FROM base WHERE session = ? AND store = ? AND seq > ? AND kind = 0"),
                    arguments: [session, store, seq])
            }
        }

        func stores(of session: Int64, upTo seq: Int) throws -> [String] {
            try pool.read { db in
                try String.fetchAll(
                    db.cachedStatement(
                        sql: """
                            SELECT DISTINCT store FROM base WHERE session = ? AND store IS NOT NULL AND seq <= ?
                            ORDER BY store
                            """),
                    arguments: [session, seq])
            }
        }

        func markBroken(_ session: Int64, store: String, at seq: Int) throws {
            try write { db in
                try db.execute(
                    sql: """
                        INSERT INTO base (session, store, seq, kind) SELECT ?1, ?2, ?3, ?4
                        WHERE NOT EXISTS (
                            SELECT 1 FROM base WHERE session = ?1 AND store = ?2 AND seq = ?3 AND kind = ?4)
                        """,
                    arguments: [session, store, seq, Base.Kind.broken.rawValue])
            }
        }
    }

    extension StoredBatch {
        fileprivate init(_ row: Row) {
            self.init(first: row["first"], next: row["next"], bytes: [UInt8](row["lines"] as Data))
        }
    }

    extension Base {
        fileprivate init?(_ row: Row) {
            guard let kind = Kind(rawValue: row["kind"]) else { return nil }
            self.init(seq: row["seq"], kind: kind)
        }
    }
#endif
