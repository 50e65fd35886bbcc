#if Server
    import Foundation
    import Synchronization
    import TapeFormat

    /// The last attempts that were refused, so that a person sees why an app or a page doesn't come in.
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
            /// Oldest first.
            var last: [Refusal] = []
            var counts: [String: Int] = [:]
        }

        private static let bound = 50
        /// Characters of a path or reason, which are the peer's to choose.
        private static let maxText = 200

        private let state = Mutex(State())

        /// Notes an attempt. Those of one peer at one path for one reason are counted as one, so that an app that tries
        /// again and again leaves room for others.
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

        /// Newest first.
        var json: JSON { .array(state.withLock { $0.last }.reversed().map(\.json)) }

        /// How many there were since the start, by reason.
        var counts: [String: Int] { state.withLock { $0.counts } }
    }
#endif
