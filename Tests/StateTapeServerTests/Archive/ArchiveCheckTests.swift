import Foundation
import GRDB
import SampleTapes
import TapeFormat
import Testing

@testable import StateTapeServer
@testable import TapeArchive
@testable import TapeEngine

@Suite(.timeLimit(.minutes(2)), .enabled(if: Engine.isSQLite)) struct ArchiveCheckTests {
    private let folder = TemporaryFolder()

    /// Checks an archive with a random, partly sealed session after `damage`. Returns the reported problems.
    private func problems(_ damage: @Sendable (Database, Int64) throws -> Void) async throws -> [String] {
        var chance = Chance(7)
        var tape = RandomTape()
        let filler = JSON.string(String(repeating: "x", count: 4_000))
        let lines = (0..<900).map { _ in tape.next(&chance) }
        let next = (lines.last?.seq ?? 0) + 1
        let large = (0..<200).map { index in
            Sample.action(
                next + 1 + index,
                (
                    "patch",
                    [
                        ["op": "replace", "path": "/n", "value": .number(.init(index))],
                        ["op": "add", "path": "/f", "value": filler],
                    ]
                ))
        }
        do {
            let server = try TestServer(in: folder)
            let app = try await server.recorded(lines + [Sample.start(next)] + large)
            // A keyframe follows this many large lines.
            try await server.sealed(next + 128)
            app.close()
            _ = await app.closed()
        }
        let queue = try DatabaseQueue(path: folder.url.appendingPathComponent(DataFolder.archive).path)
        try await queue.write { db in
            try damage(db, Int64.fetchOne(db, sql: "SELECT row FROM session") ?? 0)
        }
        try queue.close()
        var problems: [String] = []
        let counts = try ArchiveCheck.run(
            .folder(folder.url), logger: PrivatePostgres.logger, tell: { problems.append($0) }, progress: { _ in })
        #expect(counts.sessions == 1 && counts.problems == problems.count)
        return problems
    }

    @Test("An undamaged archive has no problems")
    func clean() async throws {
        #expect(try await problems { _, _ in }.isEmpty)
    }

    @Test("A changed chunk and a missing chunk are reported with their events")
    func chunks() async throws {
        let problems = try await problems { db, _ in
            try db.execute(
                sql:
                    "UPDATE chunk SET lines = CAST(substr(lines, 1, length(lines) - 9) AS BLOB) || x'00' || substr(lines, -8) WHERE first = 0"
            )
            try db.execute(sql: "DELETE FROM chunk WHERE rowid = 3")
        }
        #expect(problems.count >= 2)
        #expect(problems.contains { $0.contains("events 0–") && $0.contains("can't be read") })
        #expect(problems.contains { $0.contains("are missing") })
    }

    @Test("Heads of other lines are reported")
    func heads() async throws {
        let problems = try await problems { db, _ in
            try db.execute(
                sql: "UPDATE head SET columns = (SELECT columns FROM head WHERE rowid = 2) WHERE rowid = 1")
        }
        #expect(problems.count == 1 && problems.first?.contains("heads") == true)
    }

    @Test("The check finds a keyframe that doesn't match the lines, and a broken patch without a mark")
    func chain() async throws {
        let wrong = Data(try Zstd.compress(Array("{\"n\":-1}".utf8)))
        let problems = try await problems { db, _ in
            try db.execute(
                sql: "UPDATE keyframe SET state = ? WHERE rowid = (SELECT min(rowid) FROM keyframe)",
                arguments: [wrong])
            #expect(db.changesCount == 1)
            try db.execute(sql: "DELETE FROM base WHERE kind = \(StateBase.Kind.broken.rawValue)")
        }
        #expect(problems.contains { $0.contains("differs from the state that its events lead to") }, "\(problems)")
        #expect(problems.contains { $0.contains("its patch doesn't apply") })
    }

    @Test("A folder without an archive is an error")
    func absent() {
        #expect(throws: ServerError.self) {
            _ = try ArchiveCheck.run(
                .folder(folder.url), logger: PrivatePostgres.logger, tell: { _ in }, progress: { _ in })
        }
    }
}
