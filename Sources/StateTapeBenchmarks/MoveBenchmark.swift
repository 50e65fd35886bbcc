import Foundation
import Logging
import StateTapeServer
import TapeFormat

/// Measures copies of sessions from a data folder to a database and back, and compares each session byte by byte.
struct MoveBenchmark {
    let quick: Bool
    /// The address of a database.
    let database: String

    private static let logger = Logger(label: "bench") { _ in SwiftLogNoOpLogHandler() }

    func run() throws {
        let ids = (0..<(quick ? 300 : 10_000)).map { String(format: "BENCH-MOVE-%06d", $0) }
        let (source, other, back) = (try ArchiveFolder(), try ArchiveFolder(), try ArchiveFolder())
        try record(ids, in: source)
        let schema = try DatabaseSchema(in: database)
        defer { withExtendedLifetime(schema) {} }
        let address = ArchiveAddress.database(try DatabaseAddress(schema.address))
        let floor = try rate(.folder(source.url), .folder(other.url), ids.count)
        try report("to-database", rate(.folder(source.url), address, ids.count), floor)
        try report("from-database", rate(address, .folder(back.url), ids.count), floor)
        let before = try contents(ids, in: source)
        let after = try contents(ids, in: back)
        if let lost = ids.first(where: { before[$0] == nil || before[$0] != after[$0] }) {
            throw Lost(description: "session \(lost) differs after the way to the database and back")
        }
    }

    private func report(_ name: String, _ rate: Double, _ floor: Double) {
        Measurement(
            bench: "move", name: name, value: rate, unit: "sessions/s", better: .higher,
            floor: ("to another data folder", floor)
        ).print()
    }

    /// Tapes of 1 to 300 events, every fifth of them with a bookmark.
    private func record(_ ids: [String], in folder: ArchiveFolder) throws {
        let server = try folder.start()
        defer { server.stop() }
        for (number, id) in ids.enumerated() {
            let header = Header(session: id, app: .init(id: "bench"), started: "2026-01-01T00:00:00Z")
            var lines = [header.json.bytes, Self.line(0)]
            lines += (1..<[1, 5, 20, 40, number % 50 == 0 ? 300 : 10][number % 5]).map(Self.line)
            let tape = Array(lines.joined(separator: [UInt8(ascii: "\n")])) + [UInt8(ascii: "\n")]
            try ImportBenchmark.ask("POST /api/v1/sessions", tape, server.port, expecting: "201")
            guard number % 5 == 0 else { continue }
            let mark = JSON.object(.init([("seq", 0), ("text", .string("mark \(number)"))])).bytes
            try ImportBenchmark.ask(
                "POST /api/v1/sessions/\(id)/bookmarks", mark, server.port, expecting: "201")
        }
    }

    private static func line(_ seq: Int) -> [UInt8] {
        seq == 0
            ? EventLine(seq: 0, at: 0, kind: .`init`, members: [("state", ["count": 0])]).bytes
            : LoadBenchmark.event(seq)
    }

    private func rate(_ from: ArchiveAddress, _ to: ArchiveAddress, _ count: Int) throws -> Double {
        var problems: [String] = []
        let time = try ContinuousClock().measure {
            _ = try ArchiveMove.run(
                from: from, to: to, logger: Self.logger, tell: { problems.append($0) }, progress: { _ in })
        }
        if let problem = problems.first { throw Lost(description: problem) }
        return Double(count) / (time / .seconds(1))
    }

    /// The tape, the summary and the bookmarks of each session.
    private func contents(_ ids: [String], in folder: ArchiveFolder) throws -> [String: [Data]] {
        let server = try folder.start()
        defer { server.stop() }
        var all: [String: [Data]] = [:]
        for id in ids {
            all[id] = try ["", "/tape", "/bookmarks"].compactMap { path in
                try URL(string: "http://127.0.0.1:\(server.port)/api/v1/sessions/\(id)\(path)").map {
                    try Data(contentsOf: $0)
                }
            }
        }
        return all
    }
}
