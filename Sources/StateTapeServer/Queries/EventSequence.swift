#if Server
    import TapeFormat

    /// The events of a session that concern a store, and its gaps, one after the other.
    struct EventSequence {
        let session: Session
        private let archive: any Archive
        private let tape: TapeReader
        /// Where lines are sealed they are parsed one by one, and only if they must be.
        private var sealed: BatchLines?
        private var lines: ArraySlice<EventLine> = []
        private var seq = 0

        init(_ session: Session, _ archive: any Archive, _ tape: TapeReader) {
            self.session = session
            self.archive = archive
            self.tape = tape
        }

        mutating func next() throws -> EventLine? {
            while let line = try nextLine() {
                switch line.kind {
                case .`init`, .action, .replace, .detach, .gap: return line
                case .note, .end, .other: continue
                }
            }
            return nil
        }

        /// The bytes of the line to come; nil where they must be parsed.
        mutating func ahead() throws -> ArraySlice<UInt8>? {
            guard try load(), lines.isEmpty else { return nil }
            return sealed?.line(seq)
        }

        /// Goes past the line that is ahead.
        mutating func pass() { seq += 1 }

        private mutating func nextLine() throws -> EventLine? {
            guard try load() else { return nil }
            if let line = lines.popFirst() {
                guard line.seq < session.next else { return nil }
                seq = line.seq + 1
                return line
            }
            defer { seq += 1 }
            return try sealed?.line(seq).map { try EventLine(parsing: Array($0)) }
        }

        /// Reads on where all that was read has been taken.
        ///
        /// - Returns: False at the end.
        private mutating func load() throws -> Bool {
            if !lines.isEmpty || seq < session.next && sealed?.line(seq) != nil { return true }
            guard seq < session.next else { return false }
            sealed = try sealedLines()
            if sealed == nil { lines = try tape.lines(of: session.row, from: seq) ?? [] }
            return sealed != nil || !lines.isEmpty
        }

        /// Nil where there are none, or where something else stands in the place of some.
        private func sealedLines() throws -> BatchLines? {
            guard seq < session.sealed else { return nil }
            do {
                guard let batch = try archive.batch(of: session.row, from: seq, joinedTo: 0), batch.isChecked,
                    let lines = BatchLines(batch), lines.line(seq) != nil
                else { return nil }
                return lines
            } catch  where Damage.isMeant(by: error) {
                return nil
            }
        }
    }
#endif
