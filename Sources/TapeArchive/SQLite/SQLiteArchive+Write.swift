import Foundation
import GRDB

extension SQLiteArchive {
    /// How long a commit waits while another process writes.
    static let busyTimeout: TimeInterval = 1

    /// Writes in one transaction.
    ///
    /// - Parameter bytes: The approximate bytes to write.
    /// - Throws: ``Unwritable`` if nothing can be written now, else the driver's error.
    func write<Value>(taking bytes: Int = 0, _ body: (Database) throws -> Value) throws -> Value {
        guard hasRoom(for: bytes) else { throw Unwritable(description: Self.full, isFull: true) }
        return try transaction(body)
    }

    /// Whether the disk has room for the write and for a later deletion. A deletion goes through the log too, and
    /// the log must fit into the file before it restarts.
    private func hasRoom(for bytes: Int) -> Bool {
        guard let reserve else { return true }
        // The reserve is only for deletions. New data goes into the log first and then into the file, together with
        // everything else in the log.
        func fits() -> Bool { reserve.retake() && reserve.leaves(2 * bytes + logSize) }
        if fits() { return true }
        // The log may only fit into the file if the reserve is released.
        if !emptyLog(), reserve.release() { emptyLog() }
        return fits()
    }

    /// Merges the log into the file and truncates the log; SQLite alone would restart it at its old size.
    @discardableResult
    private func emptyLog() -> Bool {
        (try? pool.writeWithoutTransaction { try $0.checkpoint(.truncate) }) != nil
    }

    private var logSize: Int {
        var found = stat()
        return stat(pool.path + "-wal", &found) == 0 ? Int(found.st_size) : 0
    }

    /// Runs a write that frees space. On a full disk it uses the reserve.
    func writeFreeing<Value>(_ body: (Database) throws -> Value) throws -> Value {
        if reserve?.leaves(logSize) == false { emptyLog() }
        do {
            return try transaction(body)
        } catch let reason as Unwritable where reason.isFull && reserve?.release() == true {
            do {
                return try transaction(body)
            } catch let reason as Unwritable where reason.isFull {
                // The log is merged into the file now, for which there was no room before.
                return try transaction(body)
            }
        }
    }

    private func transaction<Value>(_ body: (Database) throws -> Value) throws -> Value {
        try checkPlace()
        do {
            let value = try pool.write(body)
            try checkPlace()
            return value
        } catch let error as DatabaseError {
            guard let reason = unwritable(error) else { throw error }
            // Merge the log into the file, which frees room in the log.
            if reason == Self.full {
                _ = try? pool.writeWithoutTransaction { try $0.checkpoint(.passive) }
            }
            throw Unwritable(description: reason, isFull: reason == Self.full)
        }
    }

    // A row costs little.
    package var pace: Duration { .zero }

    private static let full = "the disk is full"

    /// Why data written now would be lost; nil if it wouldn't.
    package var misplacement: String? {
        var found = stat()
        guard stat(pool.path, &found) == 0, found.st_ino == identity.st_ino, found.st_dev == identity.st_dev else {
            return
                "its file \(pool.path) was deleted or replaced while the server runs; put it back, or restart the server"
        }
        // A database has at least one page.
        guard found.st_size > 1 else {
            return
                "its file \(pool.path) was emptied while the server runs; restart the server to learn what is left"
        }
        return nil
    }

    private func checkPlace() throws(Unwritable) {
        if let misplacement { throw Unwritable(description: misplacement) }
    }

    /// The reason why nothing can be written; nil if the data itself is at fault.
    private func unwritable(_ error: DatabaseError) -> String? {
        switch error.resultCode {
        case .SQLITE_FULL: Self.full
        // The shared memory can't grow on a full disk either, and SQLite reports that as an I/O error.
        case .SQLITE_IOERR: isFull ? Self.full : "the disk fails (\(error.reason))"
        case .SQLITE_BUSY, .SQLITE_LOCKED, .SQLITE_PROTOCOL: "another process is writing into the archive"
        case .SQLITE_READONLY, .SQLITE_PERM, .SQLITE_CANTOPEN, .SQLITE_NOMEM:
            error.reason
        // Damage affects one place: writes elsewhere still work.
        default: nil
        }
    }

    private var isFull: Bool {
        var system = statvfs()
        return statvfs(pool.path, &system) == 0 && system.f_bavail <= 16
    }
}
