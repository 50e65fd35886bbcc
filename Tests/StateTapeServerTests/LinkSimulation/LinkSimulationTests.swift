import Foundation
import Testing

@Suite("A simulated network") struct LinkSimulationTests {
    @Test("Whatever fails, each event arrives once and in order, or a gap says why not")
    func property() {
        let environment = ProcessInfo.processInfo.environment
        let first = environment["STATETAPE_SEED"].flatMap(UInt64.init) ?? 1
        let count = environment["STATETAPE_CASES"].flatMap(UInt64.init) ?? 100
        let isTraced = environment["STATETAPE_TRACE"] != nil
        for seed in first..<(first + count) {
            let simulation = LinkSimulation(seed: seed, isTraced: isTraced)
            simulation.run()
            for fault in simulation.faults().prefix(5) { Issue.record("STATETAPE_SEED=\(seed): \(fault)") }
        }
    }
}
