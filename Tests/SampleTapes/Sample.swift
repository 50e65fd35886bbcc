package import Foundation
package import TapeFormat

/// Headers, lines and folders for tests.
package enum Sample {
    package static func header(
        _ session: String = "01JD3M8Q5R7V2X9B4N6T0KZYWE", app: String = "com.example.todo",
        device: String? = "phone",
        labels: [String: String] = [:]
    ) -> Header {
        Header(
            session: session, app: .init(id: app, name: "Todo", version: "2.3"),
            device: device.map { .init(id: $0, name: "Ana's red phone") }, started: "2026-11-20T10:00:00.123Z",
            labels: labels)
    }

    package static func hello(
        _ header: Header = Sample.header(), key: String = "key", next: Int = 0, fresh: Bool = false,
        maxMessage: Int? = nil, token: String? = nil, attempt: Int? = nil, recovered: Bool = false,
        compress: [String] = []
    ) -> Hello {
        Hello(
            header: header, key: key, next: next, fresh: fresh, maxMessage: maxMessage, token: token,
            recovered: recovered, attempt: attempt, compress: compress)
    }

    package static func start(_ seq: Int, store: String = "main", _ state: JSON = ["n": 0]) -> EventLine {
        EventLine(seq: seq, at: Double(seq), kind: .`init`, store: store, members: [("state", state)])
    }

    /// An action with a patch that sets `n`.
    package static func count(_ seq: Int, to n: Int, store: String = "main") -> EventLine {
        action(seq, store: store, ("patch", [["op": "replace", "path": "/n", "value": .number(.init(n))]]))
    }

    package static func action(
        _ seq: Int, store: String = "main", type: String = "counter/add", _ outcome: (String, JSON)
    ) -> EventLine {
        EventLine(
            seq: seq, at: Double(seq), kind: .action, store: store,
            members: [("action", ["type": .string(type), "payload": 1]), outcome])
    }

    package static func full(_ seq: Int, store: String = "main", _ state: JSON) -> EventLine {
        EventLine(
            seq: seq, at: Double(seq), kind: .replace, store: store,
            members: [("state", state), ("cause", ["set": true])])
    }

    package static func gap(_ seq: Int, count: Int) -> EventLine {
        EventLine(
            seq: seq, at: Double(seq), kind: .gap, count: count, members: [("reason", "memory")])
    }

    package static func detach(_ seq: Int, store: String = "main") -> EventLine {
        EventLine(seq: seq, at: Double(seq), kind: .detach, store: store)
    }

    package static func end(_ seq: Int) -> EventLine {
        EventLine(seq: seq, at: Double(seq), kind: .end, members: [("reason", "closed")])
    }

    /// `init`, and then counting actions up to, but not including, `next`.
    package static func counting(to next: Int) -> [EventLine] {
        (0..<next).map { $0 == 0 ? start(0) : count($0, to: $0) }
    }
}

/// A temporary folder, removed when this object is deallocated.
package final class TemporaryFolder: Sendable {
    package let url: URL

    package init() {
        url = FileManager.default.temporaryDirectory.appendingPathComponent("statetape-\(UUID().uuidString)")
    }

    deinit {
        try? FileManager.default.removeItem(at: url)
    }
}
