import TapeEngine

extension States {
    /// So many stores are looked at one by one.
    private static let maxSearched = 16

    /// The last event up to `seq` after which the state of a store is known; nil if there is none.
    func lastSeqWithState(of tape: some TapeSource, upTo seq: Int) throws -> Int? {
        guard try states(of: tape, after: seq).isEmpty else { return seq }
        return try tape.stores(upTo: seq).prefix(Self.maxSearched).compactMap { store in
            try lastSeqWithState(of: tape, store, upTo: seq)
        }.max()
    }

    private func lastSeqWithState(of tape: some TapeSource, _ store: String, upTo seq: Int) throws -> Int? {
        var last: Int? = seq
        while let seq = last, seq >= tape.seqs.lowerBound {
            switch try state(of: tape, store: store, after: seq) {
            case .state: return seq
            case .broken(let before, _), .skipped(let before, _): last = before
            // Its last state was just before it was detached.
            case .absent: last = try tape.base(of: store, upTo: seq).map { $0.seq - 1 }
            }
        }
        return nil
    }
}
