import TapeFormat

/// Iterates over the events of a tape that belong to a store, and over its gaps.
struct EventSequence {
    let tape: any TapeSource
    private let end: Int
    /// Checked lines are parsed one by one, and only if needed.
    private var checked: UnparsedLines?
    private var lines: ArraySlice<EventLine> = []
    private var seq = 0

    init(_ tape: any TapeSource) {
        self.tape = tape
        end = tape.seqs.upperBound
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

    /// The bytes of the next line; nil if it must be parsed.
    mutating func peek() throws -> ArraySlice<UInt8>? {
        guard try load(), lines.isEmpty else { return nil }
        return checked?.line(seq)
    }

    /// Skips the line that `peek` returned.
    mutating func skip() { seq += 1 }

    private mutating func nextLine() throws -> EventLine? {
        guard try load() else { return nil }
        if let line = lines.popFirst() {
            guard line.seq < end else { return nil }
            seq = line.seq + 1
            return line
        }
        defer { seq += 1 }
        return try checked?.line(seq).map { try EventLine(parsing: Array($0)) }
    }

    /// Reads the next lines if all previous ones were consumed.
    ///
    /// - Returns: False at the end.
    private mutating func load() throws -> Bool {
        if !lines.isEmpty || seq < end && checked?.line(seq) != nil { return true }
        guard seq < end else { return false }
        checked = try checkedLines()
        if checked == nil { lines = try tape.lines(from: seq) ?? [] }
        return checked != nil || !lines.isEmpty
    }

    /// Nil if the lines are unchecked, or if one line covers several events.
    private func checkedLines() throws -> UnparsedLines? {
        guard let batch = try tape.batch(at: seq), batch.isChecked, let lines = UnparsedLines(batch),
            lines.line(seq) != nil
        else { return nil }
        return lines
    }
}
