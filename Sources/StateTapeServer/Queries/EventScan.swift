#if Server
    import TapeFormat

    /// Goes through the events of a session and finds those that pass a filter. Heads decide first, then the bytes of
    /// whole batches, then those of lines; what still isn't decided is parsed.
    struct EventScan {
        private let session: Session
        private let archive: any Archive
        private let tape: TapeReader
        private let heads: HeadReader
        private let filter: EventFilter
        private let isCancelled: @Sendable () -> Bool
        private var batch: LineBatch?
        /// Events whose lines can't be read: one line stands for all of them.
        private var damaged: Range<Int>?
        var hasDamage: Bool { damaged != nil }
        /// Everything below was looked at.
        private(set) var next: Int
        /// Events whose heads were looked at.
        private(set) var looked = 0
        var isAtEnd: Bool { next >= session.next }

        init(
            _ session: Session, from seq: Int, _ filter: EventFilter, _ archive: any Archive, _ tape: TapeReader,
            _ heads: HeadReader, isCancelled: @escaping @Sendable () -> Bool = { false }
        ) {
            self.isCancelled = isCancelled
            self.session = session
            self.filter = filter
            self.archive = archive
            self.tape = tape
            self.heads = heads
            next = min(seq, session.next)
        }

        /// Calls `found` with each event that passes, until it returns false, the tape ends or the time has come; the
        /// event at `next` is looked at in any case.
        ///
        /// - Throws: ``SearchLimit/Cancelled`` once nobody waits for the answer; what `found` and the filter throw.
        mutating func run(
            until deadline: ContinuousClock.Instant? = nil, _ found: (Head, inout EventScan) throws -> Bool
        ) throws {
            while next < session.next {
                if isCancelled() { throw SearchLimit.Cancelled() }
                if filter.skipsBatches, try !mayPass(from: next), let batch {
                    next = min(batch.next, session.next)
                } else {
                    guard let heads = try heads.heads(of: session.row, from: next), !heads.isEmpty else {
                        next = session.next
                        return
                    }
                    for head in heads {
                        guard head.first < session.next else { break }
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
        mutating func line(_ head: Head) throws -> ArraySlice<UInt8> {
            try load(head.seq)
            if let line = batch?.line(head.seq) { return line }
            guard let line = try tape.line(of: session.row, at: head.seq) else { return [] }
            if line.kind == .gap, line.seq > head.seq { damaged = line.first..<line.seq + 1 }
            return line.bytes[...]
        }

        private mutating func passes(_ head: Head) throws -> Bool {
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
            if let batch, batch.first..<batch.next ~= seq { return }
            do {
                // Where lines are missing it is one that begins behind them.
                batch = try archive.batch(of: session.row, from: seq, joinedTo: 0)
                    .flatMap { $0.first <= seq ? try LineBatch($0, filter) : nil }
            } catch  where Damage.isMeant(by: error) {
                batch = nil
            }
        }
    }

    /// The lines of a batch, unparsed.
    private struct LineBatch {
        let first: Int
        let next: Int
        /// Whether any of them may pass the filter.
        let mayPass: Bool
        private let lines: BatchLines?

        /// - Throws: What says that the batch is damaged.
        init(_ batch: StoredBatch, _ filter: EventFilter) throws {
            // Without a checksum the text may be invalid UTF-8, which expressions must not see.
            if !batch.isChecked { _ = try batch.intactLines }
            first = batch.first
            next = batch.next
            mayPass = filter.mayPass(batch.bytes[...])
            lines = mayPass ? BatchLines(batch) : nil
        }

        func line(_ seq: Int) -> ArraySlice<UInt8>? {
            lines?.line(seq)
        }
    }
#endif
