import Foundation
import StateTapeServer
import TapeFormat

/// Measures the HTTP request for the first difference of two sessions that differ only at their last event.
struct DiffBenchmark {
    let quick: Bool

    func run() throws {
        if quick { return try run("20k", 20_000, rounds: 2) }
        try run("100k", 100_000, rounds: 7)
        try run("1M", 1_000_000, rounds: 3)
    }

    private func run(_ name: String, _ count: Int, rounds: Int) throws {
        let run = try SealedRun(uploading: [
            tape("BENCH-DIFF-A", count, at: 1, last: 1), tape("BENCH-DIFF-B", count, at: 1.7, last: 2),
        ])
        let clock = ContinuousClock()
        var times: [Double] = []
        var floors: [Double] = []
        for _ in 0..<rounds {
            // The server's caches are empty.
            let server = try run.start()
            var answer = Data()
            times.append(
                try clock.measure { answer = try run.get("/\(run.sessions[0])/diff/\(run.sessions[1])", server) }
                    / .milliseconds(1))
            guard try JSON(parsing: [UInt8](answer))["a"]?["seq"]?.int == count - 1 else {
                throw BenchViewer.Lost(description: "the sessions' first difference isn't the last event")
            }
            server.stop()
            let other = try run.start()
            floors.append(
                try clock.measure { for session in run.sessions { _ = try run.get("/\(session)/tape", other) } }
                    / .milliseconds(1))
            other.stop()
        }
        Measurement(
            bench: "diff", name: name, value: times.median, unit: "ms", better: .lower,
            floor: ("reading both", floors.median)
        ).print()
    }

    /// A tape with lines of about 300 bytes. Two tapes differ in all times, and in the last patch.
    private func tape(_ session: String, _ count: Int, at step: Double, last: Int) -> [UInt8] {
        let header = Header(session: session, app: .init(id: "bench"), started: "2026-01-01T00:00:00Z")
        var bytes = header.json.bytes + [UInt8(ascii: "\n")]
        for seq in 0..<count {
            bytes += line(seq, at: Double(seq) * step, counter: seq == count - 1 ? seq + last : seq).bytes
            bytes.append(UInt8(ascii: "\n"))
        }
        return bytes
    }

    private func line(_ seq: Int, at: Double, counter: Int) -> EventLine {
        guard seq > 0 else {
            return EventLine(
                seq: 0, at: at, kind: .`init`, members: [("state", ["todos": [["done": false]], "counter": 0])])
        }
        return EventLine(
            seq: seq, at: at, kind: .action,
            members: [
                (
                    "action",
                    [
                        "type": .string("todos/\(seq % 7 == 0 ? "add" : "toggle")"),
                        "payload": ["id": .string("todo-\(seq)"), "title": "Buy milk and bread for breakfast"],
                    ]
                ),
                (
                    "patch",
                    [
                        ["op": "replace", "path": "/todos/0/done", "value": .bool(seq % 2 == 0)],
                        ["op": "replace", "path": "/counter", "value": .number(.init(counter))],
                    ]
                ),
                ("took", JSON.Number(at.truncatingRemainder(dividingBy: 1)).map(JSON.number) ?? 0),
                ("caller", "Todo/TodoView.swift:41"),
            ])
    }
}
