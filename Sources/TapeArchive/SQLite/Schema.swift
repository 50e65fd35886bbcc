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
}
