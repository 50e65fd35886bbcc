import Foundation
import Testing

@testable import StateCapture
@testable import StateTape

@Suite("The proof of the capture")
struct ProofTests {
    /// The first chain's seed: constant, unless `STATETAPE_SEED` sets another. A failure names its seed; with it, the
    /// failing chain is the first.
    ///
    /// The order of sets still differs between processes, unless `SWIFT_DETERMINISTIC_HASHING` is set.
    private let seed: UInt64
    private let cases: Int
    /// Whether to print each chain before it runs: a crash prints nothing afterwards.
    private let isTraced: Bool

    init() {
        let environment = ProcessInfo.processInfo.environment
        seed = environment["STATETAPE_SEED"].flatMap(UInt64.init) ?? 1
        cases = environment["STATETAPE_CASES"].flatMap(Int.init) ?? 10_000
        isTraced = environment["STATETAPE_TRACE"] != nil
    }

    @Test("For random types, states and edits, each patched JSON equals the encoder's")
    func property() {
        say("proof: STATETAPE_SEED=\(seed) STATETAPE_CASES=\(cases)")
        let layouts = Layouts()
        var proof = Proof(of: { Capture(layouts: layouts, slice: $0) }) {
            if isTraced { say("STATETAPE_SEED=\($0) \($1)") }
        }
        proof.run(seed: seed, cases: cases)
        say("proof: \(proof)")
        #expect(proof.needless <= 10 + proof.cases / 20)
        #expect(proof.unordered <= 10 + proof.cases / 100)
        for failure in proof.failures.prefix(3) { Issue.record("\(failure)") }
    }

    @Test("For random elements and edits, each state with the recorder's own arrays equals the app's")
    func ownArrays() {
        var proof = ArrayProof()
        proof.run(seed: seed, cases: cases / 4)
        say("proof, own arrays: \(proof.cases) states, \(proof.owned) arrays")
        if let failure = proof.failure { Issue.record("\(failure)") }
        #expect(proof.owned > proof.cases)
    }

    @Test("For random states that can't always be encoded, what is recorded is the state with its markers")
    func failing() {
        var proof = FailingProof()
        proof.run(seed: seed, cases: cases)
        say(
            "proof, failing: \(proof.cases) states, \(proof.marked) with markers, \(proof.refused) refused, \(proof.plain) plain"
        )
        for failure in proof.failures.prefix(3) { Issue.record("\(failure)") }
        #expect(min(proof.marked, proof.refused, proof.plain) > proof.cases / 50)
    }

    @Test("The proof finds a comparison with the recorder's own arrays that ignores a field")
    func forgottenInArrays() {
        var proof = ArrayProof(Layouts { "\($0)".hasPrefix("Pair<UInt8") && $1 == 0 })
        proof.run(seed: seed, cases: cases)
        #expect(proof.failure != nil)
    }

    /// Names of the types' members that are not texts of dictionary keys.
    private static let secrets = Redaction.none.adding(
        "value", "number", "flag", "row", "last", "count", "front", "place", "right")

    private static let someMembers = Redaction.none.adding { $0.joined().utf8.reduce(0) { $0 + Int($1) } % 5 == 0 }

    @Test(
        "With secret members, each patch leads to the state redacted as a whole, and reveals none",
        arguments: [
            secrets, someMembers,
            secrets.adding { $0.count > 1 && $0.last == "*" },
        ])
    func redacted(redaction: Redaction) {
        let (layouts, redactor) = (Layouts(), Redactor(redaction))
        var proof = Proof(of: { Capture(layouts: layouts, slice: $0, redactor) }, redactor: redactor)
        proof.run(seed: seed, cases: cases / 6)
        say("proof, redacted: \(proof)")
        for failure in proof.failures.prefix(3) { Issue.record("\(failure)") }
    }

    @Test("A value that changes from members to elements keeps no redaction of theirs", arguments: [20_261_788])
    func container(seed: UInt64) {
        let (layouts, redactor) = (Layouts(), Redactor(Self.someMembers))
        var proof = Proof(of: { Capture(layouts: layouts, slice: $0, redactor) }, redactor: redactor)
        proof.run(seed: seed, cases: 10)
        for failure in proof.failures { Issue.record("\(failure)") }
    }

    @Test("With names as values, each patch leads to the state redacted as a whole, and reveals no secret")
    func names() {
        let layouts = Layouts()
        var proof = Proof(
            of: { Capture(layouts: layouts, slice: $0, .standard) }, redactor: .standard, sayingNames: true)
        proof.run(seed: seed, cases: cases / 2)
        say("proof, names as values: \(proof)")
        for failure in proof.failures.prefix(3) { Issue.record("\(failure)") }
    }

    @Test(
        "The proof finds a comparison that ignores a field",
        arguments: [("Pair<", 1), ("Padded<", 2), ("Item<", 1), ("Sparse<", 3), ("Cell", 0), ("(", 2)])
    func forgotten(type: String, field: Int) throws {
        let layouts = Layouts { "\($0)".hasPrefix(type) && $1 == field }
        var proof = Proof(of: { Capture(layouts: layouts, slice: $0) })
        proof.run(seed: seed, cases: 10_000, failures: 1)
        let failure = try #require(proof.failures.first)
        #expect(failure.isMismatch)
        var unbroken = Proof(of: { Capture(layouts: Layouts(), slice: $0) })
        unbroken.run(seed: failure.seed, cases: 1)
        #expect(unbroken.failures.isEmpty)
        say("proof: \(type) \(field) is missed after \(proof.cases) cases, in \(failure.type)")
    }

    @Test("Types that can change in place are distinguished from values at any depth")
    func holders() {
        let layouts = Layouts()
        let holders: [Any.Type] = [
            CopyOnWrite<Int>.self, Existential<Int>.self, Callback<Int>.self, WeakReference.self,
            Pair<Int, WeakReference>.self, [CopyOnWrite<Int>].self, [String: Existential<Int>?].self,
            Either<Int, Callback<Int>>.self, Tree<CopyOnWrite<Int>>.self, Linked<Maybe<WeakReference>>.self,
        ]
        for type in holders { #expect(!layouts.isValue(type), "\(type)") }
        let values: [Any.Type] = [
            Document.self, Linked<Tree<URL>>.self, [Name: Set<Data?>].self, Tagged<CopyOnWrite<Int>, Int>.self,
            Renamed<Locale, Wrapped<Decimal>>.self, Versioned<DateComponents>.self, Tuple<Calendar, IndexSet>.self,
        ]
        for type in values { #expect(layouts.isValue(type), "\(type)") }
    }

    /// Prints at once: a crash loses the text that `print` buffers.
    private func say(_ line: String) {
        FileHandle.standardError.write(Data((line + "\n").utf8))
    }
}
