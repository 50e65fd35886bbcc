/// An array as it was at each recorded state, on the recorder's thread.
///
/// Two arrays take turns: the writer keeps the one of the state before while the other becomes that of the next. What is
/// still held is copied before it changes, as any array: being held by somebody else costs time and nothing more.
struct ArrayFollower<Element> {
    private(set) var array: [Element] = []
    /// The ends that the array has in common with the one before; nil if it is the same or nothing is known.
    private(set) var ends: ArrayEnds?
    private var other: [Element] = []
    /// What leads from the other array to this one.
    private var lead: [ArrayChange<Element>] = []
    private var entries: [ArrayLog.Entry] = []
    /// So many of them are applied.
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
