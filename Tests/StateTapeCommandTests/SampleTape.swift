import Foundation
import TapeFormat

/// A generated tape file.
enum SampleTape {
    static let session = "01JD3M8Q5R7V2X9B4N6T0KZYWE"

    static func make(_ count: Int, session: String = session) -> Data {
        let header = Header(
            session: session, app: .init(id: "com.example.todo"), started: "2026-11-20T10:00:00.123Z")
        var bytes = header.json.bytes + [10]
        for seq in 0..<count {
            let line =
                seq == 0
                ? EventLine(seq: 0, at: 0, kind: .`init`, members: [("state", ["n": 0])])
                : EventLine(
                    seq: seq, at: Double(seq), kind: .action,
                    members: [
                        ("action", ["type": "add"]),
                        ("patch", [["op": "replace", "path": "/n", "value": .number(.init(seq))]]),
                    ])
            bytes += line.bytes + [10]
        }
        return Data(bytes)
    }
}
