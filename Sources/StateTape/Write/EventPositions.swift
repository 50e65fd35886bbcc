import DispatchContext

/// The positions of written events on the tape, for the actions that they cause later.
///
/// Only the recorder's thread uses it. It takes 4 bytes per event.
struct EventPositions {
    /// The most events of one source that are known, the latest ones: what an action started a million actions ago has
    /// no cause.
    static let limit = 1 << 20

    private var sources: [Int: Positions] = [:]

    /// Nil if the event belongs to another session, or is not written yet, or never will be.
    subscript(id: EventID) -> Int? {
        guard let source = sources[id.source] else { return nil }
        let index = id.number - source.first
        guard source.seqs.indices.contains(index), source.seqs[index] >= 0 else { return nil }
        return Int(source.seqs[index])
    }

    /// Notes that an event was written.
    mutating func set(_ seq: Int, of id: EventID) {
        guard let seq = Int32(exactly: seq) else { return }
        sources[id.source, default: Positions()].set(seq, of: id.number)
    }
}

/// The positions of the events of one source.
private struct Positions {
    /// The number of the first event in `seqs`.
    var first = 0
    /// By number; a negative one for an event that isn't written.
    var seqs: [Int32] = []

    mutating func set(_ seq: Int32, of number: Int) {
        let index = number - first
        guard index >= 0 else { return }
        if index >= 2 * EventPositions.limit {
            // No event was written for long, since recording was paused.
            (first, seqs) = (number, [seq])
        } else if index < seqs.count {
            // Middleware has dispatched an action before this one reached the track.
            seqs[index] = seq
        } else {
            while seqs.count < index { seqs.append(-1) }
            seqs.append(seq)
            guard seqs.count >= 2 * EventPositions.limit else { return }
            first += EventPositions.limit
            seqs.removeFirst(EventPositions.limit)
        }
    }
}
