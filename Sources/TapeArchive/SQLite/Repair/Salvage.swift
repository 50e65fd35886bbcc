package import Foundation
import GRDB
import Logging
import TapeFormat

/// Reads the rows of a damaged archive into a raw archive of its own.
package struct Salvage {
    private let damaged: URL
    private let raw: URL
    private let ends: [Int64: Acknowledged.End]
    private let tell: (String) -> Void
    private let progress: (_ rows: Int) -> Void

    private static let tables = [
        "session", "batch", "chunk", "keyframe", "base", "bookmark", "word", "name", "device", "startState",
        "deleted", "identity",
    ]

    /// Copies the damaged files, since even reading would change them.
    package init(
        from source: URL, in folder: URL, tell: @escaping (String) -> Void,
        progress: @escaping (_ rows: Int) -> Void
    ) throws {
        damaged = folder.appendingPathComponent("damaged.sqlite")
        raw = folder.appendingPathComponent(DataFolder.archive)
        ends = try Acknowledged.read(source.appendingPathComponent(DataFolder.acknowledged).path)
        (self.tell, self.progress) = (tell, progress)
        for suffix in ["", "-wal"] {
            let file = source.appendingPathComponent(DataFolder.archive + suffix)
            guard FileManager.default.fileExists(atPath: file.path) else { continue }
            // The copy is changed, also one of a file that can only be read.
            try DataFile.copy(file.path, to: damaged.path + suffix)
        }
    }

    /// - Returns: The archive's id, if it can be read.
    package func run() throws -> String? {
        let target = try SQLiteArchive(raw, sync: .normal)
        defer { try? target.close() }
        let source = try opened(like: target)
        try target.pool.write { db in try db.execute(sql: "DELETE FROM identity") }
        for table in Self.tables {
            do {
                try copy(table, from: source, to: target)
            } catch  where Damage.isMeant(by: error) {
                tell("the table \(table) can't be read: \(Damage.reason(error))")
            }
        }
        try source.close()
        try SalvagedSessions(target.pool, ends, tell).mend()
        return try target.pool.write { db in
            let id = try String.fetchOne(db, sql: "SELECT id FROM identity")
            if id == nil { try db.execute(sql: "INSERT INTO identity VALUES (lower(hex(randomblob(16))))") }
            return id
        }
    }

    package static func identify(_ folder: URL, as id: String) throws {
        let archive = try SQLiteArchive(folder.appendingPathComponent(DataFolder.archive), sync: .full)
        try archive.pool.write { db in try db.execute(sql: "UPDATE identity SET id = ?", arguments: [id]) }
        try archive.close()
        // The file beside the archive has the new id, too, once it is opened with that.
        try SQLiteArchive(folder.appendingPathComponent(DataFolder.archive), sync: .full).close()
    }

    /// Opens the copy. If its first page doesn't tell what is where, that of a new archive does: the tables have always
    /// been created in the same order, and their first pages are where they were created.
    private func opened(like target: SQLiteArchive) throws -> DatabaseQueue {
        try HeadPage.lengthen(damaged)
        if let source = try? readable() { return source }
        tell("the first page of the archive's file is damaged")
        let log = URL(fileURLWithPath: damaged.path + "-wal")
        if let frames = LogFrames(log) {
            if try frames.write(into: damaged) {
                tell("pages of the archive's file are missing: older ones in its log take their place")
            }
        } else if FileManager.default.fileExists(atPath: log.path) {
            tell("the archive's log can't be used")
        }
        for suffix in ["-wal", "-shm"] { try? FileManager.default.removeItem(atPath: damaged.path + suffix) }
        try HeadPage.settle(damaged)
        if let source = try? readable() { return source }
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

    private func copy(_ table: String, from source: DatabaseQueue, to target: SQLiteArchive) throws {
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
                try RowsAround(from, table).each { row in
                    let values = columns.map { row[$0] as DatabaseValue }
                    try to.cachedStatement(sql: insert).execute(arguments: StatementArguments(values))
                    progress(1)
                }
            }
        }
        if !isWhole { tell("the table \(table) is damaged: some of its rows can't be read") }
    }
}
