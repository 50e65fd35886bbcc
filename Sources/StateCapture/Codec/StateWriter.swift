package import TapeFormat

/// Turns each state into the changes since the previous one.
package struct StateWriter<State> {
    /// A state's form on the tape, as JSON text.
    package enum Written {
        case full([UInt8])
        case patch([UInt8])

        package var member: (String, EventLine.Content) {
            switch self {
            case .full(let text): ("state", .text(text))
            case .patch(let text): ("patch", .text(text))
            }
        }
    }

    /// The last state that was written, and the base of the next patch.
    private enum Base {
        /// A copy. The app's next change copies the storage that it touches: the price of comparing.
        case value(State)
        case tree(JSON)

        var isTree: Bool {
            if case .tree = self { true } else { false }
        }
    }

    /// The ``cost`` of a state that was not compared yet, at most.
    private static var guess: Int { 64 << 10 }
    /// A patch longer than this many bytes is compared with the full state, which may be shorter.
    private static var longPatch: Int { 4_096 }

    private let codec: StateCodec<State>
    private let slice: Slice?
    private let differ: Differ
    private let encoder: DirectEncoder
    private let buffer = ByteBuffer()
    private var base: Base?
    /// The text of `base`, if that came as text: an equal one needs no parsing.
    private var text: [UInt8]?
    /// The length in bytes of the last state that was encoded in full.
    private var size = 0
    /// About how many bytes a pending state keeps in memory beyond the previous state: the recent maximum.
    package private(set) var cost = 0
    /// The next state is written in full although its base is known: it begins a segment.
    package var isFullDue = false
    /// Before then, a due full state isn't tried again: it was too long.
    private var nextWhole: ContinuousClock.Instant?

    /// The state that a reader of the tape has by now; nil unless every patch is checked.
    private var check: PatchCheck?

    /// - Parameter isVerifying: Compares every patch's result with the state encoded in full.
    package init(
        _ codec: StateCodec<State>, _ slice: Slice?, _ layouts: Layouts, _ redactor: Redactor = .standard,
        isVerifying: Bool = false
    ) {
        self.codec = codec
        self.slice = slice
        differ = Differ(layouts: layouts, slice: slice, redactor)
        encoder = DirectEncoder(redactor)
        check = isVerifying ? PatchCheck() : nil
    }

    /// Drops the base: the next state is written in full.
    package mutating func forget() {
        (base, text) = (nil, nil)
        differ.forget()
    }

    /// Sets the ends that the next state's arrays share with those of the previous state.
    package func expect(_ ends: [ArrayEnds]) { differ.ends = ends }

    /// The last state that was written, if it is kept as a value.
    package var last: State? {
        if case .value(let state)? = base { state } else { nil }
    }

    /// The last state's full JSON text; nil if there is none.
    ///
    /// - Throws: Errors from encoding.
    package func whole() throws -> [UInt8]? {
        switch base {
        case .value(let state): try codec.text(of: state, slice, encoder)
        case .tree(let tree): tree.bytes
        case nil: nil
        }
    }

    /// The values of the last states that were written as markers.
    package func takeUnencodable() -> Set<Unencodable> { encoder.takeUnencodable() }

    /// Writes a state if `isAccepted` returns true for its form; otherwise the base stays.
    ///
    /// - Parameters:
    ///   - full: Writes the full state even where a patch would do.
    ///   - insists: Tries a due full state even if one was too long just now.
    ///   - isAccepted: Gets whether a patch would do as well.
    /// - Throws: Errors from encoding, and ``PatchCheck/Failure``; the base stays.
    package mutating func write(
        _ state: Snapshot<State>, full: Bool = false, insists: Bool = false,
        _ isAccepted: (_ written: Written, _ isOptional: Bool) -> Bool
    ) throws {
        let began = ContinuousClock.now
        if isFullDue, !full, insists || began >= nextWhole ?? began {
            let hasBase = base != nil
            if try attempt(state, full: true, { isAccepted($0, hasBase) }) {
                (isFullDue, nextWhole) = (false, nil)
                return
            }
            let now = ContinuousClock.now
            nextWhole = now + .rest(after: now - began)
            // The full state was too long, but a patch may fit.
            if base == nil { return }
        }
        _ = try attempt(state, full: full) { isAccepted($0, false) }
    }

    private mutating func attempt(
        _ state: Snapshot<State>, full: Bool, _ isAccepted: (Written) -> Bool
    ) throws -> Bool {
        switch state {
        case .value(let state):
            let (written, base) = try written(state, full: full)
            let checked = try check?.after(written, expecting: whole(of: state))
            guard isAccepted(written) else { return false }
            (self.base, text) = (base, nil)
            check = checked
        case .json(let new):
            let isSame = !full && new == text
            let tree = isSame ? nil : try JSON(parsing: new)
            let written: Written =
                if let tree { self.written(tree, new, full: full) } else { .patch(Array("[]".utf8)) }
            let checked = try check?.after(written, expecting: new)
            guard isAccepted(written) else { return false }
            if let tree { base = .tree(tree) }
            text = new
            check = checked
        case .failed(let error): throw error
        }
        return true
    }

    private mutating func written(_ state: State, full: Bool) throws -> (Written, Base) {
        if !full, case .value(let before)? = base, let patch = try patch(from: before, to: state) {
            return (patch, .value(state))
        }
        _ = encoder.takeNeedsWhole()
        let text = try whole(of: state)
        // A value may catch an error of its parts and write something else, or write its place. Its next output may
        // depend on more than its parts, so only a full encoding is reliable.
        let needsWhole = encoder.takeNeedsWhole()
        // A full state says nothing about what the next ones change, unless no patch is possible.
        cost = max(cost, full || base == nil ? min(size, Self.guess) : size)
        guard needsWhole || base?.isTree == true else { return (.full(text), .value(state)) }
        let tree = try JSON(parsing: text)
        if !full, case .value(let before)? = base { base = .tree(try JSON(parsing: whole(of: before))) }
        return (written(tree, text, full: full), needsWhole ? .tree(tree) : .value(state))
    }

    /// The changes from one value to the next, or the full next value if that is shorter; nil if only a full encoding
    /// is reliable.
    private mutating func patch(from before: State, to state: State) throws -> Written? {
        buffer.truncate(to: 0)
        _ = differ.encoder.takeNeedsWhole()
        do {
            try codec.compare(before, state, differ, buffer)
        } catch {
            return nil
        }
        guard !differ.encoder.takeNeedsWhole() else { return nil }
        cost = max(differ.touched, cost - cost / 16)
        if buffer.count > max(size, Self.longPatch) {
            let whole = try whole(of: state)
            if whole.count < buffer.count { return .full(whole) }
        }
        return .patch(buffer.array(from: 0))
    }

    private mutating func whole(of state: State) throws -> [UInt8] {
        let text = try codec.text(of: state, slice, encoder)
        size = text.count
        return text
    }

    private mutating func written(_ tree: JSON, _ text: [UInt8], full: Bool) -> Written {
        size = text.count
        cost = size
        guard !full, case .tree(let before)? = base else { return .full(text) }
        let patch = Patch.between(before, tree).json.bytes
        return patch.count > max(size, Self.longPatch) ? .full(text) : .patch(patch)
    }
}

extension Duration {
    /// How long no state is tried again after one that was too long: each try encodes all of it. So tries take at most a
    /// ninth of the recorder's time.
    package static func rest(after took: Duration) -> Duration { took * 8 }
}
