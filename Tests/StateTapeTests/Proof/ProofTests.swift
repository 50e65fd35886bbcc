import Foundation
import Testing

@testable import StateTape

@Suite("The proof of the capture")
struct ProofTests {
    /// The first chain's seed. A failure names its own: with it the failing chain is the first.
    ///
    /// The order of sets differs between processes all the same, unless `SWIFT_DETERMINISTIC_HASHING` is set.
    private let seed =
        ProcessInfo.processInfo.environment["STATETAPE_SEED"].flatMap(UInt64.init)
        ?? UInt64(Date().timeIntervalSince1970 * 1_000)
    private let cases = ProcessInfo.processInfo.environment["STATETAPE_CASES"].flatMap(Int.init) ?? 10_000

    @Test("Over random types, states and edits each patched JSON equals the encoder's")
    func property() {
        print("proof: STATETAPE_SEED=\(seed) STATETAPE_CASES=\(cases)")
        var proof = Proof(of: WholeEncoding())
        proof.run(seed: seed, cases: cases)
        let operations = proof.operations.sorted { $0.key < $1.key }.map { "\($0.value) \($0.key)" }
        print(
            """
            proof: \(proof.cases) cases, \(proof.types) types (\(proof.holders) hold classes), \
            \(proof.empty) empty patches, operations: \(operations.joined(separator: ", "))
            """)
        for failure in proof.failures { Issue.record("\(failure)") }
    }
}
