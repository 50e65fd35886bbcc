package import TapeFormat

/// Finds the first difference between two tapes.
///
/// Compares each store's events with the same store's in the other tape, in their order; the order between stores may
/// differ. Actions count, and the states after events. Times, durations, call sites, causes, notes and the end don't.
/// A state that one of both doesn't have is not compared, and counted.
package struct TapeDifference {
    package enum Kind: String {
        /// Another action.
        case action
        /// Another state after the same action.
        case state
        /// An event of another kind.
        case kind
        /// One tape has no further event of the store.
        case ended
        /// One tape lost events there: what follows can't be matched.
        case gap
        /// The other tape has the event, if at all, far away.
        case order
    }

    /// The event of each tape that has no equal; nil where there is none.
    package struct First {
        package let kind: Kind
        package let left: EventLine?
        package let right: EventLine?
    }

    private enum Side { case left, right }

    /// Why a side isn't read on: until the other side comes as far.
    private enum Hold {
        case end
        case gap(EventLine)

        var line: EventLine? { if case .gap(let line) = self { line } else { nil } }
    }

    /// Events that wait for their equal, and the bytes of their lines.
    private static let maxWaiting = 1_024
    private static let maxWaitingBytes = 64 << 20

    private let states: States
    private var left: EventSequence
    private var right: EventSequence
    private var leftHold: Hold?
    private var rightHold: Hold?
    private var waiting: [UTF8Text: (side: Side, lines: ArraySlice<EventLine>)] = [:]
    private var waitingCount = 0
    private var waitingBytes = 0
    /// The stores whose last states are known to be equal.
    private var inStep: Set<UTF8Text> = []
    /// Pairs of events that were compared, and those of them whose states could not be.
    package private(set) var compared = 0
    package private(set) var unknown = 0

    package init(_ left: any TapeSource, _ right: any TapeSource, _ states: States) {
        self.states = states
        self.left = EventSequence(left)
        self.right = EventSequence(right)
    }

    /// Compares up to the first difference or the end of both.
    ///
    /// - Parameter check: Called now and then with the number of pairs compared; ends it by throwing.
    /// - Returns: Nil if both are the same.
    package mutating func run(_ check: (Int) throws -> Void = { _ in }) throws -> First? {
        var steps = 0
        while true {
            steps += 1
            if steps % 64 == 0 { try check(compared) }
            if waitingCount == 0, leftHold == nil, rightHold == nil, try passEqual() {
                try check(compared)
                continue
            }
            if leftHold == nil, let found = try read(.left) { return found }
            if rightHold == nil, let found = try read(.right) { return found }
            switch (leftHold, rightHold) {
            case (.end, .end): return nil
            case (.gap(let left), .gap(let right)) where left.count == right.count:
                // Nothing is known of any state until the next full one.
                (leftHold, rightHold, inStep) = (nil, nil, [])
                compared += 1
            case (let left?, let right?): return First(kind: .gap, left: left.line, right: right.line)
            default: break
            }
        }
    }

    /// The patch from the state after an event of the left tape to that after one of the right; nil where one isn't known.
    func patch(from one: EventLine, to other: EventLine) throws -> Patch? {
        try states.patch(from: left.tape, after: one.seq, to: right.tape, after: other.seq, store: one.store)
    }

    /// Passes over events that are the same by the bytes that count, as nearly all are: to parse them takes ten times as
    /// long.
    ///
    /// - Returns: Whether there was any; after many it comes back to be called again.
    private mutating func passEqual() throws -> Bool {
        /// Of the pair before.
        var store: (text: ArraySlice<UInt8>?, isInStep: Bool)?
        var passed = 0
        while passed < 4_096, let one = try left.ahead(), let other = try right.ahead(),
            let twins = PatchedLine.twins(one, other)
        {
            if store == nil || store?.text != twins.store {
                store = (twins.store, twins.storeName.map { inStep.contains(UTF8Text($0)) } ?? false)
            }
            guard store?.isInStep == true else { break }
            left.pass()
            right.pass()
            passed += 1
        }
        compared += passed
        return passed > 0
    }

    private mutating func read(_ side: Side) throws -> First? {
        let line = side == .left ? try left.next() : try right.next()
        let hold: Hold? = line.map { $0.kind == .gap ? .gap($0) : nil } ?? .end
        if let hold {
            if side == .left { leftHold = hold } else { rightHold = hold }
            // What the other side has ahead finds no equal any more.
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

    /// The first event of a side that waits.
    private func first(_ side: Side) -> EventLine? {
        waiting.values.filter { $0.side == side }.compactMap(\.lines.first).min { $0.seq < $1.seq }
    }

    /// An event finds no equal, since the other side ends or has a gap.
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
        guard Self.isSame("action", left, right) else { return difference(.action) }
        return try isSameState(left, right) ? nil : difference(.state)
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
            inStep.insert(store)
            return Self.isSame("state", left, right)
        case ("patch"?, "patch"?) where inStep.contains(store) && Self.isSame("patch", left, right): return true
        default: break
        }
        let values = (
            try states.cursor(self.left.tape, left.store, at: left.seq).value,
            try states.cursor(self.right.tape, left.store, at: right.seq).value
        )
        guard case (.state(let one), .state(let other)) = values else {
            unknown += 1
            inStep.remove(store)
            return true
        }
        inStep.insert(store)
        return one == other
    }

    /// Whether a member says the same in both: byte by byte most of the time.
    private static func isSame(_ member: String, _ left: EventLine, _ right: EventLine) -> Bool {
        let (one, other) = (left.raw(member), right.raw(member))
        return one == other || one != nil && other != nil && left[member] == right[member]
    }
}

extension EventLine {
    /// The member that tells the state after the event.
    fileprivate var outcome: String? { raw("patch") != nil ? "patch" : raw("state") != nil ? "state" : nil }
}
