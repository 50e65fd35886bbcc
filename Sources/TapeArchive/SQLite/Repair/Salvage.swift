package import Foundation
import GRDB
import GRDBSQLite
import Logging
import TapeFormat

/// Reads the rows of a damaged archive into a raw archive of its own.
package struct Salvage {
    private let damaged: URL
    private let raw: URL
    private let slots: [Int64: Acknowledged.End]
    private let tell: (String) -> Void
    /// Whether there may be rows to which nothing leads any more.
    private var hasLoose = false
    private var hasAllSessions = true
    private var indexed: [Int64: String] = [:]
    private var unread = UnreadLines()
    private let progress: (_ rows: Int) throws -> Void
    /// Those of the damaged files. Their rows can't have more, since each page belongs to one.
    private let bytes: Int

    private static let tables = [
        "session", "batch", "chunk", "keyframe", "base", "bookmark", "word", "name", "device", "startState",
        "deleted", "identity",
    ]

    /// Copies the damaged files, since even reading would change them.
    package init(
        from source: URL, in folder: URL, tell: @escaping (String) -> Void,
        progress: @escaping (_ rows: Int) throws -> Void
    ) throws {
        damaged = folder.appendingPathComponent("damaged.sqlite")
        raw = folder.appendingPathComponent(DataFolder.archive)
        slots = try Acknowledged.read(source.appendingPathComponent(DataFolder.acknowledged).path)
        (self.tell, self.progress) = (tell, progress)
        var bytes = 0
        for suffix in ["", "-wal"] {
            let file = source.appendingPathComponent(DataFolder.archive + suffix)
            guard FileManager.default.fileExists(atPath: file.path) else { continue }
            // The copy is changed, also one of a file that can only be read.
            try DataFile.copy(file.path, to: damaged.path + suffix) { try progress(0) }
            bytes += try file.resourceValues(forKeys: [.fileSizeKey]).fileSize ?? 0
        }
        self.bytes = bytes
    }

    package mutating func run() throws -> Salvaged {
        let target = try SQLiteArchive(raw, sync: .normal)
        defer { try? target.close() }
        let source = try opened(like: target)
        try target.pool.write { db in try db.execute(sql: "DELETE FROM identity") }
        for table in Self.tables {
            do {
                try copy(table, from: source, to: target)
            } catch  where Damage.isMeant(by: error) {
                tell("the table \(table) can't be read: \(Damage.reason(error))")
                note(unread: table)
            }
        }
        if !hasAllSessions { readIndex(source) }
        try source.close()
        let id = try target.pool.write(identify)
        let known = KnownSessions(slots, indexed: indexed, archive: id)
        if known.isReplaced {
            tell("it is another archive than the folder had before, so what is in the log may not belong to it")
        }
        if hasLoose { try addLoose(to: target, known) }
        try target.pool.write { try dropDeleted($0, known) }
        try SalvagedSessions(target.pool, known, unread, tell, step: step).mend()
        return try target.pool.read { db in
            // Only of those that are known: a damaged archive may have any number of deleted ones.
            let left = try db.cachedStatement(
                sql: """
                    SELECT EXISTS (SELECT 1 FROM session WHERE id = ?1 AND hidden)
                        OR EXISTS (SELECT 1 FROM deleted WHERE id = ?1)
                    """)
            let ids = try Acknowledged.sessions(slots).values.map(\.id)
                .filter { try Bool.fetchOne(left, arguments: [$0]) == true }
            return Salvaged(id: id, slots: slots, left: Set(ids))
        }
    }

    /// For loops that read no rows.
    private var step: () throws -> Void { { [progress] in try progress(0) } }

    private mutating func note(unread table: String) {
        hasLoose = true
        if table == "session" { hasAllSessions = false }
    }

    /// Reads the ids of the sessions whose rows are damaged from their index, which may be whole.
    private mutating func readIndex(_ source: DatabaseQueue) {
        // SQLite reads no row for what the index has.
        let sql = "SELECT id, row FROM session ORDER BY id LIMIT \(ValueLimits.sessions)"
        try? source.unsafeRead { db in
            let rows = try Row.fetchCursor(db, sql: sql)
            while let row = try rows.next() {
                guard let id = String.fromDatabaseValue(row["id"]), Header.isSession(id),
                    let number = Int64.fromDatabaseValue(row["row"])
                else { continue }
                indexed[number] = id
                try step()
            }
        }
    }

    private func addLoose(to target: SQLiteArchive, _ known: KnownSessions) throws {
        let pages = try LeafPages(damaged, step: step)
        try target.pool.write { db in
            let rows = try Int64.fetchSet(db, sql: "SELECT row FROM session")
            let isAll = hasAllSessions
            var loose = LooseRows(pages, into: db, progress: progress) { session in
                !isAll || rows.contains(session) || known.id(in: session) != nil
            }
            try loose.add()
            if loose.count > 0 { tell("\(loose.count) rows are added to which no page leads any more") }
            if loose.tooLong > 0 {
                tell("\(loose.tooLong) rows to which no page leads have values that are too long, and aren't added")
            }
        }
    }

    /// Older pages have sessions that were deleted since then.
    private func dropDeleted(_ db: Database, _ known: KnownSessions) throws {
        for (row, id) in known.deleted {
            let isThere = try Row.fetchOne(db, sql: "SELECT 1 FROM session WHERE row = ?", arguments: [row]) != nil
            let hasOther =
                try Row.fetchOne(
                    db, sql: "SELECT 1 FROM session WHERE id = ? AND row <> ?", arguments: [id, row]) != nil
            // Somebody may have put an older copy of the archive in its place to get the session back.
            if hasOther || isThere && !hasLoose { continue }
            try db.execute(sql: "INSERT OR REPLACE INTO deleted (id, row) VALUES (?, ?)", arguments: [id, row])
        }
        guard hasLoose else { return }
        try db.execute(
            sql: """
                DELETE FROM session WHERE EXISTS (SELECT 1 FROM deleted
                    WHERE deleted.id = session.id AND coalesce(deleted.row, session.row) = session.row)
                """)
        // The rows of uploads that were given up, and of sessions that were uploaded again. “!” follows the blank, and a
        // pattern would look at all of them for each row.
        for table in ["batch", "chunk"] {
            try db.execute(
                sql: """
                    DELETE FROM \(table) WHERE session IN (
                        SELECT session FROM (SELECT DISTINCT session FROM \(table)) AS found
                        WHERE session NOT IN (SELECT row FROM session) AND (
                            EXISTS (SELECT 1 FROM deleted WHERE id = 'upload ' || found.session)
                            OR EXISTS (SELECT 1 FROM deleted
                                WHERE id > 'again ' || found.session || ' ' AND id < 'again ' || found.session || '!')))
                    """)
        }
    }

    /// Leaves one id: that of the archive, or the one by which the file beside it knows it.
    private func identify(_ db: Database) throws -> String? {
        let valid = "id GLOB '\(String(repeating: "[0-9a-f]", count: 32))'"
        let id = try String.fetchOne(db, sql: "SELECT id FROM identity WHERE \(valid)") ?? slots[0]?.id
        try db.execute(sql: "DELETE FROM identity")
        try db.execute(
            sql: "INSERT INTO identity VALUES (coalesce(?, lower(hex(randomblob(16)))))", arguments: [id])
        return id
    }

    /// Opens the copy. If its first page doesn't tell what is where, that of a new archive does: the tables have always
    /// been created in the same order, and their first pages are where they were created.
    private mutating func opened(like target: SQLiteArchive) throws -> DatabaseQueue {
        // Where pages are missing, the log may have older ones, which SQLite doesn't read.
        let isCut = try HeadPage.lengthen(damaged)
        if !isCut, let source = try? readable() { return source }
        let damage = "the first page of the archive's file is damaged"
        if !isCut { tell(damage) }
        let log = URL(fileURLWithPath: damaged.path + "-wal")
        if let frames = try LogFrames(log, over: PageFile(damaged).count, step: step) {
            if frames.hasForeign {
                tell("the archive's log has pages with numbers that can't be, and they aren't used")
            }
            if try frames.write(into: damaged) {
                tell("pages of the archive's file are missing: older ones in its log take their place")
                hasLoose = true
            }
        } else if let size = try? log.resourceValues(forKeys: [.fileSizeKey]).fileSize, size > 0 {
            tell("the archive's log can't be used")
        }
        for suffix in ["-wal", "-shm"] { try? FileManager.default.removeItem(atPath: damaged.path + suffix) }
        try HeadPage.settle(damaged)
        if let source = try? readable() { return source }
        if isCut { tell(damage) }
        hasLoose = true
        try target.pool.writeWithoutTransaction { _ = try $0.checkpoint(.truncate) }
        try HeadPage.replace(in: damaged, by: raw)
        return try readable()
    }

    /// The copy, if its tables are where its first page says. Otherwise it stays as it is: a connection that may write
    /// puts the log's pages into the file when it closes, and cuts the file where the log says that it ends.
    private func readable() throws -> DatabaseQueue {
        let queue = try connected(isReadOnly: true)
        let count = try queue.read { db in
            try Int.fetchOne(
                db,
                sql: """
                    SELECT count(*) FROM sqlite_master WHERE type = 'table' AND name IN ('session', 'chunk', 'batch')
                    """)
        }
        try queue.close()
        guard count == 3 else {
            throw DatabaseError(resultCode: .SQLITE_CORRUPT, message: "its tables are missing")
        }
        return try connected(isReadOnly: false)
    }

    private func connected(isReadOnly: Bool) throws -> DatabaseQueue {
        var configuration = GRDB.Configuration()
        configuration.readonly = isReadOnly
        configuration.prepareDatabase { db in
            sqlite3_limit(db.sqliteConnection, SQLITE_LIMIT_LENGTH, Int32(ValueLimits.other))
        }
        return try DatabaseQueue(path: damaged.path, configuration: configuration)
    }

    /// The tables whose rows are of use without some of their values.
    private static let areKept: Set = ["session", "bookmark"]

    private func tell(_ lost: [String], _ table: String, _ columns: [String], _ values: [DatabaseValue]) {
        let names = lost.map { "“\($0)”" }.joined(separator: ", ")
        let id = columns.firstIndex(of: "id").flatMap { String.fromDatabaseValue(values[$0]) } ?? ""
        let row = id.isEmpty ? "of a row" : "of \(id)"
        let end = Self.areKept.contains(table) ? "" : ", and the row isn't copied"
        tell("the table \(table): \(names) \(row) can't be read\(end)")
    }

    private mutating func copy(_ table: String, from source: DatabaseQueue, to target: SQLiteArchive) throws {
        guard try source.read({ try $0.tableExists(table) }) else {
            tell("the table \(table) is missing")
            return note(unread: table)
        }
        let names = try source.read { try $0.columns(in: table).map(\.name) }
        let known = try target.pool.read { try $0.columns(in: table).map(\.name) }
        let columns = names.filter(known.contains)
        let insert = "INSERT OR IGNORE INTO \(table) (\(columns.list)) VALUES (\(columns.places))"
        // Without a transaction, which damage ends.
        var unread = unread
        let (isWhole, tooLong) = try source.unsafeRead { from in
            sqlite3_limit(from.sqliteConnection, SQLITE_LIMIT_LENGTH, Int32(ValueLimits.bytes(in: table)))
            return try target.pool.write { to in
                let types = try ColumnTypes(table, columns, to)
                var rows = RowsAround(from, table, columns, most: bytes, step: step)
                let isWhole = try rows.each { values in
                    var values = values
                    let lost = types?.settle(&values) ?? []
                    if !lost.isEmpty { tell(lost, table, columns, values) }
                    if lost.isEmpty || Self.areKept.contains(table), !unread.add(table, columns, values) {
                        try to.cachedStatement(sql: insert).execute(arguments: StatementArguments(values))
                    }
                    try progress(1)
                }
                return (isWhole, rows.tooLong)
            }
        }
        self.unread = unread
        if let count = unread.counts[table] { tell("the table \(table): \(count) rows have no lines") }
        for (column, row) in tooLong {
            tell("the table \(table): \(column) in row \(row) is too long to be right, and isn't copied")
        }
        if isWhole { return }
        tell("the table \(table) is damaged: some of its rows can't be read")
        note(unread: table)
    }
}
