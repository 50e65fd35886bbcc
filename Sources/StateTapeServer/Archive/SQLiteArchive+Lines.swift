#if Server
    import Foundation
    import GRDB

    extension SQLiteArchive {
        func batch(of session: Int64, from seq: Int) throws -> StoredBatch? {
            let (row, isSealed): (Row?, Bool) = try pool.read { db in
                // Sealed lines first: not all of a batch may be sealed.
                if let row = try Self.sealed("chunk", session, seq, db) { return (row, true) }
                // The last batch that begins at or before `seq` holds it, or ends before it at the end of a tape.
                let sql = """
                    SELECT first, next, lines FROM batch WHERE session = ?1 AND first >=
                        (SELECT coalesce(max(first), 0) FROM batch WHERE session = ?1 AND first <= ?2)
                    AND next > ?2 ORDER BY first LIMIT 1
                    """
                return (try Row.fetchOne(db.cachedStatement(sql: sql), arguments: [session, seq]), false)
            }
            guard let row else { return nil }
            let bytes = row["lines"] as Data
            return StoredBatch(
                first: row["first"], next: row["next"], bytes: try isSealed ? Self.content(bytes) : [UInt8](bytes))
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

    extension Base {
        fileprivate init?(_ row: Row) {
            guard let kind = Kind(rawValue: row["kind"]) else { return nil }
            self.init(seq: row["seq"], kind: kind)
        }
    }
#endif
