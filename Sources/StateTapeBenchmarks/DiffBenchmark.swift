#if Server
    import Foundation
    import StateTapeServer
    import TapeFormat

    /// How long it takes to find that two sessions part at their last event, by HTTP.
    struct DiffBenchmark {
        let quick: Bool

        func run() throws {
            let count = quick ? 20_000 : 100_000
            let run = try SealedRun([lines(count, at: 1, last: 1), lines(count, at: 1.7, last: 2)])
            let clock = ContinuousClock()
            var times: [Double] = []
            var floors: [Double] = []
            for _ in 0..<(quick ? 2 : 7) {
                // It has kept nothing yet.
                let server = try run.start()
                var answer = Data()
                times.append(
                    try clock.measure { answer = try run.get("/\(run.sessions[0])/diff/\(run.sessions[1])", server) }
                        / .milliseconds(1))
                guard try JSON(parsing: [UInt8](answer))["a"]?["seq"]?.int == count - 1 else {
                    throw BenchViewer.Lost(description: "the sessions part elsewhere")
                }
                server.stop()
                let other = try run.start()
                floors.append(
                    try clock.measure { for session in run.sessions { _ = try run.get("/\(session)/tape", other) } }
                        / .milliseconds(1))
                other.stop()
            }
            Measurement(
                bench: "diff", name: quick ? "20k" : "100k", value: times.median, unit: "ms", better: .lower,
                floor: ("reading both", floors.median)
            ).print()
        }

        /// Lines of about 300 bytes. Those of two tapes differ in their times, and in the last one's patch.
        private func lines(_ count: Int, at step: Double, last: Int) -> [EventLine] {
            (0..<count).map { seq in
                let at = Double(seq) * step
                guard seq > 0 else {
                    return EventLine(
                        seq: 0, at: at, kind: .`init`, members: [("state", ["todos": [["done": false]], "counter": 0])])
                }
                let counter = seq == count - 1 ? seq + last : seq
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
                        ("took", JSON.Number(step / 100).map(JSON.number) ?? 0),
                        ("caller", "Todo/TodoView.swift:41"),
                    ])
            }
        }
    }
#endif
