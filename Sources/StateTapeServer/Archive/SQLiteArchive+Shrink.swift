#if Server
    import GRDB

    extension SQLiteArchive {
        /// Pages given back at a time: about 10 ms.
        private static let slice = 512
        /// The part of the file that stays free for what comes next.
        private static let spare = 16

        func shrink() throws -> Bool {
            try pool.write { db in
                let free = try Int.fetchOne(db, sql: "PRAGMA freelist_count") ?? 0
                let excess = free - (try Int.fetchOne(db, sql: "PRAGMA page_count") ?? 0) / Self.spare
                guard excess > 0 else { return false }
                try db.execute(sql: "PRAGMA incremental_vacuum(\(min(Self.slice, excess)))")
                return true
            }
        }
    }
#endif
