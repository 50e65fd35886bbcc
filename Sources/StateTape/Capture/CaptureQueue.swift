/// One thing that happened, as left by the thread on which it happened.
///
/// Samples hold copies of the app's values until the recorder's thread has written them down.
protocol Sample: AnyObject {
    /// About how many bytes the state takes that the sample keeps alive; 0 without one.
    var cost: Int { get }
    /// Gives up the state, so that the event says `skipped`.
    ///
    /// - Returns: Whether there was one that could be given up.
    func letGoOfState() -> Bool
    /// Writes the event; on the recorder's thread.
    func write(to session: Session)
}

/// What waits for the recorder's thread, bounded.
///
/// Past the bound of states the last sample but one gives up its own: the newest state is always written. Past the bound
/// of samples the oldest half is dropped, and a gap says so.
struct CaptureQueue {
    static let maxCost = 64 << 20
    static let maxCount = 16_384

    private var samples: [any Sample] = []
    private var cost = 0
    private var dropped = 0
    private var isDraining = false
    /// Closed once nothing can be written any more.
    private(set) var isOpen = true

    /// - Returns: Whether the recorder's thread has to be woken.
    mutating func append(_ sample: any Sample) -> Bool {
        guard isOpen else { return false }
        if cost + sample.cost > Self.maxCost, let last = samples.last {
            let freed = last.cost
            if last.letGoOfState() { cost -= freed }
        }
        if samples.count >= Self.maxCount {
            let half = samples.count / 2
            cost -= samples.prefix(half).reduce(0) { $0 + $1.cost }
            samples.removeFirst(half)
            dropped += half
        }
        samples.append(sample)
        cost += sample.cost
        defer { isDraining = true }
        return !isDraining
    }

    /// Takes everything; nil, and asleep until the next sample, if there is nothing.
    mutating func take() -> (dropped: Int, samples: [any Sample])? {
        guard !samples.isEmpty else {
            isDraining = false
            return nil
        }
        defer {
            samples = []
            cost = 0
            dropped = 0
        }
        return (dropped, samples)
    }

    mutating func close() {
        isOpen = false
        samples = []
    }
}
