/// One thing that happened, as left by the thread on which it happened.
///
/// Samples hold copies of the app's values until the recorder's thread has written them down.
class PendingEvent {
    /// About how many bytes the state takes that the sample keeps alive; 0 without one.
    final var cost = 0
    /// About how many bytes it takes beside that and what every sample takes.
    final var weight = 0
    /// Whether a gap may stand for it, and whether it can wait: not what attaches or detaches a store or answers a push.
    final let isDroppable: Bool
    /// Where its action is kept meanwhile.
    final var place: PendingActions.Place?

    init(isDroppable: Bool) {
        self.isDroppable = isDroppable
    }

    /// Writes the event; on the recorder's thread.
    func write(to session: RecordingSession) {}

    /// The same event without its state; nil if it has none, or is nothing without.
    func bare() -> PendingEvent? { nil }
}

/// What waits for the recorder's thread, bounded.
///
/// Waking a sleeping thread takes the waker about 5 µs. So the recorder is called for the first sample after a quiet
/// time, and then comes back by itself until it has found nothing for a while; in between it is called only for what can't
/// wait and when much has gathered.
///
/// An app that is faster than the recorder loses states, and no actions: past half the bound of samples with states, and
/// past the bound of what their states take, whoever leaves samples is told to leave them without. At the bound, and at
/// twice that of what they take, the oldest half loses the states that it has. Without states the recorder is about as fast
/// as an app can be; should all that waits take too much all the same, the oldest half is dropped, and a gap says so.
struct CaptureQueue {
    /// Bytes of states.
    static let maxCost = 64 << 20
    /// Samples that may have states.
    static let maxCount = 16_384
    /// Bytes of samples, their states aside: 200 000 short actions and more.
    static let maxWeight = 64 << 20
    /// What every sample takes, about.
    static let baseWeight = 256
    /// What the recorder is called for before it comes by itself.
    static let callCost = maxCost / 4
    static let callCount = 32
    /// How often it finds nothing before it sleeps.
    static let idlePollLimit = 10

    /// What is to be done after a sample was left.
    struct SubmitResult: Equatable {
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
    private var idlePolls = 0
    private var samples: [PendingEvent] = []
    private var cost = 0
    private var weight = 0
    /// So many of the oldest have no states, or must keep them.
    private var bare = 0
    private var dropped = 0
    private var garbage: [PendingEvent] = []
    /// Closed once nothing can be written any more.
    private(set) var isOpen = true

    mutating func append(_ sample: PendingEvent) -> SubmitResult {
        guard isOpen else { return SubmitResult() }
        samples.append(sample)
        cost += sample.cost
        weight += Self.baseWeight + sample.weight
        var errand = SubmitResult()
        let hasGarbage = !garbage.isEmpty
        if samples.count - bare > Self.maxCount || cost > 2 * Self.maxCost { strip() }
        if weight > Self.maxWeight || cost > 2 * Self.maxCost { dropHalf() }
        errand.callsCleaner = !hasGarbage && !garbage.isEmpty
        errand.isFull = cost > Self.maxCost || samples.count - bare > Self.maxCount / 2
        let canWait = sample.isDroppable && samples.count < Self.callCount && cost < Self.callCost
        switch recorder {
        case .awake where canWait, .called: break
        case .awake, .asleep:
            recorder = .called
            errand.callsRecorder = true
        }
        return errand
    }

    /// Takes their states from the older half of those that have any.
    private mutating func strip() {
        let end = bare + (samples.count - bare + 1) / 2
        for index in bare..<end {
            guard let stripped = samples[index].bare() else { continue }
            cost -= samples[index].cost
            garbage.append(samples[index])
            samples[index] = stripped
        }
        bare = end
    }

    private mutating func dropHalf() {
        let half = samples.prefix(samples.count / 2)
        let (gone, kept) = (half.filter(\.isDroppable), half.filter { !$0.isDroppable })
        samples.replaceSubrange(..<half.count, with: kept)
        cost -= gone.reduce(0) { $0 + $1.cost }
        weight -= gone.reduce(0) { $0 + Self.baseWeight + $1.weight }
        bare = max(kept.count, bare - gone.count)
        dropped += gone.count
        garbage += gone
    }

    /// Takes everything; nil if there is nothing.
    mutating func take() -> (dropped: Int, samples: [PendingEvent])? {
        guard !samples.isEmpty else { return nil }
        defer {
            samples = []
            cost = 0
            weight = 0
            bare = 0
            dropped = 0
            idlePolls = 0
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
        idlePolls += 1
        guard idlePolls >= Self.idlePollLimit else { return false }
        recorder = .asleep
        return true
    }

    /// Takes what was dropped. It holds the app's values, and what their `deinit` does must not happen in a lock.
    mutating func takeGarbage() -> [PendingEvent] {
        defer { garbage = [] }
        return garbage
    }

    /// - Returns: What was waiting.
    mutating func close() -> [PendingEvent] {
        defer { samples = [] }
        isOpen = false
        return samples
    }
}
