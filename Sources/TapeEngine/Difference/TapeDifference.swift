package import TapeFormat

/// Finds the first difference between two tapes.
///
/// Compares the events of each store in order; the order between stores may differ. It compares actions and the states
/// after events, and the errors that reducers threw. It ignores times, durations, call sites, causes, notes and the event `end`. A state that one tape lacks
/// is counted and not compared. With ignored paths, it compares whole states wherever two differ, which takes longer.
package struct TapeDifference {
    package enum Kind: String {
        /// The actions differ.
        case action
        /// The same action led to different states.
        case state
        /// The same action led to the same state, and the reducer threw another error, or one of them none.
        case error
        /// The events have different kinds.
        case kind
        /// One tape has no more events of the store.
        case ended
        /// One tape has a gap, so that later events can't be matched.
        case gap
        /// The other tape lacks the event, or has it far away.
        case order
    }

    /// The events that differ; nil if a tape has none there.
    package struct First {
        package let kind: Kind
        package let left: EventLine?
        package let right: EventLine?
    }

    private enum Side { case left, right }

    /// Why reading a side pauses until the other side has reached the same place.
    private enum Hold {
        case end
        case gap(EventLine)

        var line: EventLine? { if case .gap(let line) = self { line } else { nil } }
    }

    /// The maximum number of unmatched events.
    private static let maxWaiting = 1_024
    /// The maximum size of unmatched events, in bytes.
    private static let maxWaitingBytes = 64 << 20

    private let states: States
    let ignored: IgnoredPaths
    private var left: EventSequence
    private var right: EventSequence
    private var leftHold: Hold?
    private var rightHold: Hold?
    private var waiting: [UTF8Text: (side: Side, lines: ArraySlice<EventLine>)] = [:]
    private var waitingCount = 0
    private var waitingBytes = 0
    /// The stores whose last states are known to be equal.
    private var inStep: Set<UTF8Text> = []
    /// The number of compared pairs of events.
    package private(set) var compared = 0
    /// The number of pairs whose states could not be compared.
    package private(set) var unknown = 0

    /// - Parameter ignored: The values to leave out: of states, by their paths from the state's top; of payloads of
    ///   actions, by their paths from the action's top, which begin with `/payload`.
    package init(
        _ left: any TapeSource, _ right: any TapeSource, _ states: States, ignoring ignored: [PathPattern] = []
    ) {
        self.states = states
        self.ignored = IgnoredPaths(ignored)
        self.left = EventSequence(left)
        self.right = EventSequence(right)
    }

    /// Compares the tapes up to the first difference.
    ///
    /// - Parameter check: Called regularly with the number of compared pairs; throws to cancel.
    /// - Returns: Nil if the tapes are equal.
    package mutating func run(_ check: (Int) throws -> Void = { _ in }) throws -> First? {
        var steps = 0
        while true {
            steps += 1
            if steps % 64 == 0 { try check(compared) }
            if waitingCount == 0, leftHold == nil, rightHold == nil, try skipEqual() {
                try check(compared)
                continue
            }
            if leftHold == nil, let found = try read(.left) { return found }
            if rightHold == nil, let found = try read(.right) { return found }
            switch (leftHold, rightHold) {
            case (.end, .end): return nil
            case (.gap(let left), .gap(let right)) where left.count == right.count:
                // No state is known until the next full one.
                (leftHold, rightHold, inStep) = (nil, nil, [])
                compared += 1
            case (let left?, let right?): return First(kind: .gap, left: left.line, right: right.line)
            default: break
            }
        }
    }

    /// The patch from the state after an event of the left tape to the state after an event of the right one, both
    /// without ignored values; nil if a state isn't known.
    func patch(from one: EventLine, to other: EventLine) throws -> Patch? {
        guard !ignored.isEmpty else {
            return try states.patch(from: left.tape, after: one.seq, to: right.tape, after: other.seq, store: one.store)
        }
        guard case .state(let old) = try states.state(of: left.tape, store: one.store, after: one.seq),
            case .state(let new) = try states.state(of: right.tape, store: one.store, after: other.seq)
        else { return nil }
        return Patch.between(ignored.stripped(state: try old.json()), ignored.stripped(state: try new.json()))
    }

    /// Skips events whose compared bytes are equal, as most are. Parsing them takes ten times as long.
    ///
    /// - Returns: Whether it skipped any. It returns after 4,096 events, so that the caller can cancel.
    private mutating func skipEqual() throws -> Bool {
        /// The store of the pair before.
        var store: (text: ArraySlice<UInt8>?, isInStep: Bool)?
        var skipped = 0
        while skipped < 4_096, let one = try left.peek(), let other = try right.peek(),
            let match = PatchedLine.match(one, other)
        {
            if store == nil || store?.text != match.store {
                store = (match.store, match.storeName.map { inStep.contains(UTF8Text($0)) } ?? false)
            }
            guard store?.isInStep == true else { break }
            left.skip()
            right.skip()
            skipped += 1
        }
        compared += skipped
        return skipped > 0
    }

    private mutating func read(_ side: Side) throws -> First? {
        let line = side == .left ? try left.next() : try right.next()
        let hold: Hold? = line.map { $0.kind == .gap ? .gap($0) : nil } ?? .end
        if let hold {
            if side == .left { leftHold = hold } else { rightHold = hold }
            // The other side's unmatched events can't be matched any more.
            let other: Side = side == .left ? .right : .left
            return first(other).map { difference(without: $0, other) }
        }
        guard let line else { return nil }
        let store = UTF8Text(line.store)
        if let entry = waiting[store], entry.side != side, let other = entry.lines.first {
            if entry.lines.count == 1 { waiting[store] = nil } else { waiting[store]?.lines.removeFirst() }
            waitingCount -= 1
            waitingBytes -= other.bytes.count
            return side == .left ? try compare(line, other) : try compare(other, line)
        }
        waiting[store, default: (side, [])].lines.append(line)
        waitingCount += 1
        waitingBytes += line.bytes.count
        if (side == .left ? rightHold : leftHold) != nil {
            return first(side).map { difference(without: $0, side) }
        }
        guard waitingCount > Self.maxWaiting || waitingBytes > Self.maxWaitingBytes else { return nil }
        return First(kind: .order, left: first(.left), right: first(.right))
    }

    /// The first unmatched event of a side.
    private func first(_ side: Side) -> EventLine? {
        waiting.values.filter { $0.side == side }.compactMap(\.lines.first).min { $0.seq < $1.seq }
    }

    /// The difference for an event that can't be matched, because the other side ends or has a gap.
    private func difference(without line: EventLine, _ side: Side) -> First {
        let other = (side == .left ? rightHold : leftHold)?.line
        let kind: Kind = other == nil ? .ended : .gap
        return side == .left
            ? First(kind: kind, left: line, right: other) : First(kind: kind, left: other, right: line)
    }

    private mutating func compare(_ left: EventLine, _ right: EventLine) throws -> First? {
        func difference(_ kind: Kind) -> First { First(kind: kind, left: left, right: right) }
        compared += 1
        guard left.kind == right.kind else { return difference(.kind) }
        guard isSameAction(left, right) else { return difference(.action) }
        guard try isSameState(left, right) else { return difference(.state) }
        return Self.isSame("error", left, right) ? nil : difference(.error)
    }

    private mutating func isSameState(_ left: EventLine, _ right: EventLine) throws -> Bool {
        let store = UTF8Text(left.store)
        switch (left.outcome, right.outcome) {
        case (nil, nil): return true
        case (nil, _), (_, nil):
            unknown += 1
            inStep.remove(store)
            return true
        case ("state"?, "state"?):
            guard !Self.isSame("state", left, right) else {
                inStep.insert(store)
                return true
            }
            guard let one = left["state"], let other = right["state"] else { return false }
            return isSameUnlessIgnored(one, other, store)
        case ("patch"?, "patch"?) where inStep.contains(store) && Self.isSame("patch", left, right): return true
        default: break
        }
        let values = (
            try states.cursor(self.left.tape, left.store, at: left.seq).value,
            try states.cursor(self.right.tape, left.store, at: right.seq).value
        )
        guard case (.state(let left), .state(let right)) = values else {
            unknown += 1
            inStep.remove(store)
            return true
        }
        let (one, other) = (try left.json(), try right.json())
        guard one != other else {
            inStep.insert(store)
            return true
        }
        return isSameUnlessIgnored(one, other, store)
    }

    /// Whether two different states differ only in ignored values.
    private mutating func isSameUnlessIgnored(_ one: JSON, _ other: JSON, _ store: UTF8Text) -> Bool {
        // Equal patches may copy an ignored value to where it counts.
        inStep.remove(store)
        return !ignored.isEmpty && ignored.stripped(state: one) == ignored.stripped(state: other)
    }

    private func isSameAction(_ left: EventLine, _ right: EventLine) -> Bool {
        if Self.isSame("action", left, right) { return true }
        guard !ignored.isEmpty, let one = left["action"], let other = right["action"] else { return false }
        return ignored.stripped(action: one) == ignored.stripped(action: other)
    }

    /// Whether a member is equal in both lines; compares the bytes first.
    private static func isSame(_ member: String, _ left: EventLine, _ right: EventLine) -> Bool {
        let (one, other) = (left.raw(member), right.raw(member))
        return one == other || one != nil && other != nil && left[member] == right[member]
    }
}

extension EventLine {
    /// The name of the member that determines the state after the event.
    fileprivate var outcome: String? { raw("patch") != nil ? "patch" : raw("state") != nil ? "state" : nil }
}
