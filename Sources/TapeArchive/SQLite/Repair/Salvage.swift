package import Foundation
import GRDB
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
    private let progress: (_ rows: Int) throws -> Void

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
        for suffix in ["", "-wal"] {
            let file = source.appendingPathComponent(DataFolder.archive + suffix)
            guard FileManager.default.fileExists(atPath: file.path) else { continue }
            // The copy is changed, also one of a file that can only be read.
            try DataFile.copy(file.path, to: damaged.path + suffix) { try progress(0) }
        }
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
        try source.close()
        let id = try target.pool.write(identify)
        let known = KnownSessions(slots, archive: id)
        if known.isReplaced {
            tell("it is another archive than the folder had before, so what is in the log may not belong to it")
        }
        if hasLoose { try addLoose(to: target, known) }
        try target.pool.write { try dropDeleted($0, known) }
        try SalvagedSessions(target.pool, known, tell).mend()
        return try target.pool.read { db in
            let hidden = try String.fetchSet(db, sql: "SELECT id FROM session WHERE hidden")
            let deleted = try String.fetchSet(db, sql: "SELECT id FROM deleted")
            return Salvaged(id: id, slots: slots, left: hidden.union(deleted))
        }
    }

    private mutating func note(unread table: String) {
        hasLoose = true
        if table == "session" { hasAllSessions = false }
    }

    private func addLoose(to target: SQLiteArchive, _ known: KnownSessions) throws {
        let pages = try LeafPages(damaged)
        try target.pool.write { db in
            let rows = try Int64.fetchSet(db, sql: "SELECT row FROM session")
            let isAll = hasAllSessions
            var loose = LooseRows(pages, into: db, progress: progress) { session in
                !isAll || rows.contains(session) || known.id(in: session) != nil
            }
            try loose.add()
            if loose.count > 0 { tell("\(loose.count) rows are added to which no page leads any more") }
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
        // The rows of uploads that were given up, and of sessions that were uploaded again.
        for table in ["batch", "chunk"] {
            try db.execute(
                sql: """
                    DELETE FROM \(table) WHERE session NOT IN (SELECT row FROM session) AND EXISTS (SELECT 1 FROM deleted
                        WHERE id = 'upload ' || session OR id LIKE 'again ' || session || ' %')
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
        if let frames = LogFrames(log) {
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

    private func readable() throws -> DatabaseQueue {
        let queue = try DatabaseQueue(path: damaged.path)
        let count = try queue.read { db in
            try Int.fetchOne(
                db, sql: "SELECT count(*) FROM sqlite_master WHERE name IN ('session', 'chunk', 'batch')")
        }
        guard count == 3 else {
            throw DatabaseError(resultCode: .SQLITE_CORRUPT, message: "its tables are missing")
        }
        return queue
    }

    private mutating func copy(_ table: String, from source: DatabaseQueue, to target: SQLiteArchive) throws {
        guard try source.read({ try $0.tableExists(table) }) else {
            tell("the table \(table) is missing")
            return note(unread: table)
        }
        let names = try source.read { try $0.columns(in: table).map(\.name) }
        let known = try target.pool.read { try $0.columns(in: table).map(\.name) }
        let columns = names.filter(known.contains)
        let insert = """
            INSERT OR IGNORE INTO \(table) (\(columns.map { "\"\($0)\"" }.joined(separator: ", ")))
            VALUES (\(columns.map { _ in "?" }.joined(separator: ", ")))
            """
        // Without a transaction, which damage ends.
        let isWhole = try source.unsafeRead { from in
            try target.pool.write { to in
                var rows = RowsAround(from, table)
                return try rows.each { row in
                    let values = columns.map { row[$0] as DatabaseValue }
                    try to.cachedStatement(sql: insert).execute(arguments: StatementArguments(values))
                    try progress(1)
                }
            }
        }
        if isWhole { return }
        tell("the table \(table) is damaged: some of its rows can't be read")
        note(unread: table)
    }
}
