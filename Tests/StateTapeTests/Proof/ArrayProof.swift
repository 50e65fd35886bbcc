import TapeFormat

@testable import StateCapture
@testable import StateTape

/// Edits states with arrays of random elements while the recorder is some states behind. It compares each state that
/// the recorder has with the app's.
struct ArrayProof {
    /// A state that waits for the recorder's thread.
    private struct Waiting<State> {
        var state: State
        /// Nil if the whole state is shared.
        let look: StateArrays.Look?
        let expected: JSON
    }

    private let layouts: Layouts
    /// The states that the recorder has compared.
    private(set) var cases = 0
    /// The arrays that were left out of them.
    private(set) var owned = 0
    private(set) var failure: String?
    private let encoder = TreeEncoder()

    init(_ layouts: Layouts = Layouts()) {
        self.layouts = layouts
    }

    mutating func run(seed: UInt64, cases limit: Int) {
        var seed = seed
        while cases < limit, failure == nil {
            var random = Seeded(seed)
            let type = RandomType.make(&random)
            if layouts.isValue(type) { follow(type, seed: seed, &random) }
            seed &+= 1
        }
    }

    private mutating func follow<Value: Arbitrary>(_: Value.Type, seed: UInt64, _ random: inout Seeded) {
        do {
            try check(Rows<Value>.self, &random)
        } catch {
            failure = "with STATETAPE_SEED=\(seed), \(Value.self): \(error)"
        }
    }

    private mutating func check<State: Arbitrary>(_: State.Type, _ random: inout Seeded) throws {
        guard let arrays = StateArrays(in: State.self, layouts, .always) else { return }
        let differ = Differ(layouts: layouts, .none)
        var (state, base, kept) = (State.random(&random, size: 6), State?.none, JSON.null)
        var waiting: [Waiting<State>] = []
        // Old states that the app keeps, now and then.
        var history: [State] = []
        for _ in 0..<20 {
            for _ in 0..<random.below(4) { state.edit(&random) }
            if random.once(in: 12) { state.rebuild() }
            if random.once(in: 8) { history.append(state) }
            let expected = try State.normalised(encoder.tree(of: state))
            var sample = Waiting(
                state: state,
                look: random.once(in: 10)
                    ? nil : withUnsafePointer(to: state) { arrays.look(at: UnsafeRawPointer($0)) },
                expected: expected)
            if let look = sample.look {
                owned += look.own.nonzeroBitCount
                arrays.clear(look, in: &sample.state)
            }
            waiting.append(sample)
            guard random.once(in: 3) else { continue }
            for var sample in waiting where !random.once(in: 5) {
                if let look = sample.look { arrays.fill(look, in: &sample.state) }
                differ.ends = sample.look == nil ? [] : arrays.ends
                try check(sample, differ, base, &kept)
                base = sample.state
            }
            waiting = []
        }
    }

    private mutating func check<State: Arbitrary>(
        _ sample: Waiting<State>, _ differ: Differ, _ base: State?, _ kept: inout JSON
    ) throws {
        cases += 1
        let found = try State.normalised(encoder.tree(of: sample.state))
        guard found == sample.expected else { throw Mismatch(what: "the state", expected: sample.expected, got: found) }
        let whole = try JSON(parsing: differ.text(of: sample.state))
        if let base {
            let patch = ByteBuffer()
            try differ.difference(from: base, to: sample.state, to: patch)
            try Patch(JSON(parsing: patch.bytes)).apply(to: &kept)
            guard kept == whole else { throw Mismatch(what: "the patched state", expected: whole, got: kept) }
        }
        kept = whole
    }
}

/// A state with arrays at several places.
private struct Rows<A: Arbitrary>: Composite {
    private var flag: Bool
    private var rows: [A]
    private var pair: Pair<A, [Pair<UInt8, A>]>
    private var names: [String]
    private var choices: [A?]

    static func random(_ random: inout Seeded, size: Int) -> Self {
        Self(
            flag: .random(&random, size: 0), rows: .random(&random, size: size), pair: .random(&random, size: size),
            names: .random(&random, size: size), choices: .random(&random, size: size))
    }

    mutating func visit(_ visitor: inout PartVisitor) {
        visitor.part(&flag)
        visitor.part(&rows)
        visitor.part(&pair)
        visitor.part(&names)
        visitor.part(&choices)
    }

    static func normalised(_ json: JSON) -> JSON {
        json.members([
            "rows": { $0.everyElement(A.normalised) },
            "choices": { $0.everyElement { $0.isNull ? $0 : A.normalised($0) } },
            "pair": {
                $0.members(["a": A.normalised, "b": { $0.everyElement { $0.members(["b": A.normalised]) } }])
            },
        ])
    }
}
