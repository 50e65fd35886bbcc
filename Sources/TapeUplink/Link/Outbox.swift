package import TapeFormat

/// The events that the server has not acknowledged yet, in order and without holes, bounded in memory.
///
/// They form segments, as on disk. At the bound, the oldest segment becomes one gap.
///
/// Each segment begins with the full state of each store, so that it can be read without the earlier ones. It ends only
/// once enough has followed these states: otherwise each event of a store with a large state would carry all of it. So
/// one segment holds as much as the bound, or more if the full states alone do: then an eighth of the bound follows them.
package struct Outbox: Sendable {
    /// How much to keep before the oldest events are dropped.
    package struct Bounds: Sendable {
        package var count = 100_000
        package var bytes = 64 << 20

        package init(count: Int = 100_000, bytes: Int = 64 << 20) {
            (self.count, self.bytes) = (count, bytes)
        }
    }

    /// The segment that the next event belongs to.
    private struct Open {
        var count = 0
        /// The bytes of each store's first full state.
        var base = 0
        /// All other bytes.
        var own = 0
        var stores: Set<String> = []

        mutating func append(_ line: EventLine) {
            count += 1
            own += line.bytes.count
            guard let state = line.size("state"), stores.insert(line.store).inserted else { return }
            base += state
            own -= state
        }

        func isWhole(_ bounds: Bounds) -> Bool {
            let share = bounds.bytes / Outbox.segments
            return count >= bounds.count / Outbox.segments || own >= max(share, min(base, bounds.bytes - base))
        }
    }

    /// Why a gap replaces events.
    package enum Loss: String {
        /// The outbox was full.
        case memory
        /// The events came faster than the recorder could encode them.
        case capture
        /// The server had acknowledged the events and lost them.
        case serverLost = "server-lost"
        /// The server refused the events.
        case refused
        /// The events could not be read back from disk.
        case damaged
        /// The events are for another archive.
        case otherArchive = "other-archive"
    }

    /// The outcome of appending an event.
    struct Change: Sendable {
        /// The next event begins a segment.
        var isSegmentEnded = false
        /// A gap has replaced the oldest events.
        var hasGap = false
    }

    /// How many segments make up the bounds.
    private static let segments = 8

    private let bounds: Bounds
    /// Those before `head` are removed already; `cut` deletes many at a time.
    private var lines: [EventLine] = []
    private var head = 0
    private(set) var bytes = 0
    /// The seq of the next event.
    package private(set) var next = 0
    /// The last events of the segments that have ended.
    private var ends: [Int] = []
    private var open = Open()

    init(bounds: Bounds = Bounds()) {
        self.bounds = bounds
    }

    var count: Int { lines.count - head }
    package var isEmpty: Bool { count == 0 }
    /// The lowest seq kept, or the next to assign.
    package var first: Int { isEmpty ? next : lines[head].first }

    /// Appends the next event. If there is no room, the oldest segments become one gap.
    @discardableResult
    mutating func append(_ line: EventLine) -> Change {
        lines.append(line)
        bytes += line.bytes.count
        next = line.seq + 1
        var change = Change()
        open.append(line)
        if open.isWhole(bounds) {
            open = Open()
            ends.append(line.seq)
            change.isSegmentEnded = true
        }
        // The newest segment always stays.
        while count > bounds.count || bytes > bounds.bytes, let end = ends.first, end < line.seq {
            ends.removeFirst()
            if replaceByGap(through: end) { change.hasGap = true }
        }
        return change
    }

    /// Replaces everything up to an event with one gap.
    private mutating func replaceByGap(through end: Int) -> Bool {
        guard first <= end, let last = index(of: end) else { return false }
        let gap = Self.gap(from: first, through: lines[last].seq, at: lines[last].at.double, .memory)
        bytes += gap.bytes.count - lines[head...last].reduce(0) { $0 + $1.bytes.count }
        head = last
        lines[head] = gap
        cut()
        return true
    }

    /// Removes everything below `seq`. A gap that extends beyond keeps its rest.
    mutating func acknowledge(below seq: Int) {
        while !isEmpty, lines[head].seq < seq {
            bytes -= lines[head].bytes.count
            head += 1
        }
        if !isEmpty, first < seq, let loss = lines[head]["reason"]?.string.flatMap(Loss.init) {
            replace(head, from: seq, loss)
        }
        let first = first
        ends.removeAll { $0 < first }
        cut()
    }

    /// All events, the oldest first.
    package var all: ArraySlice<EventLine> { lines[head...] }

    /// The line that covers `seq`; nil if the outbox doesn't have it.
    package func line(at seq: Int) -> EventLine? {
        index(of: seq).map { lines[$0] }
    }

    /// The longest of these events, the first of several; nil without one. Gaps don't count.
    func longest(in seqs: Range<Int>) -> EventLine? {
        var longest: EventLine?
        for line in lines[head...] where seqs.contains(line.seq) && line.kind != .gap {
            if line.bytes.count > longest?.bytes.count ?? 0 { longest = line }
        }
        return longest
    }

    /// Replaces the line that covers `seq` with a gap.
    mutating func replaceByGap(at seq: Int, _ loss: Loss) {
        guard let index = index(of: seq) else { return }
        replace(index, from: lines[index].first, loss)
    }

    private mutating func replace(_ index: Int, from first: Int, _ loss: Loss) {
        let line = lines[index]
        let gap = Self.gap(from: first, through: line.seq, at: line.at.double, loss)
        bytes += gap.bytes.count - line.bytes.count
        lines[index] = gap
    }

    /// Replaces all lines that are longer than a message with gaps.
    mutating func replaceByGaps(longerThan limit: Int) {
        for line in lines[head...] where line.bytes.count > limit { replaceByGap(at: line.seq, .refused) }
    }

    /// Inserts a gap before all lines, for events from `seq` on that the server has lost.
    ///
    /// - Parameter now: The gap's time if no line follows it.
    mutating func prependGap(from seq: Int, at now: Double, _ loss: Loss = .serverLost) {
        guard seq < first else { return }
        let at = isEmpty ? now : lines[head].at.double
        let gap = Self.gap(from: seq, through: first - 1, at: at, loss)
        lines.insert(gap, at: head)
        bytes += gap.bytes.count
    }

    /// Replaces all events with one gap.
    mutating func giveUp(_ loss: Loss) {
        guard !isEmpty, let last = lines.last else { return }
        let gap = Self.gap(from: first, through: last.seq, at: last.at.double, loss)
        (lines, head, bytes, ends, open) = ([gap], 0, gap.bytes.count, [], Open())
        open.append(gap)
    }

    /// Removes all events below a higher number and continues there.
    mutating func skip(to seq: Int) {
        acknowledge(below: seq)
        next = max(next, seq)
    }

    /// Removes everything and restarts the numbers.
    mutating func clear() {
        self = Outbox(bounds: bounds)
    }

    package static func gap(from first: Int, through last: Int, at milliseconds: Double, _ loss: Loss) -> EventLine {
        EventLine(
            seq: last, at: milliseconds, kind: .gap, count: last - first + 1,
            members: [("reason", .string(loss.rawValue))])
    }

    private func index(of seq: Int) -> Int? {
        var (low, high) = (head, lines.count)
        while low < high {
            let middle = (low + high) / 2
            if lines[middle].seq < seq { low = middle + 1 } else { high = middle }
        }
        return low < lines.count && lines[low].first <= seq ? low : nil
    }

    private mutating func cut() {
        guard head > 64, head > lines.count / 2 else { return }
        lines.removeFirst(head)
        head = 0
    }
}
