#if Server
    import Foundation
    import GRDB

    extension SQLiteArchive {
        /// How long a commit waits for another process that writes.
        static let patience: TimeInterval = 1

        /// Writes in one transaction.
        ///
        /// - Throws: ``Unwritable`` if nothing could be written now, else what the driver throws.
        func write<Value>(_ body: (Database) throws -> Value) throws -> Value {
            try checkPlace()
            do {
                let value = try pool.write(body)
                try checkPlace()
                return value
            } catch let error as DatabaseError {
                guard let reason = unwritable(error) else { throw error }
                // What the log holds makes room in the log once it is in the file.
                if error.resultCode == .SQLITE_FULL {
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
            case .SQLITE_IOERR: hasRoom ? "the disk fails (\(Self.reason(error)))" : Self.full
            case .SQLITE_BUSY, .SQLITE_LOCKED, .SQLITE_PROTOCOL: "another process is writing into the archive"
            case .SQLITE_READONLY, .SQLITE_PERM, .SQLITE_CANTOPEN, .SQLITE_NOMEM, .SQLITE_CORRUPT, .SQLITE_NOTADB:
                Self.reason(error)
            default: nil
            }
        }

        private var hasRoom: Bool {
            var system = statvfs()
            return statvfs(pool.path, &system) != 0 || system.f_bavail > 16
        }
    }
#endif
