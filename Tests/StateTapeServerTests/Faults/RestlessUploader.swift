import SampleTapes
import TapeFormat

@testable import StateTapeServer

/// Uploads one tape after another, and resumes each until it is complete.
struct RestlessUploader {
    private let killings: Killings
    private(set) var sent: [SentTape] = []
    /// The tapes that were deleted again.
    private(set) var deleted: Set<String> = []
    /// Uploads that resumed after an interruption.
    private(set) var resumed = 0

    init(_ killings: Killings) {
        self.killings = killings
    }

    mutating func run() async {
        repeat {
            let header = Sample.header("UPLOAD-SESSION-\(1_000 + sent.count)")
            let tape = SentTape(header: header, lines: Sample.counting(to: 20_000))
            sent.append(tape)
            while await !upload(tape) {}
            // Its lines are freed in slices; the server may be killed in any of them.
            if sent.count % 2 == 0, await delete(tape) { deleted.insert(tape.id) }
        } while !killings.isOver
    }

    private mutating func upload(_ tape: SentTape) async -> Bool {
        let http = HTTPClient(port: await killings.port())
        let query = "?session=\(tape.id)&from="
        do {
            let held = try await http.send("POST", "/api/v1/sessions\(query)\(Limits.seq)").json()["next"]?.int ?? 0
            let answer = try await http.send(
                "POST", "/api/v1/sessions" + (held > 0 ? "\(query)\(held)" : ""), bytes: tape.bytes(from: held))
            if held > 0, answer.status < 300 { resumed += 1 }
            return answer.status < 300
        } catch {
            return false
        }
    }

    private func delete(_ tape: SentTape) async -> Bool {
        while true {
            let http = HTTPClient(port: await killings.port())
            let status = try? await http.send("DELETE", "/api/v1/sessions/\(tape.id)").status
            if status == 204 { killings.acknowledged(isLast: true) }
            // A server that was killed before its answer may have deleted it.
            if status == 204 || status == 404 { return true }
        }
    }
}
