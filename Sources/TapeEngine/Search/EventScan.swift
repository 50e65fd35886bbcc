import TapeFormat

/// Finds the events of a tape that pass a filter.
///
/// The filter tries heads first, then the bytes of whole batches, then the bytes of lines. It parses only the lines that
/// are still undecided.
package struct EventScan {
    private let tape: any TapeSource
    private let end: Int
    private let filter: EventFilter
    private let isCancelled: @Sendable () -> Bool
    private var batch: FilteredBatch?
    /// Events whose lines can't be read; one gap covers all of them.
    private var damaged: Range<Int>?
    package var hasDamage: Bool { damaged != nil }
    /// The seq after the last scanned event.
    package private(set) var next: Int
    /// The number of events whose heads were read.
    package private(set) var looked = 0
    package var isAtEnd: Bool { next >= end }

    /// - Parameter isCancelled: Whether the client has gone.
    package init(
        _ tape: any TapeSource, from seq: Int = 0, _ filter: EventFilter = EventFilter(),
        isCancelled: @escaping @Sendable () -> Bool = { false }
    ) {
        self.isCancelled = isCancelled
        self.tape = tape
        self.filter = filter
        end = tape.seqs.upperBound
        next = min(seq, end)
    }

    /// Calls `found` with each event that passes, until it returns false, the tape ends or the deadline has passed. Scans
    /// at least one event.
    ///
    /// - Throws: ``SearchLimit/Cancelled`` when the client has gone; errors of `found` and the filter.
    package mutating func run(
        until deadline: ContinuousClock.Instant? = nil, _ found: (EventHead, inout EventScan) throws -> Bool
    ) throws {
        while next < end {
            if isCancelled() { throw SearchLimit.Cancelled() }
            if filter.skipsBatches, try !mayPass(from: next), let batch {
                next = min(batch.covers.upperBound, end)
            } else {
                guard let heads = try tape.heads(from: next), !heads.isEmpty else {
                    next = end
                    return
                }
                for head in heads {
                    guard head.first < end else { break }
                    if let damaged, damaged ~= head.first {
                        next = head.seq + 1
                        continue
                    }
                    let isFound = try passes(head)
                    next = head.seq + 1
                    if isFound, try !found(head, &self) { return }
                    looked += 1
                    if looked % 16 == 0 || filter.readsLines, let deadline, ContinuousClock.now >= deadline {
                        return
                    }
                }
            }
            if let deadline, ContinuousClock.now >= deadline { return }
        }
    }

    /// The bytes of an event's line.
    package mutating func line(_ head: EventHead) throws -> ArraySlice<UInt8> {
        try load(head.seq)
        if let line = batch?.line(head.seq) { return line }
        // Of what is lost, other questions may know less: the line is the one that the head was made of.
        guard let line = try tape.line(at: head.kind == .gap ? head.first : head.seq) else { return [] }
        if line.kind == .gap, line.seq > head.seq { damaged = line.first..<line.seq + 1 }
        return line.bytes[...]
    }

    private mutating func passes(_ head: EventHead) throws -> Bool {
        if let decided = filter.passes(head) { return decided }
        try load(head.seq)
        if batch?.mayPass == false { return false }
        return try filter.passes(line(head), isCancelled: isCancelled)
    }

    private mutating func mayPass(from seq: Int) throws -> Bool {
        try load(seq)
        return batch?.mayPass ?? true
    }

    private mutating func load(_ seq: Int) throws {
        if let batch, batch.covers ~= seq { return }
        batch = try tape.batch(at: seq).map { FilteredBatch($0, filter) }
    }
}

/// The lines of a batch, and whether a filter rules out all of them.
private struct FilteredBatch {
    let covers: Range<Int>
    /// Whether any line may pass.
    let mayPass: Bool
    private let lines: UnparsedLines?

    init(_ batch: LineBatch, _ filter: EventFilter) {
        covers = batch.first..<batch.next
        mayPass = filter.mayPass(batch.bytes[...])
        lines = mayPass ? UnparsedLines(batch) : nil
    }

    func line(_ seq: Int) -> ArraySlice<UInt8>? {
        lines?.line(seq)
    }
}
