/// An array as of each recorded state, on the recorder's thread.
///
/// Two arrays take turns: the writer keeps the previous state's array while the other one becomes the next state's. If
/// other code still holds an array, Swift copies it before the change, which costs only time.
struct ArrayFollower<Element> {
    private(set) var array: [Element] = []
    /// The ends that the array shares with the previous one; nil if it is the same, or if nothing is known.
    private(set) var ends: ArrayEnds?
    private var other: [Element] = []
    /// The changes that lead from the other array to this one.
    private var lead: [ArrayChange<Element>] = []
    private var entries: [ArrayLog.Entry] = []
    /// How many of the entries are applied.
    private var start = 0
    private var applied = 0
    private let log: ArrayLog

    init(_ log: ArrayLog) {
        self.log = log
    }

    /// Applies the changes up to a state.
    mutating func follow(to position: Int) {
        ends = nil
        entries += log.take(applied: applied)
        applied = 0
        var changes: [ArrayChange<Element>] = []
        while start < entries.count, entries[start].position <= position {
            if let step = entries[start] as? ArrayStep<Element> { changes.append(step.change) }
            applied += entries[start].bytes
            start += 1
        }
        guard !changes.isEmpty else { return }
        if 2 * start >= entries.count {
            entries.removeFirst(start)
            start = 0
        }
        if let last = changes.lastIndex(where: { $0.isWhole }) {
            changes[last].apply(to: &array)
            (other, lead) = (array, [])
            changes.removeFirst(last + 1)
        }
        guard !changes.isEmpty else { return }
        step(changes)
    }

    private mutating func step(_ changes: [ArrayChange<Element>]) {
        for change in lead { change.apply(to: &other) }
        var (first, last) = (other.count, other.count)
        for change in changes {
            let kept = change.kept(of: other.count)
            (first, last) = (min(first, kept.first), min(last, kept.last))
            change.apply(to: &other)
        }
        swap(&array, &other)
        lead = changes
        ends = array.withUnsafeBufferPointer { new in
            other.withUnsafeBufferPointer { old in
                guard let left = old.baseAddress, let right = new.baseAddress else { return nil }
                let shorter = min(old.count, new.count)
                return ArrayEnds(
                    old: left, oldCount: old.count, new: right, newCount: new.count, first: min(first, shorter),
                    last: min(last, shorter - min(first, shorter)))
            }
        }
    }
}

extension ArrayChange {
    fileprivate var isWhole: Bool {
        switch self {
        case .begin, .end: true
        case .set, .splice: false
        }
    }
}
