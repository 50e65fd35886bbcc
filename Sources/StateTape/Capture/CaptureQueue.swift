/// One thing that happened, as left by the thread on which it happened.
///
/// Samples hold copies of the app's values until the recorder's thread has written them down.
class Sample {
    /// About how many bytes the state takes that the sample keeps alive; 0 without one.
    final var cost = 0
    /// Whether a gap may stand for it, and whether it can wait: not what attaches or detaches a store or answers a push.
    final let isDroppable: Bool
    /// Where its action is kept meanwhile.
    final var place: PendingActions.Place?

    init(isDroppable: Bool) {
        self.isDroppable = isDroppable
    }

    /// Writes the event; on the recorder's thread.
    func write(to session: Session) {}
}

/// What waits for the recorder's thread, bounded.
///
/// Waking a sleeping thread takes the waker about 5 µs. So the recorder is called for the first sample after a quiet
/// time, and then comes back by itself until it has found nothing for a while; in between it is called only for what can't
/// wait and when much has gathered.
///
/// Past the bound of states whoever leaves samples is told to leave them without. Past the bound of samples, and past
/// twice the bound of states, the oldest half is dropped, and a gap says so.
struct CaptureQueue {
    static let maxCost = 64 << 20
    static let maxCount = 16_384
    /// What the recorder is called for before it comes by itself.
    static let callCost = maxCost / 4
    static let callCount = 256
    /// How often it finds nothing before it sleeps.
    static let patience = 4

    /// What is to be done after a sample was left.
    struct Errand: Equatable {
        var callsRecorder = false
        /// There is something to be freed, on a thread that has the time.
        var callsCleaner = false
        /// No more states for now.
        var isFull = false
    }

    private enum Recorder {
        /// It comes when it is called.
        case asleep
        case called
        /// It comes by itself.
        case awake
    }

    private var recorder = Recorder.asleep
    private var emptyLooks = 0
    private var samples: [Sample] = []
    private var cost = 0
    private var dropped = 0
    private var garbage: [Sample] = []
    /// Closed once nothing can be written any more.
    private(set) var isOpen = true

    mutating func append(_ sample: Sample) -> Errand {
        guard isOpen else { return Errand() }
        samples.append(sample)
        cost += sample.cost
        var errand = Errand()
        if samples.count > Self.maxCount || cost > 2 * Self.maxCost {
            errand.callsCleaner = garbage.isEmpty
            dropHalf()
        }
        errand.isFull = cost > Self.maxCost
        let canWait = sample.isDroppable && samples.count < Self.callCount && cost < Self.callCost
        switch recorder {
        case .awake where canWait, .called: break
        case .awake, .asleep:
            recorder = .called
            errand.callsRecorder = true
        }
        return errand
    }

    private mutating func dropHalf() {
        let half = samples.prefix(samples.count / 2)
        let gone = half.filter(\.isDroppable)
        samples.replaceSubrange(..<half.count, with: half.filter { !$0.isDroppable })
        cost -= gone.reduce(0) { $0 + $1.cost }
        dropped += gone.count
        garbage += gone
    }

    /// Takes everything; nil if there is nothing.
    mutating func take() -> (dropped: Int, samples: [Sample])? {
        guard !samples.isEmpty else { return nil }
        defer {
            samples = []
            cost = 0
            dropped = 0
            emptyLooks = 0
            recorder = .awake
        }
        return (dropped, samples)
    }

    /// Whether the recorder has to come back by itself.
    var isAwake: Bool { recorder == .awake }

    /// The recorder has come by itself.
    ///
    /// - Returns: Whether it falls asleep, as nothing has come for a while.
    mutating func look() -> Bool {
        guard samples.isEmpty else { return false }
        emptyLooks += 1
        guard emptyLooks >= Self.patience else { return false }
        recorder = .asleep
        return true
    }

    /// Takes what was dropped. It holds the app's values, and what their `deinit` does must not happen in a lock.
    mutating func takeGarbage() -> [Sample] {
        defer { garbage = [] }
        return garbage
    }

    /// - Returns: What was waiting.
    mutating func close() -> [Sample] {
        defer { samples = [] }
        isOpen = false
        return samples
    }
}
