#if Server
    import Foundation
    import GRDB

    extension SQLiteArchive {
        /// How long a commit waits for another process that writes.
        static let busyTimeout: TimeInterval = 1

        /// Writes in one transaction.
        ///
        /// - Parameter bytes: About what is written.
        /// - Throws: ``Unwritable`` if nothing could be written now, else what the driver throws.
        func write<Value>(taking bytes: Int = 0, _ body: (Database) throws -> Value) throws -> Value {
            guard hasRoom(for: bytes) else { throw Unwritable(description: Self.full, isFull: true) }
            return try transaction(body)
        }

        /// Whether the disk takes more and can still be freed afterwards: what frees it goes through the log too, which must
        /// find room in the file before it begins anew.
        private func hasRoom(for bytes: Int) -> Bool {
            guard let reserve else { return true }
            // The room for deletions is not for what comes after them. What is written goes into the log, and from there
            // into the file, with all that the log holds.
            func fits() -> Bool { reserve.retake() && reserve.leaves(2 * bytes + logSize) }
            if fits() { return true }
            // What the log holds may find no room in the file but that which is kept back.
            if !emptyLog(), reserve.release() { emptyLog() }
            return fits()
        }

        /// Brings what the log holds into the file, and takes its length from it: one that is only begun anew keeps it.
        @discardableResult
        private func emptyLog() -> Bool {
            (try? pool.writeWithoutTransaction { try $0.checkpoint(.truncate) }) != nil
        }

        private var logSize: Int {
            var found = stat()
            return stat(pool.path + "-wal", &found) == 0 ? Int(found.st_size) : 0
        }

        /// Writes what frees space: on a full disk into the room that is kept back for that.
        func writeFreeing<Value>(_ body: (Database) throws -> Value) throws -> Value {
            if reserve?.leaves(logSize) == false { emptyLog() }
            do {
                return try transaction(body)
            } catch let reason as Unwritable where reason.isFull && reserve?.release() == true {
                do {
                    return try transaction(body)
                } catch let reason as Unwritable where reason.isFull {
                    // The log is in the file now, for which it had no room before.
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
                // What the log holds makes room in the log once it is in the file.
                if reason == Self.full {
                    _ = try? pool.writeWithoutTransaction { try $0.checkpoint(.passive) }
                }
                throw Unwritable(description: reason, isFull: reason == Self.full)
            }
        }

        private static let full = "the disk is full"

        /// Why what is written now would be lost; nil if it isn't so.
        var misplacement: String? {
            var found = stat()
            if stat(pool.path, &found) == 0, found.st_ino == identity.st_ino, found.st_dev == identity.st_dev {
                return nil
            }
            return
                "its file \(pool.path) was deleted or replaced while the server runs; put it back, or restart the server"
        }

        private func checkPlace() throws(Unwritable) {
            if let misplacement { throw Unwritable(description: misplacement) }
        }

        /// Nil if what was to be written is at fault.
        private func unwritable(_ error: DatabaseError) -> String? {
            switch error.resultCode {
            case .SQLITE_FULL: Self.full
            // The shared memory can't grow on a full disk either, which is told as an error of the disk.
            case .SQLITE_IOERR: isFull ? Self.full : "the disk fails (\(Self.reason(error)))"
            case .SQLITE_BUSY, .SQLITE_LOCKED, .SQLITE_PROTOCOL: "another process is writing into the archive"
            case .SQLITE_READONLY, .SQLITE_PERM, .SQLITE_CANTOPEN, .SQLITE_NOMEM:
                Self.reason(error)
            // Damage affects one place: writes elsewhere still work.
            default: nil
            }
        }

        private var isFull: Bool {
            var system = statvfs()
            return statvfs(pool.path, &system) == 0 && system.f_bavail <= 16
        }
    }
#endif
