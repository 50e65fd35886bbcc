import GRDB

/// The tables, as numbered steps from one version to the next.
///
/// Lines are stored in batches: one row per event would take several times the space of the event.
enum Schema {
    static var migrator: DatabaseMigrator {
        var migrator = DatabaseMigrator()
        for (index, step) in steps.enumerated() {
            migrator.registerMigration("\(index + 1)") { try $0.execute(sql: step) }
        }
        return migrator
    }

    static let names = [
        "session", "batch", "chunk", "head", "keyframe", "base", "bookmark", "word", "name", "device", "startState",
        "deleted", "identity", "trouble",
    ]

    /// Damaged pages may have lost a table. A view in its place could be endless.
    ///
    /// - Throws: `DatabaseError` with the table.
    static func checkTables(_ db: Database) throws {
        try checkViews(db)
        for table in names where try !db.tableExists(table) { throw damage("the table \(table) is missing") }
    }

    /// What a reader refuses too. It reads around a missing table.
    static func checkStep(_ db: Database) throws {
        try checkViews(db)
        if try db.tableExists("session"), try migrator.appliedIdentifiers(db).isEmpty {
            throw damage("the list of its schema steps is empty")
        }
    }

    private static func checkViews(_ db: Database) throws {
        for table in names where try db.viewExists(table) { throw damage("\(table) is a view and not a table") }
    }

    private static func damage(_ reason: String) -> DatabaseError {
        DatabaseError(resultCode: .SQLITE_CORRUPT, message: reason)
    }
}
