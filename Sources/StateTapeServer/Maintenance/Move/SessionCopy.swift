import TapeArchive
import TapeEngine
import TapeFormat

/// Copies one session to another archive: first its lines, hidden, and then the rest in one transaction. If that is
/// interrupted, the next copy of the session continues it.
struct SessionCopy {
    enum Result {
        case copied
        /// The target has all lines of the session.
        case present
        /// The target has other lines, and keeps them.
        case different(String)
    }

    /// The owner of unfinished copies.
    static let owner = "move"
    /// The most bytes and changes of one commit.
    private static let maxBytes = 4 << 20
    private static let maxChanges = 64

    private let source: Tapes
    private let target: Tapes
    private let session: Session
    private let tell: (String) -> Void
    private let advanced: (_ events: Int) throws -> Void

    /// The copy's first seqs that aren't stored, and aren't sealed.
    private var (next, sealed) = (0, 0)
    private var names = NameNumbers([])
    private var changes: [Change] = []
    private var bytes = 0
    private var broken: [(store: String, seq: Int)] = []
    private var isDamaged = false

    /// - Parameters:
    ///   - tell: Called with each part of the session that can't be copied.
    ///   - advanced: Called with the number of events after each step.
    init(
        _ session: Session, from source: Tapes, to target: Tapes, tell: @escaping (String) -> Void,
        advanced: @escaping (_ events: Int) throws -> Void
    ) {
        self.session = session
        self.source = source
        self.target = target
        self.tell = tell
        self.advanced = advanced
    }

    mutating func run() throws -> Result {
        if let found = try target.archive.upload(session.id) {
            guard found.hidden, found.owner == Self.owner else { return try compare(with: found) }
            // Nobody has seen the unfinished copy of something else.
            if try !isBeginning(found) { try target.archive.delete(found) }
        }
        let copy = try opened()
        (next, sealed) = (copy.next, copy.sealed)
        names = NameNumbers(try target.archive.names(of: copy.row, from: 0))
        let marked = try source.archive.brokenSeqs(of: session.row)
        try noteBroken(marked, before: next)
        while next < session.next {
            let lines = try lines(from: next)
            for line in lines where marked.contains(line.seq) { broken.append((line.store, line.seq)) }
            try add(lines, to: copy)
            try advanced(lines.reduce(0) { $0 + $1.count })
        }
        try commit()
        let stored = try target.archive.upload(session.id)
        try target.archive.complete(
            copy.row,
            with: SessionRecord(
                session: record(stored ?? copy), keyHash: try source.archive.keyHash(of: session.row),
                bookmarks: try source.archive.bookmarks(of: session.row), broken: broken,
                complete: stored?.complete ?? session.complete))
        return .copied
    }

    /// What the source says of the session, unless the lines say otherwise: its row may have been damaged.
    private func record(_ copy: Session) -> Session {
        var record = session
        // A whole state that sealing has replaced by a patch had more bytes.
        record.bytes = max(session.bytes, copy.bytes)
        record.ended = copy.ended
        // A gap for lost events has no time of its own.
        record.duration = isDamaged ? max(session.duration, copy.duration) : copy.duration
        return record
    }

    private func compare(with found: Session) throws -> Result {
        guard !found.hidden else { return .different("the target has an incomplete upload with its id") }
        guard found.first == session.first else {
            return .different(
                "it starts at event \(found.first) in the target, and at \(session.first) in the source")
        }
        let end = min(session.next, found.next)
        if let seq = try TapeComparison.firstDifference(source[session], target[found], upTo: end, advanced) {
            return .different("event \(seq) is another one in the target")
        }
        guard found.next >= session.next else {
            return .different("the target has only its events up to \(found.next - 1) of \(session.next - 1)")
        }
        return .present
    }

    /// Whether an unfinished copy has the first lines of this session.
    private func isBeginning(_ copy: Session) throws -> Bool {
        guard copy.header == session.header, copy.next <= session.next else { return false }
        return try TapeComparison.firstDifference(source[session], target[copy], upTo: copy.next, advanced) == nil
    }

    /// The unfinished copy, or a new one.
    private func opened() throws -> Session {
        if let found = try target.archive.upload(session.id) { return found }
        var header = session.header
        // Of a part of a longer tape: the states before its first event.
        let before = session.first - 1..<session.first
        for (store, seq) in try source.archive.keyframes(of: session.row, in: before) {
            guard let state = try keyframe(store, seq) else { continue }
            header.states = header.states ?? [:]
            header.states?[store] = try JSON(parsing: state)
        }
        let claim = SessionLease(header: header, owner: Self.owner, before: nil)
        guard case .opened(let copy)? = try target.archive.commit([.claim(claim)], received: session.received).first
        else { throw Self.taken(session) }
        return copy
    }

    /// The lines from `seq` to the end of a chunk or of a few batches. Lines that can't be read are one gap.
    private mutating func lines(from seq: Int) throws -> [EventLine] {
        var lines: ArraySlice<EventLine>?
        do {
            lines = try source.reader.intactLines(of: session.row, from: seq)
        } catch let damage as Damage {
            tell("\(damage); the copy has a gap there")
            isDamaged = true
            lines = try source.reader.lines(of: session.row, from: seq)
        }
        // More may have arrived since the session was read.
        let known = Array((lines ?? []).prefix { $0.seq < session.next })
        guard known.first?.first == seq else {
            throw ServerError(.archive, "Session \(session.id) has no event \(seq) in the source.")
        }
        return known
    }

    private mutating func add(_ lines: [EventLine], to copy: Session) throws {
        let batch = Batch(session: copy.row, owner: Self.owner, lines: lines)
        changes.append(.append(batch))
        bytes += batch.bytes
        // An interrupted copy may have lines that the source has sealed since then. Its server seals them.
        if batch.next <= session.sealed, sealed == batch.first {
            changes.append(.seal(try seal(lines, copy)))
            sealed = batch.next
        }
        next = batch.next
        if bytes >= Self.maxBytes || changes.count >= Self.maxChanges { try commit() }
    }

    private mutating func seal(_ lines: [EventLine], _ copy: Session) throws -> Seal {
        var draft = SealDraft(from: sealed)
        for line in lines { draft.append(line, nil) }
        let covers = draft.covers
        var seal = try draft.seal(copy, &names)
        for (store, seq) in try source.archive.keyframes(of: session.row, in: covers) {
            guard let state = try keyframe(store, seq) else { continue }
            bytes += state.count
            seal.keyframes.append(Seal.Keyframe(store: store, seq: seq, state: try Zstd.compress(state)))
        }
        return seal
    }

    /// The JSON of a stored state; nil if it can't be read.
    private func keyframe(_ store: String, _ seq: Int) throws -> [UInt8]? {
        do {
            return try source.archive.keyframe(of: session.row, store: store, at: seq)
        } catch  where Damage.isMeant(by: error) {
            tell("the stored state of “\(store)” after event \(seq) can't be read: \(Damage.reason(error))")
            return nil
        }
    }

    private mutating func commit() throws {
        guard !changes.isEmpty else { return }
        let outcomes = try target.archive.commit(changes, received: session.lastSeen)
        // A group whose answer was lost is committed again, and then finds itself stored.
        guard try outcomes.allSatisfy(\.isStored) || isStored() else { throw Self.taken(session) }
        changes = []
        bytes = 0
    }

    /// Whether the target has the copy up to here.
    private func isStored() throws -> Bool {
        guard let copy = try target.archive.upload(session.id) else { return false }
        return copy.hidden && copy.owner == Self.owner && copy.next == next && copy.sealed == sealed
    }

    /// Collects the broken lines that an interrupted copy has already.
    private mutating func noteBroken(_ marked: Set<Int>, before end: Int) throws {
        for seq in marked.sorted() where seq < end {
            if let line = try source[session].line(at: seq) { broken.append((line.store, seq)) }
        }
    }

    private static func taken(_ session: Session) -> ServerError {
        ServerError(.archive, "Session \(session.id) was changed in the target by another program.")
    }
}

extension Outcome {
    fileprivate var isStored: Bool {
        switch self {
        case .appended, .sealed: true
        default: false
        }
    }
}
