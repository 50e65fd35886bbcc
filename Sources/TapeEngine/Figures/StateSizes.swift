package import TapeFormat

/// How large a store's state was where it is known: at its full states, at keyframes and at the end. Patches don't tell
/// what they took away, so that nothing is claimed for the time between.
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
    /// One full state in so many is kept.
    private var stride = 1
    private var seen = 0

    package init(store: String) {
        self.store = store
    }

    package mutating func take(_ head: Head) {
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
    ///   - state: The last one, after `seq`.
    ///   - keyframes: More places where the size is known.
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
