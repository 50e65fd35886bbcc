import Foundation
import GRDB

@testable import StateTapeServer
@testable import TapeArchive

/// Another connection that locks an archive for writing.
final class Blocker {
    private let queue: DatabaseQueue

    init(_ folder: URL) throws {
        var configuration = GRDB.Configuration()
        configuration.allowsUnsafeTransactions = true
        let file = folder.appendingPathComponent(DataFolder.archive).path
        queue = try DatabaseQueue(path: file, configuration: configuration)
        try queue.writeWithoutTransaction { db in try db.execute(sql: "BEGIN IMMEDIATE") }
    }

    func end() throws {
        try queue.writeWithoutTransaction { db in try db.execute(sql: "ROLLBACK") }
    }
}
