import Foundation
import SampleTapes
import TapeFormat
import Testing

@testable import StateTapeServer
@testable import TapeArchive
@testable import TapeEngine

/// Each column of each table with each kind of garbage, in both engines. The next fault is a kind or a column more.
@Suite(.timeLimit(.minutes(10))) struct DamageTableTests {
    private struct Garbage {
        let name: String
        let sqlite: String
        let postgres: String

        init(_ name: String, _ sqlite: String, _ postgres: String? = nil) {
            (self.name, self.sqlite, self.postgres) = (name, sqlite, postgres ?? sqlite)
        }
    }

    private static func garbage(_ kind: StoredTable.Kind, _ column: String) -> [Garbage] {
        switch kind {
        case .int:
            [
                Garbage("negative", "-600"), Garbage("far ahead", "9007199254740993"),
                Garbage("one more", "\(column) + 1"),
            ]
        case .double: [Garbage("negative", "-1.5"), Garbage("more", "\(column) + 1")]
        case .flag: [Garbage("flipped", "1 - \(column)", "NOT \(column)")]
        case .text:
            [
                Garbage("other text", "'some garbage'"),
                Garbage("no text", "CAST(x'41ff42' AS TEXT)", #"'\x41ff42'"#),
            ]
        case .bytes: [Garbage("cut", "x'0102'", #"'\x0102'"#)]
        }
    }

    /// What nothing else in an archive tells: these damages are not found.
    private static let unknowable: [StoredTable: [String: [String]]] = [
        .session: [
            "received": ["one more"], "seen": ["one more", "negative"], "bytes": ["one more", "far ahead"],
            "version": ["one more", "far ahead"], "marked": ["one more", "far ahead"], "owner": ["other text"],
            "title": ["other text"], "kept": ["flipped"], "paused": ["flipped"],
        ],
        .bookmark: [
            "number": [], "seq": ["one more"], "author": ["other text"], "made": ["one more", "far ahead"],
        ],
        .word: ["row": ["negative", "far ahead", "one more"]],
        .trouble: ["seq": ["one more"], "count": ["one more", "far ahead"], "reason": ["other text"]],
        .deleted: ["row": ["negative", "far ahead", "one more"]],
        .device: ["id": ["other text"], "nickname": ["other text"]],
        .launch: [
            "id": ["other text"], "app": ["other text"], "device": ["other text"],
            "seq": ["one more"], "once": ["flipped"],
        ],
    ]

    /// The large columns, which a check reads through the code that reads them anyway.
    private static let large: [StoredTable: String] = [
        .batch: "lines", .chunk: "lines", .head: "columns", .keyframe: "state",
    ]

    private let folder = TemporaryFolder()

    private func problems(_ address: ArchiveAddress) throws -> [String] {
        var found: [String] = []
        _ = try ArchiveCheck.run(
            address, logger: PrivatePostgres.logger, tell: { found.append($0) }, progress: { _ in })
        return found
    }

    private static func key(_ table: StoredTable, _ isSQLite: Bool) -> String {
        switch table {
        case .session: isSQLite ? "row" : "row"
        case .batch, .chunk, .head: "session, first"
        case .name, .bookmark: "session, number"
        case .base: "session, seq, kind, store"
        case .keyframe: "session, seq, store"
        case .word: "session, row"
        case .trouble: "session"
        case .deleted, .device, .identity, .launch: "id"
        }
    }

    @Test(
        "A check finds each kind of garbage in each column, in both engines alike", arguments: StoredTable.allCases)
    func garbage(_ table: StoredTable) throws {
        var answers: [Engine: [String: [String]]] = [:]
        for engine in Engine.allCases {
            let place = folder.url.appendingPathComponent(engine.rawValue)
            let archive = try engine.open(place)
            defer { try? archive.close() }
            let address = try engine.address(for: place)
            try OddSessions(archive).record()
            let troubled = try #require(try archive.upload("SESSION-NAMED-0001"))
            _ = try archive.noteTrouble(troubled.row, at: 1, "odd")
            #expect(try problems(address) == [])
            let raw = RawArchive(archive: archive)
            var answer: [String: [String]] = [:]
            for (column, kind) in table.columns {
                let (stored, name) = raw.place(table, column)
                for garbage in Self.garbage(kind, name) {
                    let key = stored == "progress" ? "session" : Self.key(table, raw.isSQLite)
                    guard let row = try raw.middle(stored, key) else { continue }
                    let value = raw.isSQLite ? garbage.sqlite : garbage.postgres
                    // A key may be there already, or a type may have no such value.
                    guard let (old, now) = try? raw.set(stored, name, at: row, to: value) else { continue }
                    if old == "NULL", value.contains(name) { continue }
                    let title = "\(column): \(garbage.name)"
                    answer[title] = try problems(address).sorted()
                    let isKnowable = Self.unknowable[table]?[column]?.contains(garbage.name) != true
                    if isKnowable { #expect(answer[title] != [], "\(engine) \(table).\(title)") }
                    _ = try raw.set(stored, name, at: now, to: old)
                }
            }
            if let column = Self.large[table] {
                for (name, value) in [("empty", "''"), ("garbage", raw.isSQLite ? "x'0a0b0c'" : #"'\x0a0b0c'"#)] {
                    let row = try #require(try raw.middle(table.rawValue, Self.key(table, raw.isSQLite)))
                    let (old, now) = try raw.set(table.rawValue, column, at: row, to: value)
                    #expect(try problems(address) != [], "\(engine) \(table).\(column): \(name)")
                    _ = try raw.set(table.rawValue, column, at: now, to: old)
                }
            }
            if StoredTable.ofSessions.contains(table) {
                let row = try #require(try raw.middle(table.rawValue, Self.key(table, raw.isSQLite)))
                let (old, now) = try raw.set(table.rawValue, "session", at: row, to: "4711")
                let found = try problems(address).sorted()
                #expect(found.contains { $0.contains("row 4711") }, "\(engine) \(table): \(found)")
                answer["another session"] = found
                _ = try raw.set(table.rawValue, "session", at: now, to: old)
            }
            if ![.trouble, .deleted, .device, .launch].contains(table) {
                let stored = raw.place(table, "id").table
                let row = try #require(try raw.middle(stored, Self.key(table, raw.isSQLite)))
                let restoring = try raw.delete(stored, at: row)
                answer["a row less"] = try problems(address).sorted()
                #expect(answer["a row less"] != [], "\(engine) \(table): a row less")
                try raw.run(restoring)
            }
            #expect(try problems(address) == [])
            answers[engine] = answer
        }
        for (title, found) in answers[.sqlite] ?? [:] {
            guard let other = answers[.postgres]?[title], table != .session else { continue }
            // What only one of the engines has: its own indexes, and how it sorts.
            let common = found.filter {
                !$0.contains("index") && !$0.contains("can't be read") && !$0.hasPrefix("the database:")
            }
            #expect(
                common
                    == other.filter {
                        !$0.contains("index") && !$0.contains("can't be read") && !$0.hasPrefix("the database:")
                    },
                "\(table).\(title)")
        }
    }
}
