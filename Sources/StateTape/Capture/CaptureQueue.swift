/// One thing that happened, as left by the thread on which it happened.
///
/// Samples hold copies of the app's values until the recorder's thread has written them down.
protocol Sample: AnyObject {
    /// About how many bytes the state takes that the sample keeps alive; 0 without one.
    var cost: Int { get }
    /// Whether a gap may stand for it: not for what attaches or detaches a store or answers a push.
    var isDroppable: Bool { get }
    /// Gives up the state, so that the event says `skipped`.
    ///
    /// - Returns: The state; nil if there is none that can be given up.
    func letGoOfState() -> Any?
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

    /// - Parameter garbage: What was given up. It is the app's, and what its `deinit` does must not happen in a lock.
    /// - Returns: Whether the recorder's thread has to be woken.
    mutating func append(_ sample: any Sample, garbage: inout [Any]) -> Bool {
        guard isOpen else { return false }
        if cost + sample.cost > Self.maxCost, let last = samples.last {
            let freed = last.cost
            if let state = last.letGoOfState() {
                garbage.append(state)
                cost -= freed
            }
        }
        if samples.count >= Self.maxCount {
            let half = samples.prefix(samples.count / 2)
            let gone = half.filter(\.isDroppable)
            garbage += Array(gone)
            cost -= gone.reduce(0) { $0 + $1.cost }
            samples.replaceSubrange(..<half.count, with: half.filter { !$0.isDroppable })
            dropped += gone.count
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

    /// - Returns: What was waiting.
    mutating func close() -> [Any] {
        defer { samples = [] }
        isOpen = false
        return samples
    }
}
