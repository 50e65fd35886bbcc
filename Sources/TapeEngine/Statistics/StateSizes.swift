package import TapeFormat

/// The sizes of a store's state where they are known: at full states, at keyframes and at the end.
///
/// Sizes between them are unknown, because a patch doesn't contain the values that it removes.
package struct StateSizes: Sendable {
    package struct Point: Sendable {
        let seq: Int
        /// Microseconds since the session started.
        let at: Int
        let bytes: Int

        package init(seq: Int, at: Int, bytes: Int) {
            self.seq = seq
            self.at = at
            self.bytes = bytes
        }
    }

    private static let maxPoints = 512
    private static let maxParts = 10

    package let store: String
    private var points: [Point] = []
    /// Every `stride`-th full state is kept.
    private var stride = 1
    private var seen = 0

    package init(store: String) {
        self.store = store
    }

    package mutating func take(_ head: EventHead) {
        guard let bytes = head.state else { return }
        seen += 1
        guard (seen - 1) % stride == 0 else { return }
        points.append(Point(seq: head.seq, at: head.at, bytes: bytes))
        if points.count == Self.maxPoints {
            points = points.indices.filter { $0 % 2 == 0 }.map { points[$0] }
            stride *= 2
        }
    }

    /// - Parameters:
    ///   - state: The last state.
    ///   - seq: The event that `state` follows.
    ///   - keyframes: Further known sizes.
    package func json(last state: JSON?, at seq: Int, keyframes: [Point]) -> JSON {
        var json = JSON.Object([
            (
                "sizes",
                .array(
                    (points + keyframes).sorted { $0.seq < $1.seq }.map {
                        [
                            "seq": .number(.init($0.seq)), "at": .milliseconds($0.at),
                            "bytes": .number(.init($0.bytes)),
                        ]
                    })
            )
        ])
        if let state {
            json["last"] = ["seq": .number(.init(seq)), "bytes": .number(.init(state.bytes.count))]
            json["largest"] = .array(
                Subtrees.largest(Self.maxParts, of: state).map {
                    ["path": .string($0.path.description), "bytes": .number(.init($0.bytes))]
                })
        }
        return .object(json)
    }
}
