package import TapeFormat

/// The state of one store at a place of the tape, carried forward line by line.
package struct StateCursor: Sendable {
    package enum Value: Sendable {
        /// The store isn't attached.
        case absent
        case state(JSON)
        /// Attached, but its patches are relative to a state that isn't held.
        case broken
    }

    /// Bytes of a full state that is worth a patch.
    private static let minPatched = 256

    package let store: String
    /// The line that was taken last; -1 before the first.
    package private(set) var seq: Int
    package private(set) var value: Value
    /// The last line of the store carried no state: `value` is the one before it.
    package private(set) var isSkipped = false
    /// Bytes that a state may have as JSON text, without escapes.
    package let maxState: Int
    /// What the value took when it was measured last, as text and in memory.
    package private(set) var text = 0
    private var memory = 0
    /// By so many bytes the text has grown since, at most.
    private var grown = 0

    /// Begins before a later line, with a state that isn't known.
    package init(store: String, before seq: Int, isAttached: Bool, maxState: Int) {
        self.store = store
        self.seq = seq - 1
        self.maxState = maxState
        value = isAttached ? .broken : .absent
    }

    /// Begins with the state after an event.
    package init(store: String, after seq: Int, state: JSON, maxState: Int) {
        self.store = store
        self.seq = seq
        self.maxState = maxState
        value = .state(state)
        measure(state)
    }

    /// About the bytes that the value takes in memory.
    package var cost: Int {
        if case .state = value { memory + Self.memoryOfByte * grown } else { 0 }
    }

    /// About the memory that a byte of text takes at most.
    private static let memoryOfByte = 16

    /// The state after the line that was taken last; nil where it isn't known.
    package var known: JSON? {
        guard !isSkipped, case .state(let state) = value else { return nil }
        return state
    }

    package var isAbsent: Bool { if case .absent = value { true } else { false } }

    package func isSamePlace(as other: StateCursor) -> Bool {
        seq == other.seq && store.utf8.elementsEqual(other.store.utf8)
    }

    /// Takes the next line of the session, whatever store it is of.
    ///
    /// - Parameter patch: The line's own, parsed, where it is at hand.
    /// - Returns: What keeps the line's patch from applying to a known state; nil if there is nothing.
    package mutating func take(_ line: EventLine, _ patch: JSON? = nil) -> String? {
        guard line.seq > seq else { return nil }
        seq = line.seq
        if line.kind == .gap {
            isSkipped = false
            if case .state = value { value = .broken }
            return nil
        }
        guard line.store.utf8.elementsEqual(store.utf8) else { return nil }
        switch line.kind {
        case .detach:
            value = .absent
            isSkipped = false
        case .note, .end: break
        default:
            if let state = line["state"] {
                value = .state(state)
                isSkipped = false
                measure(state)
            } else if let patch = patch ?? line["patch"] {
                isSkipped = false
                return apply(patch, bytes: line.size("patch") ?? 0)
            } else if line.kind == .action || line.kind == .replace {
                if case .absent = value { value = .broken }
                isSkipped = true
            }
        }
        return nil
    }

    /// Takes a line whose patch is known to be broken.
    package mutating func skip(_ line: EventLine) -> String? {
        guard line.seq > seq else { return nil }
        (seq, value, isSkipped) = (line.seq, .broken, false)
        return nil
    }

    /// The line with a patch in place of its full state: where the state before is known, the patch is less than half
    /// as long, and what it makes is the same to the letter of each number.
    package func patching(_ line: EventLine) -> EventLine? {
        guard line.kind == .action || line.kind == .replace, case .state(let before) = value,
            let size = line.size("state"), size > Self.minPatched, let after = line["state"]
        else { return nil }
        let patch = Patch.between(before, after)
        let json = patch.json
        // As a line it has more levels than the state.
        guard json.bytes.count < size / 2, json.fits(inside: 1),
            let made = try? patch.applied(to: before, maxSize: maxState),
            made.hasSameText(as: after)
        else { return nil }
        return line.replacing("state", by: "patch", json)
    }

    private mutating func measure(_ state: JSON) {
        // What was read is no deeper than a line.
        guard let footprint = try? JSON.Footprint(state) else { return }
        (text, memory, grown) = (footprint.text, footprint.memory, 0)
    }

    private mutating func apply(_ patch: JSON, bytes: Int) -> String? {
        guard case .state(let state) = value else {
            value = .broken
            return nil
        }
        // Given away, so that what the patch touches is changed in place.
        value = .broken
        do {
            let patch = try Patch(patch)
            let next = try patch.applied(to: consume state, maxSize: maxState)
            // With a comma after each value a text is at most twice as long.
            grown += 2 * bytes
            // What patches replace and copy is not known from their size: measure anew where it may have doubled.
            if patch.hasCopies || text + grown > maxState || Self.memoryOfByte * grown > memory + 1 << 20 {
                measure(next)
                guard text <= maxState else { return Patch.Failure.tooLarge(maxState) }
            }
            value = .state(next)
            return nil
        } catch {
            return "\(error)"
        }
    }
}
