import Foundation
import TapeFormat

/// The last refused attempts, so that a person can see why an app or a page can't connect.
final class RefusedConnections: Sendable {
    private struct Refusal {
        let peer: String
        let path: String
        let code: String
        var detail: String
        var time: Date
        var count = 1

        var json: JSON {
            [
                "time": .string(time.formatted(Date.ISO8601FormatStyle(includingFractionalSeconds: true))),
                "peer": .string(peer), "path": .string(path), "code": .string(code), "detail": .string(detail),
                "count": .number(.init(count)),
            ]
        }
    }

    private struct State {
        /// The oldest first.
        var last: [Refusal] = []
        var counts: [String: Int] = [:]
    }

    private static let bound = 50
    /// The most characters of a path or reason, since the peer chooses them.
    private static let maxText = 200

    private let state = Locked(State())

    /// Stores an attempt. Attempts of one peer with the same path and reason count as one entry, so that an app
    /// that retries doesn't push out the others.
    func add(peer: String, path: String, code: String, detail: String) {
        let (path, detail) = (String(path.prefix(Self.maxText)), String(detail.prefix(Self.maxText)))
        state.withLock { state in
            state.counts[code, default: 0] += 1
            let same = state.last.firstIndex { $0.peer == peer && $0.path == path && $0.code == code }
            var refusal =
                same.map { state.last.remove(at: $0) }
                ?? Refusal(peer: peer, path: path, code: code, detail: detail, time: .now, count: 0)
            refusal.detail = detail
            refusal.time = .now
            refusal.count += 1
            state.last.append(refusal)
            if state.last.count > Self.bound { state.last.removeFirst() }
        }
    }

    /// The newest first.
    var json: JSON { .array(state.withLock { $0.last }.reversed().map(\.json)) }

    /// The number of refused attempts since the start, by reason.
    var counts: [String: Int] { state.withLock { $0.counts } }
}
