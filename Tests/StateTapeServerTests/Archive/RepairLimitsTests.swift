import Foundation
import GRDB
import SampleTapes
import TapeFormat
import Testing

@testable import StateTapeServer
@testable import TapeArchive

/// What a damaged or hand-made folder can make a repair read, keep and print at most.
@Suite(.timeLimit(.minutes(1)), .enabled(if: Engine.isSQLite)) struct RepairLimitsTests {
    private let temporary = TemporaryFolder()

    init() throws {
        try FileManager.default.createDirectory(at: temporary.url, withIntermediateDirectories: true)
    }

    private func path(_ name: String) -> URL { temporary.url.appendingPathComponent(name) }

    private func file(_ folder: URL, _ suffix: String = "") -> URL {
        folder.appendingPathComponent(DataFolder.archive + suffix)
    }

    /// A folder with three sessions of ten events.
    private func recorded(_ sql: [String] = []) throws -> URL {
        let archive = try TestArchive(.sqlite)
        for number in 0..<3 {
            _ = try archive.record(Sample.counting(to: 10), Sample.header("SESSION-000\(number)"))
        }
        for statement in sql { try RawArchive(archive: archive.archive).run(statement) }
        try archive.archive.close()
        try FileManager.default.copyItem(at: archive.folder.url, to: path("source"))
        try FileManager.default.removeItem(at: path("source").appendingPathComponent(DataFolder.reserve))
        return path("source")
    }

    private func repair(_ source: URL, progress: @escaping () throws -> Void = {}) throws -> ArchiveRepair.Counts {
        try ArchiveRepair.run(
            from: source, to: path("repaired"), logger: PrivatePostgres.logger, tell: { _ in },
            progress: { _ in try progress() })
    }

    private func write(_ bytes: [UInt8], at offset: Int, of file: URL) throws {
        let handle = try FileHandle(forUpdating: file)
        try handle.seek(toOffset: UInt64(offset))
        try handle.write(contentsOf: Data(bytes))
        try handle.close()
    }

    private static func big(_ number: Int) -> [UInt8] {
        withUnsafeBytes(of: UInt32(truncatingIfNeeded: number).bigEndian, Array.init)
    }

    @Test(
        "The first bytes of a row say whether it can be one of the archive's",
        arguments: [
            ("a row", [4, 1, 1, 14], 7, true), ("only nothing", [3, 0, 0], 3, true),
            ("too few bytes", [4, 1, 1, 14], 6, false), ("too many bytes", [4, 1, 1, 14], 8, false),
            ("types behind its end", [9, 1], 2, false), ("no such type", [2, 10], 2, false),
            ("half a number", [2, 129], 2, false),
            ("too many columns", [34] + [UInt8](repeating: 0, count: 33), 34, false),
            ("as many as allowed", [33] + [UInt8](repeating: 0, count: 32), 33, true),
            ("types as long as the row", [0x81, 0x80, 0x80, 0], 1 << 21, false),
        ] as [(String, [UInt8], Int, Bool)])
    func columns(_ name: String, _ bytes: [UInt8], _ length: Int, _ isRow: Bool) {
        let found = RowColumns((bytes + [UInt8](repeating: 0, count: 64))[...], of: length)
        #expect((found != nil) == isRow, "\(name)")
    }

    /// A page with rows that all go on at a page that leads to itself, in a file of a few pages and a long hole.
    private func looping(rows: Int) throws -> URL {
        let length = 20 << 20
        var page = [UInt8](repeating: 0, count: 4_096)
        let here = (4_096 - 12) * 32 / 255 - 23
        let size = here + (length / 4_092) * 4_092
        // Two columns: nothing, and bytes.
        let types: [UInt8] = [6, 0] + Self.number(12 + 2 * (size - 6))
        var cell = Self.number(size) + [7] + types
        cell += [UInt8](repeating: 1, count: here - types.count) + Self.big(2)
        let place = 4_096 - cell.count
        page.replaceSubrange(place..., with: cell)
        page.replaceSubrange(0..<5, with: [13, 0, 0, UInt8(rows >> 8), UInt8(rows & 255)])
        let address = [UInt8(place >> 8), UInt8(place & 255)]
        for row in 0..<rows { page.replaceSubrange(8 + 2 * row..<10 + 2 * row, with: address) }
        let loop = Self.big(2) + [UInt8](repeating: 200, count: 4_092)
        let file = path("pages")
        // The first page has another beginning, and no rows.
        try Data([UInt8](repeating: 0, count: 4_096) + loop + page).write(to: file)
        let handle = try FileHandle(forUpdating: file)
        try handle.truncate(atOffset: UInt64(size + 3 * 4_096) & ~4_095)
        try handle.close()
        return file
    }

    private static func number(_ value: Int) -> [UInt8] {
        [21, 14, 7, 0].map { UInt8(value >> $0 & 127 | ($0 > 0 ? 128 : 0)) }
    }

    @Test("Pages that lead to each other end the walk, however many rows lead there")
    func loops() throws {
        var steps = 0
        var pages = try LeafPages(looping(rows: 1_000)) { steps += 1 }
        try pages.each { _, _ in Issue.record("it is no row") }
        // A thousand walks of five thousand pages would be 20 000 steps.
        #expect(steps < 10)
    }

    @Test("A walk over many pages can be stopped")
    func stopped() throws {
        // More rows than pages that aren't in the hole, each of which reads a few.
        var pages = try LeafPages(looping(rows: 1_000)) { throw RepairStopped() }
        #expect(throws: RepairStopped.self) { try pages.each { _, _ in } }
    }

    /// A log with valid frames for these pages, each of zeros.
    private func log(_ pages: [Int], to file: URL) throws {
        func sum(_ bytes: [UInt8], _ after: (UInt32, UInt32)) -> (UInt32, UInt32) {
            var (first, second) = after
            for start in stride(from: 0, to: bytes.count, by: 8) {
                func word(_ at: Int) -> UInt32 { bytes[at..<at + 4].reversed().reduce(0) { $0 << 8 | UInt32($1) } }
                first = first &+ word(start) &+ second
                second = second &+ word(start + 4) &+ first
            }
            return (first, second)
        }
        func pair(_ sum: (UInt32, UInt32)) -> [UInt8] { Self.big(Int(sum.0)) + Self.big(Int(sum.1)) }
        var log = [0x377f_0682, 3_007_000, 4_096, 0, 1, 2].flatMap(Self.big)
        var last = sum(log, (0, 0))
        log += pair(last)
        for page in pages {
            let (start, content) = (Self.big(page) + Self.big(3), [UInt8](repeating: 0, count: 4_096))
            last = sum(start + content, last)
            log += start + Self.big(1) + Self.big(2) + pair(last) + content
        }
        try Data(log).write(to: file)
    }

    @Test(
        "A log's pages are used up to where a file can have them",
        arguments: [
            (90, false), (1 << 22, false), (1 << 23, true), (1 << 28, true), (1 << 31, true), ((1 << 32) - 1, true),
        ])
    func frames(_ page: Int, _ isForeign: Bool) throws {
        let source = try recorded()
        // So that SQLite doesn't read the log.
        try write([UInt8](repeating: 0, count: 100), at: 0, of: file(source))
        try log([page], to: file(source, "-wal"))
        let counts = try repair(source)
        #expect(counts.sessions == 3 && counts.events == 30)
        #expect(counts.problems.first.contains { $0.contains("numbers that can't be") } == isForeign)
    }

    @Test(
        "Values that are longer than a server writes are named, and the rest of their row is copied",
        arguments: ["title", "header", "app", "device", "ended", "replay", "owner"])
    func long(_ column: String) throws {
        let source = try recorded(["UPDATE session SET \(column) = hex(zeroblob(\(3 << 20))) WHERE row = 2"])
        let counts = try repair(source)
        #expect(counts.sessions == 3 && counts.events == 30)
        let sentence = "the table session: \(column) in row 2 is too long to be right, and isn't copied"
        #expect(counts.problems.first.contains(sentence), "\(counts.problems.first)")
        let archive = try SQLiteArchive(reading: file(path("repaired")))
        defer { try? archive.close() }
        let session = try #require(try archive.session("SESSION-0001"))
        #expect(session.next == 10 && session.title == nil)
    }

    @Test("Rows that are longer than their file end a table")
    func longer() throws {
        let queue = try DatabaseQueue(path: path("rows").path)
        try queue.write { db in
            try db.execute(sql: "CREATE TABLE many (text)")
            for _ in 0..<100 { try db.execute(sql: "INSERT INTO many VALUES (hex(zeroblob(50)))") }
        }
        for (most, rows) in [(10_000, 100), (9_999, 99), (500, 5), (0, 0)] {
            var found = 0
            let isWhole = try queue.unsafeRead { db in
                var rows = RowsAround(db, "many", ["text"], most: most)
                return try rows.each { _ in found += 1 }
            }
            #expect(found == rows && isWhole == (rows == 100), "\(most)")
        }
    }

    @Test("Many problems are counted, and only the first are kept")
    func many() throws {
        let rows = "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 1500)"
        let source = try recorded([
            """
            \(rows) INSERT INTO session (id, key, owner, app, header, received, lastSeen)
            SELECT 'HOSTILE-' || (1000 + i), x'', '', 'a', '{', 1, 1 FROM n
            """
        ])
        let counts = try repair(source)
        #expect(counts.sessions == 1_503 && counts.events == 30)
        #expect(counts.problems.count >= 1_500 && counts.problems.first.count == Problems.most)
        #expect(counts.problems.more == counts.problems.count - Problems.most)
    }

    @Test("Rows without lines are counted and become one gap, or nothing where no session has them")
    func empty() throws {
        let rows = "WITH RECURSIVE n(i) AS (SELECT 10 UNION ALL SELECT i + 1 FROM n WHERE i < 1009)"
        let source = try recorded([
            "\(rows) INSERT INTO batch SELECT 2, i, i + 1, 'x', NULL FROM n",
            "UPDATE session SET next = 1010, bytes = 1000000 WHERE row = 2",
            "\(rows) INSERT INTO chunk SELECT i, 0, 1, x'00' FROM n",
            "INSERT INTO deleted VALUES ('SESSION-DELETED', 10)",
        ])
        let counts = try repair(source)
        #expect(counts.sessions == 3 && counts.events == 1_030)
        #expect(counts.problems.count >= 4, "\(counts.problems.first)")
        for text in [
            "the table batch: 1000 rows have no lines", "the table chunk: 1000 rows have no lines",
            "999 sessions have neither a header nor lines that can be read, and aren't copied",
            "session SESSION-0001: events 10–1009 are damaged",
        ] { #expect(counts.problems.first.contains { $0.hasPrefix(text) }, "\(counts.problems.first)") }
    }

    @Test("Notes of deleted uploads are found without a look at all of them")
    func notes() throws {
        let rows = "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 40000)"
        let source = try recorded([
            "\(rows) INSERT INTO deleted SELECT 'again ' || (100 + i) || ' X', NULL FROM n",
            "\(rows) INSERT INTO batch SELECT 40100 + i, 0, 1, '{}', NULL FROM n",
            "INSERT INTO batch VALUES (150, 0, 1, '{}', NULL)",
        ])
        try write([UInt8](repeating: 0, count: 100), at: 0, of: file(source))
        // Up to where the sessions of the other batches are added.
        var isThere = false
        #expect(throws: RepairStopped.self) {
            try ArchiveRepair.run(
                from: source, to: path("repaired"), logger: PrivatePostgres.logger,
                tell: { isThere = isThere || $0.contains("its header and its marks") },
                progress: { _ in if isThere { throw RepairStopped() } })
        }
    }

    @Test(
        "A token that can't be copied is a problem",
        arguments: [
            ("0123456789abcdef\n", true, false), ("\n", false, false), ("two words here", false, true),
            (String(repeating: "x", count: 2_000), false, true),
        ])
    func tokens(_ content: String, _ isCopied: Bool, _ isProblem: Bool) throws {
        let source = try recorded()
        for name in ["token", "view-token"] {
            try Data(content.utf8).write(to: source.appendingPathComponent(name))
        }
        let counts = try repair(source)
        #expect(counts.problems.count == (isProblem ? 2 : 0))
        #expect(isProblem == (counts.problems.first.last?.contains("the damaged folder's view-token") ?? false))
        let copy = path("repaired").appendingPathComponent("token")
        #expect((try? String(contentsOf: copy, encoding: .utf8)) == (isCopied ? content : nil))
    }

    @Test("A repair that fails tells why and that it starts anew, whatever it did")
    func interrupted() throws {
        let source = try recorded()
        var steps = 0
        _ = try repair(source) { steps += 1 }
        try FileManager.default.removeItem(at: path("repaired"))
        for last in [1, steps / 2, steps] {
            var step = 0
            #expect {
                try repair(source) {
                    step += 1
                    if step == last { throw DatabaseError(resultCode: .SQLITE_FULL, message: "the disk is full") }
                }
            } throws: { error in
                let text = "\(error)"
                return text.hasPrefix("The repair stopped: the disk is full. ") && text.contains("starts anew")
            }
            #expect(!FileManager.default.fileExists(atPath: path("repaired").path))
        }
    }

    @Test("Only the repair that created a folder removes it")
    func owned() throws {
        let new = path("a/b/c")
        let first = try RepairTarget(new)
        try FileManager.default.createDirectory(at: first.work, withIntermediateDirectories: false)
        for name in ["a/b/c", "a/b", "a"] {
            #expect { _ = try RepairTarget(path(name)) } throws: { "\($0)".contains("\(name) exists already") }
        }
        let second = try RepairTarget(path("a/b/d"))
        #expect(FileManager.default.fileExists(atPath: first.work.path))
        first.remove()
        #expect(!FileManager.default.fileExists(atPath: new.path))
        // The folder above has another one's.
        #expect(FileManager.default.fileExists(atPath: second.folder.path))
        second.remove()
        try Data().write(to: path("file"))
        #expect { _ = try RepairTarget(path("file/x/y")) } throws: { "\($0)".contains("can't be created") }
    }
}
