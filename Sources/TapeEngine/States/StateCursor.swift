package import TapeFormat

/// The state of one store at an event of the tape; moves forward line by line.
package struct StateCursor: Sendable {
    package enum Value: Sendable {
        /// The store isn't attached.
        case absent
        case state(HeldState)
        /// The store is attached, but its state is unknown, and so is the result of its patches.
        case broken
    }

    /// The minimum size of a full state that is replaced by a patch, in bytes.
    private static let minPatched = 256

    package let store: String
    /// The seq of the last line; -1 before the first.
    package private(set) var seq: Int
    package private(set) var value: Value
    /// Whether the store's last event has no state; `value` is then the state before it.
    package private(set) var isSkipped = false
    /// The maximum size of a state as JSON text without escapes, in bytes.
    package let maxState: Int
    /// The size of a state that is held as text, in bytes.
    private let largeState: Int
    /// The size of the value as text when it was last measured, in bytes.
    package private(set) var text = 0
    /// The size of the value in memory when it was last measured, in bytes.
    private var memory = 0
    /// The maximum growth of the text since then, in bytes.
    private var grown = 0

    /// Starts before an event, with an unknown state.
    package init(
        store: String, before seq: Int, isAttached: Bool, maxState: Int, largeState: Int = LargeState.compared
    ) {
        self.store = store
        self.seq = seq - 1
        (self.maxState, self.largeState) = (maxState, largeState)
        value = isAttached ? .broken : .absent
    }

    /// Starts with the state after an event.
    package init(
        store: String, after seq: Int, state: HeldState, maxState: Int, largeState: Int = LargeState.compared
    ) throws(Patch.Failure) {
        self.store = store
        self.seq = seq
        (self.maxState, self.largeState) = (maxState, largeState)
        value = .broken
        try hold(state)
    }

    /// The approximate size of the value in memory, in bytes.
    package var cost: Int {
        if case .state = value { memory + Self.memoryOfByte * grown } else { 0 }
    }

    /// The approximate maximum of memory bytes for a byte of text.
    private static let memoryOfByte = 16

    /// The state after the last line; nil if it isn't known.
    package var known: HeldState? {
        guard !isSkipped, case .state(let state) = value else { return nil }
        return state
    }

    package var isAbsent: Bool { if case .absent = value { true } else { false } }

    package func isSamePlace(as other: StateCursor) -> Bool {
        seq == other.seq && store.utf8.elementsEqual(other.store.utf8)
    }

    /// Moves to the next line of the session, which may belong to another store.
    ///
    /// - Parameter patch: The line's parsed patch, if the caller has it.
    /// - Returns: The reason if the line's patch doesn't apply to the known state.
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
                isSkipped = false
                // Only what is text already can fail.
                try? hold(.value(state))
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

    /// Moves to a line whose patch is marked as broken, without applying it.
    package mutating func skip(_ line: EventLine) -> String? {
        guard line.seq > seq else { return nil }
        (seq, value, isSkipped) = (line.seq, .broken, false)
        return nil
    }

    /// The line with a patch instead of its full state. Nil if the state before is unknown or held as text, if the patch
    /// has at least half the state's size, or if the patched state's text would differ, even in the notation of a number.
    package func patching(_ line: EventLine) -> EventLine? {
        guard line.kind == .action || line.kind == .replace, case .state(.value(let before)) = value,
            let size = line.size("state"), size > Self.minPatched, let after = line["state"]
        else { return nil }
        let patch = Patch.between(before, after)
        let json = patch.json
        // A patch nests deeper than the state itself.
        guard json.bytes.count < size / 2, json.fits(inside: 1),
            let made = try? patch.applied(to: before, maxSize: maxState),
            made.hasSameText(as: after)
        else { return nil }
        return line.replacing("state", by: "patch", json)
    }

    private mutating func hold(_ state: consuming HeldState) throws(Patch.Failure) {
        (text, memory) = try state.measure(large: largeState)
        grown = 0
        value = .state(state)
    }

    private mutating func apply(_ patch: JSON, bytes: Int) -> String? {
        guard case .state(var state) = value else {
            value = .broken
            return nil
        }
        // `value` gives up its reference, so that the patch changes the state in place.
        value = .broken
        do {
            let patch = try Patch(patch)
            try state.apply(patch, bytes: bytes, maxSize: maxState)
            // Commas may at most double the size of the text.
            grown += 2 * bytes
            // A patch's size doesn't tell how much it replaces or copies: measure again if the state may have doubled.
            if patch.hasCopies || text + grown > maxState || Self.memoryOfByte * grown > memory + 1 << 20 {
                try hold(state)
                guard text <= maxState else {
                    value = .broken
                    return Patch.Failure.tooLarge(maxState)
                }
            } else {
                value = .state(state)
            }
            return nil
        } catch {
            return "\(error)"
        }
    }
}
