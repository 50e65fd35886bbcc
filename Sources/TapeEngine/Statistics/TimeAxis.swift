/// The time of a range of events, on which long pauses are short.
package struct TimeAxis: Sendable {
    /// The most pauses that are shortened.
    private static let maxPauses = 100

    /// Where the time runs at another pace: positions on the axis and times, in microseconds. Pairs with an odd index
    /// begin a pause, which the next pair ends.
    package private(set) var points: [(position: Int, time: Int)] = []
    /// The length of the axis.
    package var length: Int { max(1, points.last?.position ?? 0) }

    /// - Parameters:
    ///   - times: Of the events, in microseconds, none before its predecessor.
    ///   - pause: A longer time without events is shortened.
    package init(_ times: [Int], pause: Int) {
        guard let first = times.first, let last = times.last else { return }
        var pauses: [(index: Int, length: Int)] = []
        for index in times.indices.dropFirst() where times[index] - times[index - 1] > pause {
            pauses.append((index, times[index] - times[index - 1]))
        }
        // The longest ones.
        pauses = pauses.sorted { ($1.length, $0.index) < ($0.length, $1.index) }.prefix(Self.maxPauses)
            .sorted { $0.index < $1.index }
        let active = max(1_000, last - first - pauses.reduce(0) { $0 + $1.length })
        // Together they take at most a third of the axis.
        let shown = active / max(10, 2 * pauses.count)
        points = [(0, first)]
        for (index, length) in pauses {
            let start = (points.last?.position ?? 0) + times[index - 1] - (points.last?.time ?? 0)
            points.append((start, times[index - 1]))
            points.append((start + min(length, shown), times[index]))
        }
        points.append(((points.last?.position ?? 0) + last - (points.last?.time ?? 0), last))
    }
}
