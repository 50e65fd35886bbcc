import StateTape
import StateTapeServer
import TapeFormat

/// Measures the size of a sealed session on disk, including the rest of its archive.
struct ArchiveBenchmark {
    let quick: Bool
    /// The address of the database with the archive; nil for a file.
    var database: String?

    func run() throws {
        if let states = try RealData.fires() {
            // Full states, like clients that don't support patches.
            let lines = states.enumerated().map(Self.line)
            try measure("ca-fires", SealedRun([lines], database: database))
        }
        if let edits = try RealData.edits() {
            let actions = edits.map { TextAction.edit(at: $0.position, removed: $0.removed, text: $0.inserted) }
            try measure("text", SealedRun(TextState(bytes: 0), actions, TextState.reduce, database: database))
        }
        let actions = (0..<(quick ? 500 : 5_000)).map { BenchAction.toggle($0 * 7) }
        try measure("1MB", SealedRun(BenchState.ofSize(1_000_000), actions, BenchState.reduce, database: database))
    }

    private func measure(_ name: String, _ run: SealedRun) throws {
        let events = Double(run.events)
        report(
            name, Double(try run.bytesOnDisk) / events, ("the states as JSON", Double(run.stateBytes) / events))
        guard let database else { return }
        let tapes = try Self.copies(of: run)
        let all = events * Double(tapes.count)
        report(
            "\(name)/sessions", Double(try size(of: tapes, in: database)) / all,
            ("the same lines in SQLite", Double(try size(of: tapes, in: nil)) / all))
    }

    private func report(_ name: String, _ value: Double, _ floor: (String, Double)) {
        Measurement(bench: "archive", name: name, value: value, unit: "B", better: .lower, floor: floor).print()
    }

    /// The bytes by which sealed sessions make an empty archive larger.
    private func size(of tapes: [[UInt8]], in database: String?) throws -> Int {
        try SealedRun(uploading: tapes, database: database).bytesOnDisk
            - SealedRun(uploading: [], database: database).bytesOnDisk
    }

    /// The session's tape under several ids, so that what each table allocates for a first row hardly counts.
    private static func copies(of run: SealedRun) throws -> [[UInt8]] {
        let server = try run.start()
        defer { server.stop() }
        let tape = [UInt8](try run.get("/\(run.session)/tape", server))
        let header = tape.prefix { $0 != UInt8(ascii: "\n") }
        let text = String(decoding: header, as: UTF8.self)
        return (0..<8).map { number in
            let other = text.replacing("\"\(run.session)\"", with: "\"\(run.session)-\(number)\"")
            return Array(other.utf8) + tape[header.endIndex...]
        }
    }

    private static func line(_ index: Int, _ state: JSON) -> EventLine {
        guard index > 0 else { return EventLine(seq: 0, at: 0, kind: .`init`, members: [("state", state)]) }
        return EventLine(
            seq: index, at: Double(index), kind: .action,
            members: [("action", ["type": "feed/loaded"]), ("state", state)])
    }
}
