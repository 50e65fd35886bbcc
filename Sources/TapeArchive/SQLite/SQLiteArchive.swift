package import Foundation
package import GRDB
import TapeFormat

/// The archive, in one SQLite file.
package final class SQLiteArchive: Archive {
    let pool: DatabasePool
    let headers = ParsedHeaders()
    package let id: String
    /// The file's identity when it was opened.
    let identity: stat
    /// Nil if the archive is only read.
    let reserve: DiskReserve?
    /// The acknowledged ends of sessions; nil if the archive is only read.
    let acknowledged: Acknowledged?
    package let lost: [LostEvents]
    package let isReplaced: Bool
    package let lostEdits: Int
    package let rebuiltIndexes: [String]
    package let knownSessions: [Int64: String]
    /// Keeps servers out while the archive is only read; nil while one runs.
    private let lock: SourceLock?

    /// Opens the file, or creates it.
    ///
    /// - Throws: ``ServerError`` if a newer version wrote it, or it isn't a StateTape database, or it can't be
    ///   written, or the folder had an archive that is gone.
    package init(_ file: URL, sync: Sync) throws(ServerError) {
        let folder = file.deletingLastPathComponent()
        try DataFolder.check(folder, toWrite: true)
        if let missing = MissingArchive(in: folder), missing.wasUsed { throw missing.refusal }
        // Before anything is written: even to open a file that isn't the server's would change it.
        try ForeignFile.refuse(file)
        lock = nil
        do {
            var configuration = GRDB.Configuration()
            configuration.busyMode = .timeout(Self.busyTimeout)
            configuration.prepareDatabase { db in
                // Only possible before the first table exists.
                if !db.configuration.readonly, try Int.fetchOne(db, sql: "PRAGMA page_count") == 0 {
                    try db.execute(sql: "PRAGMA auto_vacuum = INCREMENTAL")
                }
                // Some builds of SQLite overwrite deleted data with zeros. That doubles the work of sealing, and on
                // a full disk the log has no room for it.
                try db.execute(sql: "PRAGMA secure_delete = FAST")
            }
            pool = try DatabasePool(path: file.path, configuration: configuration)
            guard try !pool.read(Schema.migrator.hasBeenSuperseded) else {
                throw ServerError(
                    .newerDatabase, "The archive \(file.path) was written by a newer version of StateTape.")
            }
            try Schema.migrator.migrate(pool)
            try pool.read(Schema.checkTables)
            rebuiltIndexes = try CatalogueIndexes(pool).mend()
            // The pool sets NORMAL when it opens.
            try pool.writeWithoutTransaction { db in
                try db.execute(sql: "PRAGMA synchronous = \(sync == .full ? "FULL" : "NORMAL")")
                // Limits the log's size after a long read has let it grow.
                try db.execute(sql: "PRAGMA journal_size_limit = \(16 << 20)")
            }
            identity = Self.identity(of: file)
            id = try Self.id(pool)
            reserve = DiskReserve(folder.appendingPathComponent(DataFolder.reserve).path)
            let ends = folder.appendingPathComponent(DataFolder.acknowledged).path
            let found = try Acknowledged.read(ends)
            isReplaced = Self.isReplaced(id, found)
            knownSessions = isReplaced ? [:] : Acknowledged.sessions(found).mapValues(\.id)
            lost = try Self.lost(found, pool)
            lostEdits = try isReplaced ? 0 : Self.lostEdits(found, pool)
            // Those of another archive are forgotten once they were told.
            if !isReplaced { try Self.reserveRows(found, pool) }
            acknowledged = try Acknowledged(ends, of: id, edits: pool.read(Self.edits))
        } catch let error as ServerError {
            throw error
        } catch {
            throw Self.unopened(file, error)
        }
    }

    /// Opens the file for reading only, while a server may be running. If none is, nothing in the folder changes.
    ///
    /// - Throws: ``ServerError`` if the file doesn't exist, has another version, or isn't a StateTape database.
    package init(reading file: URL) throws(ServerError) {
        let folder = file.deletingLastPathComponent()
        try DataFolder.check(folder)
        if let missing = MissingArchive(in: folder) { throw missing.error }
        lock = try SourceLock.unlessInUse(folder)
        do {
            var configuration = GRDB.Configuration()
            configuration.readonly = true
            configuration.busyMode = .timeout(Self.busyTimeout)
            pool =
                try lock == nil
                ? DatabasePool(path: file.path, configuration: configuration)
                : UnchangedFile.open(file, configuration)
            if let refusal = try pool.read({ try ForeignFile.refusal(of: $0, file) }) { throw refusal }
            try pool.read(Schema.checkStep)
            rebuiltIndexes = []
            identity = Self.identity(of: file)
            reserve = nil
            acknowledged = nil
            let ends = folder.appendingPathComponent(DataFolder.acknowledged).path
            // Before the archive, which a running server changes first.
            let found = try Acknowledged.read(ends)
            guard try pool.read(Schema.migrator.hasCompletedMigrations),
                try !pool.read(Schema.migrator.hasBeenSuperseded)
            else {
                throw ServerError(
                    .newerDatabase, "The archive \(file.path) was written by another version of StateTape.")
            }
            id = try Self.id(pool)
            isReplaced = Self.isReplaced(id, found)
            knownSessions = isReplaced ? [:] : Acknowledged.sessions(found).mapValues(\.id)
            lost = try Self.lost(found, pool)
            lostEdits = try isReplaced ? 0 : Self.lostEdits(found, pool)
        } catch let error as ServerError {
            throw error
        } catch {
            throw Self.unopened(file, error)
        }
    }

    private static func unopened(_ file: URL, _ error: any Error) -> ServerError {
        var reason = Damage.reason(error)
        // SQLite tells neither why nor which file.
        if (error as? DatabaseError)?.resultCode.primaryResultCode == .SQLITE_CANTOPEN {
            if access(file.path, R_OK) != 0 {
                reason = String(cString: strerror(errno))
            } else if access(file.path + "-wal", R_OK) != 0, errno != ENOENT {
                reason = "its log \(file.lastPathComponent)-wal: \(String(cString: strerror(errno)))"
            }
        }
        // A change that another program began, which only who may write can take back.
        let isUnfinished =
            (error as? DatabaseError)?.resultCode.primaryResultCode == .SQLITE_READONLY
            && access(file.path + "-journal", F_OK) == 0
        if isUnfinished { reason = "archive.sqlite-journal has a change that was not finished" }
        let way =
            isUnfinished || Damage.isMeant(by: error) || isOtherSchema(error)
            ? " “\(DataFolder.repairCommand(for: file.deletingLastPathComponent()))” copies what can be read to a new folder."
            : ""
        return ServerError(.archive, "The archive \(file.path) can't be opened: \(reason).\(way)")
    }

    /// Whether the tables aren't those of the archive's version: they are from damaged pages.
    private static func isOtherSchema(_ error: any Error) -> Bool {
        (error as? DatabaseError)?.resultCode.primaryResultCode == .SQLITE_ERROR
    }

    private static func id(_ pool: DatabasePool) throws -> String {
        try pool.read { try String.fetchOne($0, sql: "SELECT id FROM identity") } ?? ""
    }

    private static func identity(of file: URL) -> stat {
        var found = stat()
        stat(file.path, &found)
        return found
    }

    package var engine: String { "sqlite" }

    /// Nothing: no other server commits into the file.
    package func fresh(_ places: [String: Int], bytes: Int) -> [String: FreshLines] { [:] }

    package func close() throws {
        // What the log has is needed if the file comes back, or for a repair.
        if misplacement != nil { return try pool.close() }
        // Here, since the pool's last connection to close is a reader, which can't do it.
        try pool.barrierWriteWithoutTransaction { db in _ = try db.checkpoint(.truncate) }
        // Everything is in the file now. What a damaged log has lost stays known until a gap tells it.
        if let acknowledged { acknowledged.keep(isReplaced ? [:] : try stillLost()) }
        try pool.close()
    }
}

extension DatabaseError: ArchiveError {
    package var reason: String { message ?? "\(self)" }
    package var isDamage: Bool {
        [.SQLITE_CORRUPT, .SQLITE_NOTADB, .SQLITE_MISMATCH].contains(resultCode.primaryResultCode)
    }
}

extension RowDecodingError: ArchiveError {
    package var reason: String { "a stored value has the wrong type" }
    package var isDamage: Bool { true }
}
