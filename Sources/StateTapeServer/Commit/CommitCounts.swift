/// What was committed since the server started, and how long the commits took.
struct CommitCounts: Sendable {
    /// Upper bounds of the histogram, in seconds.
    static let bounds = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1]

    private(set) var events = 0
    private(set) var bytes = 0
    private(set) var failures = 0
    private(set) var seconds = 0.0
    private(set) var longest = 0.0
    /// Commits per histogram bucket: each bucket ends at its bound; the last one holds the longer commits.
    private(set) var counts = [Int](repeating: 0, count: bounds.count + 1)

    mutating func add(events: Int, bytes: Int, took: Duration) {
        let (whole, attoseconds) = took.components
        let seconds = Double(whole) + Double(attoseconds) / 1e18
        self.events += events
        self.bytes += bytes
        self.seconds += seconds
        longest = max(longest, seconds)
        counts[Self.bounds.firstIndex { seconds <= $0 } ?? Self.bounds.count] += 1
    }

    mutating func fail() {
        failures += 1
    }
}
