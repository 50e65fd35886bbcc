import TapeFormat

/// The events that the server has not acknowledged yet, in order and without holes, bounded in memory.
///
/// They stand in segments, as on the disk: at the bound the oldest segment becomes one gap.
struct Outbox: Sendable {
    /// How much is held before the oldest events give way.
    struct Bounds: Sendable {
        var count = 100_000
        var bytes = 64 << 20
    }

    /// Why a gap stands for events.
    enum Loss: String {
        /// The outbox was full.
        case memory
        /// They came faster than they could be encoded.
        case capture
        /// The server had acknowledged them and has lost them.
        case serverLost = "server-lost"
        /// The server would not take them.
        case refused
        /// They could not be read back from the disk.
        case damaged
    }

    /// What taking an event has led to.
    struct Change: Sendable {
        /// The next event begins a segment.
        var isSegmentEnded = false
        /// A gap stands for the oldest events now.
        var hasGap = false
    }

    /// A segment is so much of the bounds.
    private static let segments = 8

    private let bounds: Bounds
    /// Those before `head` are gone already; they are cut off in large pieces.
    private var lines: [EventLine] = []
    private var head = 0
    private(set) var bytes = 0
    /// The seq of the next event.
    private(set) var next = 0
    /// The last events of the segments that have ended, and what came after.
    private var ends: [Int] = []
    private var open = (count: 0, bytes: 0)

    init(bounds: Bounds = Bounds()) {
        self.bounds = bounds
    }

    var count: Int { lines.count - head }
    var isEmpty: Bool { count == 0 }
    /// The lowest seq held, or the next to assign.
    var first: Int { isEmpty ? next : lines[head].first }

    /// Takes the next event; if there is no more room, the oldest segments become one gap.
    @discardableResult
    mutating func append(_ line: EventLine) -> Change {
        lines.append(line)
        bytes += line.bytes.count
        next = line.seq + 1
        var change = Change()
        open = (open.count + 1, open.bytes + line.bytes.count)
        if open.count >= bounds.count / Self.segments || open.bytes >= bounds.bytes / Self.segments {
            open = (0, 0)
            ends.append(line.seq)
            change.isSegmentEnded = true
        }
        // The segment that came last always stays.
        while count > bounds.count || bytes > bounds.bytes, let end = ends.first, end < line.seq {
            ends.removeFirst()
            if replaceByGap(through: end) { change.hasGap = true }
        }
        return change
    }

    /// Puts one gap in the place of everything held up to an event.
    private mutating func replaceByGap(through end: Int) -> Bool {
        guard first <= end, let last = index(of: end) else { return false }
        let gap = Self.gap(from: first, through: lines[last].seq, at: lines[last].at.double, .memory)
        bytes += gap.bytes.count - lines[head...last].reduce(0) { $0 + $1.bytes.count }
        head = last
        lines[head] = gap
        cut()
        return true
    }

    /// Lets go of everything below `seq`; of a gap that reaches over it the rest stays.
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

    /// The line that covers `seq`; nil if it is not held.
    func line(at seq: Int) -> EventLine? {
        index(of: seq).map { lines[$0] }
    }

    /// The longest of these events, the first of several; nil if none is held. Gaps are none.
    func longest(in seqs: Range<Int>) -> EventLine? {
        var longest: EventLine?
        for line in lines[head...] where seqs.contains(line.seq) && line.kind != .gap {
            if line.bytes.count > longest?.bytes.count ?? 0 { longest = line }
        }
        return longest
    }

    /// Puts a gap in the place of the line that covers `seq`.
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

    /// Puts gaps in the places of all lines that a message can't hold.
    mutating func replaceByGaps(longerThan limit: Int) {
        for line in lines[head...] where line.bytes.count > limit { replaceByGap(at: line.seq, .refused) }
    }

    /// Puts a gap before everything held, for events from `seq` on that the server has lost.
    ///
    /// - Parameter now: The gap's time if nothing is held that it comes before.
    mutating func prependGap(from seq: Int, at now: Double) {
        guard seq < first else { return }
        let at = isEmpty ? now : lines[head].at.double
        let gap = Self.gap(from: seq, through: first - 1, at: at, .serverLost)
        lines.insert(gap, at: head)
        bytes += gap.bytes.count
    }

    /// Holds nothing, and goes on with an event of a higher number.
    mutating func skip(to seq: Int) {
        acknowledge(below: seq)
        next = max(next, seq)
    }

    /// Forgets everything, numbers included.
    mutating func clear() {
        self = Outbox(bounds: bounds)
    }

    static func gap(from first: Int, through last: Int, at milliseconds: Double, _ loss: Loss) -> EventLine {
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
