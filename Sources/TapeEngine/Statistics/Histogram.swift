package import TapeFormat

/// The number of events in each of several equal parts of a session's time.
package struct Histogram: Sendable {
    private let duration: Int
    private var counts: [Int]
    /// The first event of each part.
    private var seqs: [Int?]
    /// For each part, the events lost in gaps, and the states applied and actions dispatched from outside of the app.
    private var gaps: [Int: Int] = [:]
    private var pushes: [Int: Int] = [:]

    /// - Parameter duration: The session's duration in microseconds.
    package init(buckets: Int, duration: Int) {
        self.duration = max(1, duration)
        counts = Array(repeating: 0, count: buckets)
        seqs = Array(repeating: nil, count: buckets)
    }

    package mutating func take(_ head: EventHead) {
        // A time outside of the duration, after a clock change or a new event, counts in the first or last part.
        let bucket = min(counts.count - 1, min(max(0, head.at), duration) * counts.count / duration)
        seqs[bucket] = seqs[bucket] ?? head.seq
        if head.kind == .gap {
            gaps[bucket, default: 0] += head.count
        } else {
            counts[bucket] += 1
            if head.isPush { pushes[bucket, default: 0] += 1 }
        }
    }

    package var members: [(String, JSON)] {
        func pairs(_ marks: [Int: Int]) -> JSON {
            .array(marks.sorted { $0.key < $1.key }.map { [.number(.init($0.key)), .number(.init($0.value))] })
        }
        return [
            ("duration", .milliseconds(duration)), ("counts", .array(counts.map { .number(.init($0)) })),
            ("seqs", .array(seqs.map { $0.map { .number(.init($0)) } ?? .null })), ("gaps", pairs(gaps)),
            ("pushes", pairs(pushes)),
        ]
    }
}

extension EventHead {
    private static let push = Array("\"push\"".utf8)

    /// Whether it was applied or dispatched from outside of the app.
    package var isPush: Bool {
        (kind == .action || kind == .replace) && rest.contains(text: Self.push) && self["cause"]?["push"] != nil
    }
}

extension JSON {
    /// Converts microseconds to milliseconds.
    package static func milliseconds(_ microseconds: Int) -> JSON {
        JSON.Number(Double(microseconds) / 1_000).map(JSON.number) ?? .null
    }
}
