package import TapeEngine
package import TapeFormat

/// The archive's tapes, for the engine to read.
package final class Tapes: Sendable {
    package let archive: any Archive
    package let reader: TapeReader
    package let heads: HeadReader
    private let broke: @Sendable (Session, BrokenPatch) -> Void

    /// - Parameter broke: Called with each patch that doesn't apply, on its first read.
    package init(_ archive: any Archive, broke: @escaping @Sendable (Session, BrokenPatch) -> Void = { _, _ in }) {
        self.archive = archive
        self.broke = broke
        reader = TapeReader(archive)
        heads = HeadReader(archive, reader)
    }

    /// The tape of a session, up to the last commit that `session` knows of.
    package subscript(_ session: Session) -> ArchivedTape { ArchivedTape(session: session, tapes: self) }

    /// The tape of the session in a row, for a check that doesn't trust the row.
    package subscript(_ row: Int64) -> ArchivedTape {
        ArchivedTape(session: Session(unreadableIn: row, id: "", app: "", received: 0), tapes: self)
    }

    fileprivate func markBroken(_ patch: BrokenPatch, of session: Session) throws {
        try archive.markBroken(session.row, store: patch.store, at: patch.seq)
        broke(session, patch)
    }
}

/// The tape of one session in the archive.
package struct ArchivedTape: TapeSource {
    package let session: Session
    fileprivate let tapes: Tapes
    private var archive: any Archive { tapes.archive }

    package var key: Int64 { session.row }
    package var header: Header { session.header }
    package var seqs: Range<Int> { session.first..<session.next }

    package func batch(at seq: Int) throws -> LineBatch? {
        do {
            let batch = try archive.batch(of: session.row, from: seq, joinedTo: 0)
            // If lines are missing, this line starts after them.
            guard let batch, batch.first <= seq else { return nil }
            // Without a checksum the text may be invalid UTF-8, which regular expressions don't accept.
            if !batch.isChecked { _ = try batch.lines }
            return batch
        } catch  where Damage.isMeant(by: error) {
            return nil
        }
    }

    package func lines(from seq: Int) throws -> ArraySlice<EventLine>? {
        try present(tapes.reader.lines(of: session.row, from: seq), at: seq)
    }

    package func heads(from seq: Int) throws -> ArraySlice<EventHead>? {
        try present(tapes.heads.heads(of: session.row, from: seq), at: seq)
    }

    /// - Throws: ``DeletedSession`` if nothing was found inside of the tape, where a gap stands for what is damaged.
    private func present<Part>(_ part: Part?, at seq: Int) throws -> Part? {
        if part == nil, seqs ~= seq { throw DeletedSession(id: session.id) }
        return part
    }

    package func base(of store: String?, upTo seq: Int) throws -> StateBase? {
        // Without a base, a state is made from the first line on: slowly, but right.
        try readable(nil) { try archive.base(of: session.row, store: store, upTo: seq) }
    }

    package func keyframe(of store: String, at seq: Int) throws -> HeldState? {
        do {
            return try archive.keyframe(of: session.row, store: store, at: seq).map { try HeldState(text: $0) }
        } catch  where Damage.isMeant(by: error) {
            return nil
        }
    }

    package func nextState(of store: String, after seq: Int) throws -> Int? {
        try readable(nil) { try archive.nextState(of: session.row, store: store, after: seq) }
    }

    package func stores(upTo seq: Int) throws -> [String] {
        if let stores = try readable(nil, { try archive.stores(of: session.row, upTo: seq) }) { return stores }
        var stores: Set<UTF8Text> = []
        try each(in: seqs.lowerBound..<seq + 1) { line in
            if line.base == .state { stores.insert(UTF8Text(line.store)) }
            return true
        }
        return stores.map(\.text).sorted()
    }

    /// What can be read, or `other` if it is damaged.
    private func readable<Value>(_ other: Value, _ body: () throws -> Value) throws -> Value {
        do {
            return try body()
        } catch  where Damage.isMeant(by: error) {
            return other
        }
    }

    package func markBroken(_ patch: BrokenPatch) throws { try tapes.markBroken(patch, of: session) }

    package func brokenSeqs() throws -> Set<Int> { try archive.brokenSeqs(of: session.row) }

    package func keyframes(in range: Range<Int>) throws -> [(store: String, seq: Int)] {
        try archive.keyframes(of: session.row, in: range)
    }
}
