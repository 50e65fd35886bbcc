import SampleTapes
import TapeFormat
import Testing

@testable import TapeEngine

@Suite("A tape whose full states become patches while it is read") struct SealedMeanwhileTests {
    /// Seals itself before a call with a given number: all full states but the first become patches.
    private final class Tape: TapeSource {
        private let calls = Locked(0)
        private let sealing: Int
        let seqs = 0..<4
        let key: Int64 = 1
        let header = Sample.header()

        init(sealing: Int) { self.sealing = sealing }

        private func isSealed() -> Bool {
            calls.withLock { calls in
                calls += 1
                return calls > sealing
            }
        }

        func batch(at seq: Int) -> LineBatch? { nil }

        func lines(from seq: Int) -> ArraySlice<EventLine>? {
            guard seqs.contains(seq) else { return nil }
            if seq == 0 { return [Sample.start(0)] }
            return [isSealed() ? Sample.count(seq, to: seq) : Sample.full(seq, ["n": .number(.init(seq))])]
        }

        func base(of store: String?, upTo seq: Int) -> StateBase? {
            guard store == "main" else { return nil }
            return StateBase(seq: isSealed() ? 0 : seq, kind: .state)
        }

        func keyframe(of store: String, at seq: Int) -> HeldState? { nil }
        func nextState(of store: String, after seq: Int) -> Int? { nil }
        func stores(upTo seq: Int) -> [String] { ["main"] }
    }

    @Test("Its states are right, whenever that happens", arguments: 0...8)
    func states(_ sealing: Int) throws {
        guard case .state(let state) = try States().state(of: Tape(sealing: sealing), store: "main", after: 3) else {
            Issue.record("no state, sealed before call \(sealing)")
            return
        }
        #expect(try state.json().text == #"{"n":3}"#)
    }
}
