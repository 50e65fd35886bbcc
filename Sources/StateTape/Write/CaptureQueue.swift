import StateCapture
import TapeUplink

/// An event or a job that a thread has submitted to the recorder's thread.
///
/// Pending events hold copies of the app's values until the recorder's thread has written them.
class PendingEvent {
    /// About how many bytes the event's state keeps in memory; 0 without a state.
    final var cost = 0
    /// About how many bytes the event takes, besides its state and ``CaptureQueue/baseWeight``.
    final var weight = 0
    /// Whether the event can wait, and a gap may replace it. That excludes events that attach or detach a store or
    /// answer a push.
    final let isDroppable: Bool
    /// Where ``PendingActions`` stores the event's action.
    final var place: PendingActions.Place?

    init(isDroppable: Bool) {
        self.isDroppable = isDroppable
    }

    /// Writes the event; on the recorder's thread.
    func write(to session: isolated RecordingSession) {}

    /// The same event without its state; nil if it has no state, or is nothing without it.
    func bare() -> PendingEvent? { nil }
}

/// The bounded queue of the recorder's thread.
///
/// Waking a sleeping thread takes the waker about 5 µs. So a submit wakes the recorder for the first event after an
/// idle time. Then the recorder looks for more by itself, later each time that it finds none, until it sleeps. In between,
/// only an event that can't wait or a long queue wakes it.
///
/// An app that is faster than the recorder loses states, but no actions. Past half of ``maxCount`` events with states,
/// or past ``maxCost`` beside the largest state, the result of a submit asks for events without states. Past
/// ``maxCount``, or twice ``maxCost``, the older half of the events with states loses these. Without states, the
/// recorder is about as fast as an app can be. If the queue still takes too much memory, the oldest half is dropped and
/// replaced by a `gap` event.
struct CaptureQueue {
    /// In bytes of states.
    static let maxCost = 64 << 20
    /// In events that may have states.
    static let maxCount = 16_384
    /// In bytes of events without their states: 200 000 short actions and more.
    static let maxWeight = 64 << 20
    /// About how many bytes every event takes.
    static let baseWeight = 256
    /// The recorder is woken past these, before it looks by itself.
    static let callCost = maxCost / 4
    static let callCount = 32
    /// How long the recorder waits before it looks for events: after it has found some, and then each time that it has
    /// found none. After the last one it sleeps.
    static let pauses: [Duration] = [.milliseconds(2), .milliseconds(4), .milliseconds(14)]

    /// What the caller must do after a submit.
    struct SubmitResult: Equatable {
        var callsRecorder = false
        /// Dropped events must be freed, on a thread that has the time.
        var callsCleaner = false
        /// The next events leave out their states.
        var isFull = false
    }

    private enum Recorder {
        /// Sleeps until it is woken.
        case asleep
        case called
        /// Looks by itself.
        case awake
    }

    private var recorder = Recorder.asleep
    /// How often the recorder has found nothing.
    private var looks = 0
    private var events: [PendingEvent] = []
    private var cost = 0
    /// The largest cost of an event. One state may be of any size, and costs no other event its state or its place.
    private var largest = 0
    private var weight = 0
    /// How many of the oldest events have no states, or must keep them.
    private var bare = 0
    private var dropped = 0
    private var garbage: [PendingEvent] = []
    /// False once nothing can be written any more.
    private(set) var isOpen = true

    mutating func append(_ event: PendingEvent) -> SubmitResult {
        guard isOpen else { return SubmitResult() }
        events.append(event)
        cost += event.cost
        largest = max(largest, event.cost)
        weight += Self.baseWeight + event.weight
        var result = SubmitResult()
        let hasGarbage = !garbage.isEmpty
        if events.count - bare > Self.maxCount || cost - largest > 2 * Self.maxCost { strip() }
        if weight > Self.maxWeight || cost - largest > 2 * Self.maxCost { dropHalf() }
        result.callsCleaner = !hasGarbage && !garbage.isEmpty
        result.isFull = cost - largest > Self.maxCost || events.count - bare > Self.maxCount / 2
        let canWait = event.isDroppable && events.count < Self.callCount && cost < Self.callCost
        switch recorder {
        case .awake where canWait, .called: break
        case .awake, .asleep:
            recorder = .called
            result.callsRecorder = true
        }
        return result
    }

    /// Removes the states from the older half of the events that have any.
    private mutating func strip() {
        let end = bare + (events.count - bare + 1) / 2
        for index in bare..<end {
            guard let stripped = events[index].bare() else { continue }
            cost -= events[index].cost
            garbage.append(events[index])
            events[index] = stripped
        }
        bare = end
        largest = events.reduce(0) { max($0, $1.cost) }
    }

    private mutating func dropHalf() {
        let half = events.prefix(events.count / 2)
        let (gone, kept) = (half.filter(\.isDroppable), half.filter { !$0.isDroppable })
        events.replaceSubrange(..<half.count, with: kept)
        cost -= gone.reduce(0) { $0 + $1.cost }
        largest = events.reduce(0) { max($0, $1.cost) }
        weight -= gone.reduce(0) { $0 + Self.baseWeight + $1.weight }
        bare = max(kept.count, bare - gone.count)
        dropped += gone.count
        garbage += gone
    }

    /// Takes all events; nil if there are none.
    mutating func take() -> (dropped: Int, events: [PendingEvent])? {
        guard !events.isEmpty else { return nil }
        defer {
            events = []
            cost = 0
            largest = 0
            weight = 0
            bare = 0
            dropped = 0
            looks = 0
            recorder = .awake
        }
        return (dropped, events)
    }

    /// How long the recorder waits before it looks; nil if it is called.
    var pause: Duration? { recorder == .awake ? Self.pauses[looks] : nil }

    /// Handles that the recorder looks by itself.
    ///
    /// - Returns: Whether it goes to sleep, because it has found nothing for a while.
    mutating func look() -> Bool {
        guard events.isEmpty else { return false }
        guard looks + 1 < Self.pauses.count else {
            recorder = .asleep
            return true
        }
        looks += 1
        return false
    }

    /// Takes the dropped events. They hold the app's values, whose `deinit` must not run inside a lock.
    mutating func takeGarbage() -> [PendingEvent] {
        defer { garbage = [] }
        return garbage
    }

    /// - Returns: The events that were waiting.
    mutating func close() -> [PendingEvent] {
        defer { events = [] }
        isOpen = false
        return events
    }
}
