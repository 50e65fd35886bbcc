import Foundation
import GRDB
import Testing

@testable import StateTapeServer
@testable import TapeArchive

// What is gone as a whole: the tables that were in the log only, and the rows of sessions.
extension RepairTests {
    @Test(
        "An archive whose tables were in a log that was cut is no new one, and names the way out",
        arguments: [0, 32, 12_000, 30_000, 50_313, 90_000, 110_000])
    func cutLog(_ bytes: Int) throws {
        let source = try recorded("source", ids(3), isKilled: true)
        // As if nothing of the log were in the file yet.
        let log = file(source, "-wal")
        let whole = try Data(contentsOf: log)
        try #require(whole.count > 110_000)
        try whole.prefix(bytes).write(to: log)
        for _ in 0..<2 {
            let error = #expect(throws: ServerError.self) { try SQLiteArchive(file(source), sync: .normal) }
            #expect("\(try #require(error))".contains("“statetape repair --data "))
            let other = #expect(throws: ServerError.self) { try check(source) }
            #expect("\(try #require(other))".contains("“statetape repair --data "))
        }
        let (_, problems) = try repair(source, "repaired")
        for id in ids(3) { #expect(problems.contains { $0.contains(id) }, "\(problems)") }
    }

    @Test("Where no session of a list can be read, that is an error, and no empty list")
    func unreadableList() throws {
        let source = try recorded("source", ids(3))
        let queue = try DatabaseQueue(path: file(source).path)
        try queue.write { try $0.execute(sql: "UPDATE session SET lastSeen = CAST(lastSeen AS BLOB)") }
        try queue.close()
        #expect(throws: (any Error).self) { try sessions(source) }
    }

    @Test("A repair names each session whose row can't be read, by the index of their ids")
    func namedByIndex() throws {
        let source = try recorded("source", ids())
        let pages = try leaves(of: "session", source)
        try #require(pages.count > 1)
        try damage(source, pages: [pages[1]])
        let (folder, problems) = try repair(source, "repaired")
        let kept = try sessions(folder)
        for id in ids() where kept[id] == nil { #expect(problems.contains { $0.contains(id) }, "\(id)") }
        #expect(!kept.keys.contains { $0.hasPrefix("SALVAGED") })
    }

    /// The pages with a table's rows, below its first page.
    private func leaves(of table: String, _ folder: URL) throws -> [Int] {
        let bytes = try [UInt8](Data(contentsOf: file(folder)))
        let start = (try root(table, folder) - 1) * 4_096
        guard bytes[start] == 5 else { return [] }
        let cells = Int(bytes[start + 3]) << 8 | Int(bytes[start + 4])
        return (0..<cells).map { cell in
            let place = start + (Int(bytes[start + 12 + 2 * cell]) << 8 | Int(bytes[start + 13 + 2 * cell]))
            return bytes[place..<place + 4].reduce(0) { $0 << 8 | Int($1) }
        }
    }
}
