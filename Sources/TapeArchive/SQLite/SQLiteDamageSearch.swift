import Foundation
import GRDB
import TapeFormat

/// Reads the whole file of an archive while its server runs, with a connection of its own.
final class SQLiteDamageSearch: DamageSearch {
    private let archive: SQLiteArchive
    private let queue: DatabaseQueue
    private let isStopped = Locked(false)

    init(_ archive: SQLiteArchive) throws {
        var configuration = GRDB.Configuration()
        configuration.readonly = true
        self.archive = archive
        queue = try DatabaseQueue(path: archive.pool.path, configuration: configuration)
    }

    func stop() {
        isStopped.withLock { $0 = true }
        queue.interrupt()
    }

    func run() throws -> FoundDamage {
        var found = FoundDamage()
        let problems = try steps([
            { try SQLiteArchive.integrityProblems($0) }, { try $0.read(SQLiteArchive.missing) },
            { try WrongTypes.problems($0) },
        ])
        let indexes = problems.compactMap(Self.index)
        // Nothing is written into a file whose pages are damaged.
        guard indexes.count == problems.count else {
            found.problems = problems
            return found
        }
        for index in Set(indexes).sorted() { try rebuild(index, &found) }
        let search = try steps([{ SQLiteArchive.searchProblems($0) }])
        if !search.isEmpty {
            try archive.write { try $0.execute(sql: "INSERT INTO wordText(wordText) VALUES ('rebuild')") }
            found.rebuilt.append("for searches")
        }
        return found
    }

    private func steps(_ all: [(DatabaseQueue) throws -> [String]]) throws -> [String] {
        try all.flatMap { step in
            if isStopped.withLock({ $0 }) { throw CancellationError() }
            let problems = try step(queue)
            if isStopped.withLock({ $0 }) { throw CancellationError() }
            return problems
        }
    }

    /// The index that a problem is about, if rows of its table are well.
    private static func index(_ problem: String) -> String? {
        let pattern = /(?:row \d+ missing from|wrong # of entries in|non-unique entry in) index (\w+)/
        return problem.wholeMatch(of: pattern).map { String($0.output.1) }
    }

    private func rebuild(_ index: String, _ found: inout FoundDamage) throws {
        let table = try queue.read { db in
            try String.fetchOne(
                db, sql: "SELECT tbl_name FROM sqlite_schema WHERE type = 'index' AND name = ?", arguments: [index])
        }
        guard let table else { return }
        try archive.write { try $0.execute(sql: "REINDEX \(table.quotedDatabaseIdentifier)") }
        found.rebuilt.append(index)
    }
}

extension SQLiteArchive {
    package func damageSearch() throws -> (any DamageSearch)? {
        // To open an empty file deletes the log beside it.
        try misplacement == nil ? SQLiteDamageSearch(self) : nil
    }
}
