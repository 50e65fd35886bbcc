import Foundation
import GRDB
import StateTapeServer
import TapeFormat
import TapeSockets

/// Measures the committed events per second of one app over a real socket, and the rate after a million events.
struct IngestBenchmark {
    let quick: Bool
    /// The address of the database to record into; nil for the archive's file.
    var database: String?

    func run() throws {
        try measure("1KB", bytes: 1_000, count: quick ? 50_000 : 300_000)
        try measure("100B", bytes: 100, count: quick ? 200_000 : 1_000_000)
        try measureLastTenth(count: quick ? 200_000 : 1_000_000)
    }

    private func measure(_ name: String, bytes: Int, count: Int) throws {
        var rates: [Double] = []
        var floors: [Double] = []
        for _ in 0..<(quick ? 1 : 3) {
            let flood = try Flood(count: count, lineBytes: bytes, database: database)
            rates.append(Double(count) / flood.seconds(from: 0, to: count))
            let batch = max(1, count / flood.commits)
            floors.append(
                try database.map { try bareRate(flood.lines, batch, $0) }
                    ?? BareArchive.rate(flood.lines, batch: batch))
        }
        Measurement(
            bench: "ingest", name: name, value: rates.median, unit: "events/s", better: .higher,
            floor: ("the same bytes by a bare \(database == nil ? "SQLite" : "COPY … BINARY") loop", floors.median)
        ).print()
    }

    private func bareRate(_ lines: [[UInt8]], _ batch: Int, _ database: String) throws -> Double {
        let schema = try DatabaseSchema(in: database)
        return try withExtendedLifetime(schema) {
            try BareDatabase.rate(lines, batch: batch, url: schema.address)
        }
    }

    private func measureLastTenth(count: Int) throws {
        let flood = try Flood(count: count, lineBytes: 300, database: database)
        let tenth = count / 10
        Measurement(
            bench: "ingest", name: "last-tenth",
            value: Double(tenth) / flood.seconds(from: count - tenth, to: count),
            unit: "events/s", better: .higher,
            floor: ("the first tenth", Double(tenth) / flood.seconds(from: 0, to: tenth))
        ).print()
    }
}

/// An app that sends as fast as the server accepts.
private final class Flood: ConnectionHandler, Sendable {
    let lines: [[UInt8]]
    private let progress = Locked<[(time: ContinuousClock.Instant, next: Int)]>([])
    private let sent = Locked(0)
    private let done = DispatchSemaphore(value: 0)

    /// The number of acknowledgements.
    var commits: Int { progress.withLock { $0.count } }

    init(count: Int, lineBytes: Int, database: String?) throws {
        lines = Self.lines(count, lineBytes)
        let run = try ArchiveFolder(database: database)
        let server = try run.start()
        let loop = try EventLoop()
        Client.connect(
            on: loop, to: "ws://127.0.0.1:\(server.port)/v1/app", subprotocol: "statetape.v1", handler: self)
        done.wait()
        loop.stop()
        server.stop()
        let next = progress.withLock { $0.last?.next }
        guard next == count else {
            throw BenchViewer.Lost(description: "\(next ?? 0) of \(count) events were acknowledged")
        }
    }

    /// The seconds from sending the first event, or committing the one before, to committing the last one.
    func seconds(from first: Int, to next: Int) -> Double {
        progress.withLock { progress in
            guard let start = progress.last(where: { $0.next <= first }) ?? progress.first,
                let end = progress.first(where: { $0.next >= next })
            else { return .nan }
            let share = Double(next - first) / Double(max(1, end.next - start.next))
            return (end.time - start.time) / .seconds(1) * share
        }
    }

    func opened(_ connection: Connection) {
        let header = Header(
            session: "BENCH\(UInt64.random(in: 0...UInt64.max))", app: .init(id: "bench"),
            started: "2026-01-01T00:00:00Z")
        connection.send(AppLine.hello(Hello(header: header, key: "bench", next: 0, fresh: false)).bytes)
    }

    func received(_ connection: Connection, _ message: [UInt8], isText: Bool) {
        for line in message.split(separator: UInt8(ascii: "\n")) {
            switch try? ServerLine(parsing: Array(line)) {
            case .welcome:
                progress.withLock { $0.append((.now, 0)) }
                sendMore(connection)
            case .ack(let next):
                progress.withLock { $0.append((.now, next)) }
                if next == lines.count { connection.close(code: 1000, reason: "") }
            default: break
            }
        }
    }

    func drained(_ connection: Connection) { sendMore(connection) }

    func closed(_ connection: Connection, code: UInt16?, reason: String) { done.signal() }

    /// Fills the connection's buffer with messages of 64 KiB.
    private func sendMore(_ connection: Connection) {
        while connection.outstanding < 1 << 20 {
            let message = sent.withLock { sent -> [UInt8] in
                var message: [UInt8] = []
                while sent < lines.count, message.count < 64 << 10 {
                    if !message.isEmpty { message.append(UInt8(ascii: "\n")) }
                    message += lines[sent]
                    sent += 1
                }
                return message
            }
            if message.isEmpty { return }
            connection.send(message)
        }
    }

    private static func lines(_ count: Int, _ bytes: Int) -> [[UInt8]] {
        var chance = SplitMix(seed: 7)
        let words = (0..<400).map { Array("w\($0) ".utf8) }
        return (0..<count).map { seq in
            if seq == 0 {
                return EventLine(seq: 0, at: 0, kind: .`init`, members: [("state", ["n": 0])]).bytes
            }
            let head = Array(
                #"{"seq":\#(seq),"at":\#(seq),"event":"action","action":{"type":"n/set","payload":""#.utf8)
            let end = Array(#""},"patch":[{"op":"replace","path":"/n","value":\#(seq)}]}"#.utf8)
            // Random words, so that the text compresses like real data.
            var line = head
            while line.count + end.count < bytes { line += words[Int(chance.next() % 400)] }
            return line + end
        }
    }
}

/// Inserts batches as blobs into one table, without any other work.
private enum BareArchive {
    static func rate(_ lines: [[UInt8]], batch: Int) throws -> Double {
        let folder = try ArchiveFolder()
        let queue = try DatabaseQueue(path: folder.url.appendingPathComponent("bare.sqlite").path)
        try queue.writeWithoutTransaction { db in
            try db.execute(sql: "PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL")
            try db.execute(sql: "CREATE TABLE batch (session INTEGER, first INTEGER, lines BLOB)")
            try db.execute(sql: "CREATE UNIQUE INDEX batchOfSession ON batch(session, first)")
        }
        let time = try ContinuousClock().measure {
            for first in stride(from: 0, to: lines.count, by: batch) {
                try queue.write { db in
                    var blob = Data()
                    for line in lines[first..<min(first + batch, lines.count)] {
                        blob.append(contentsOf: line)
                        blob.append(UInt8(ascii: "\n"))
                    }
                    try db.cachedStatement(sql: "INSERT INTO batch VALUES (1, ?, ?)")
                        .execute(arguments: [first, blob])
                }
            }
        }
        return Double(lines.count) / (time / .seconds(1))
    }
}

private struct SplitMix {
    var state: UInt64

    init(seed: UInt64) {
        state = seed
    }

    mutating func next() -> UInt64 {
        state &+= 0x9e37_79b9_7f4a_7c15
        let z = (state ^ (state >> 30)) &* 0xbf58_476d_1ce4_e5b9
        return z ^ (z >> 27)
    }
}
