import TapeArchive
import TapeEngine
import TapeFormat

/// Uploads the lines of one tape: compares those that the archive already has, and appends the rest.
///
/// At most one slice is being committed while the next one is collected. So memory stays bounded, and apps' commits
/// run in between.
struct TapeUpload {
    private static let maxLines = 2_048
    private static let maxBytes = 1 << 20

    /// The session before the upload's first line.
    let session: Session
    private let uploads: Uploads
    private let owner: String
    private let labels: [String: String]
    /// An app has recorded the session, and this client's token doesn't give control: it may add nothing.
    private let isClosed: Bool
    private var order: EventOrder
    private var next: Int { order.next }
    /// The lowest seq that isn't committed.
    private(set) var kept: Int
    private var held: ArraySlice<EventLine> = []
    private var slice: [EventLine] = []
    private var sliceBytes = 0
    private var pending: (reply: Reply<Result<Outcome, any Error>>, next: Int)?
    /// Nil if the sealer does it. A short tape is read fast as it is.
    private var sealing: UploadSealing?
    /// Whether there was a full slice.
    private var isLong = false

    /// The number of appended events.
    var added: Int { kept - session.next }

    /// Starts with a tape's header.
    ///
    /// - Throws: `Problem` if the session is live, or if this tape can't continue it or be compared with it.
    init(_ uploads: Uploads, _ header: Header, labels: [String: String], by client: Requester) throws {
        let owner = RandomName.make()
        let first = header.from ?? 0
        let found = try uploads.find(header.session)
        if let found {
            guard first >= found.first else { throw Self.startsLater(found) }
            guard first <= found.next else { throw Self.hole(first, found) }
            if first > found.first { try Self.compare(header.states ?? [:], found, after: first - 1, uploads) }
        }
        var header = header
        header.labels.merge(labels) { $1 }
        if !labels.isEmpty { try RequestBody.check(header) }
        let isClosed = try Self.isClosed(found, to: client, uploads, labels)
        let session = try uploads.claim(header, found: found, owner: owner)
        self.init(uploads, session, owner: owner, from: first, labels: labels, isClosed: isClosed)
    }

    /// Resumes an interrupted upload.
    ///
    /// - Throws: `Problem` with the end of the stored events, if `from` isn't it.
    init(_ uploads: Uploads, resuming id: String, from: Int, labels: [String: String], by client: Requester) throws {
        guard let found = try uploads.find(id) else {
            throw Problem(404, "session-absent", "This upload doesn't exist.")
        }
        guard from == found.next else { throw Self.hole(from, found) }
        let isClosed = try Self.isClosed(found, to: client, uploads, labels)
        let owner = RandomName.make()
        let session = try uploads.claim(found.header, found: found, owner: owner)
        // The interrupted upload may have appended lines until just now.
        guard from == session.next else { throw Self.hole(from, session) }
        self.init(uploads, session, owner: owner, from: from, labels: labels, isClosed: isClosed)
    }

    private init(
        _ uploads: Uploads, _ session: Session, owner: String, from: Int, labels: [String: String], isClosed: Bool
    ) {
        self.uploads = uploads
        self.isClosed = isClosed
        self.session = session
        self.owner = owner
        self.labels = labels
        order = EventOrder(next: from, hasEnded: session.ended != nil && from == session.next)
        kept = session.next
    }

    /// - Throws: `Problem` if the client may not even set the labels.
    private static func isClosed(
        _ found: Session?, to client: Requester, _ uploads: Uploads, _ labels: [String: String]
    ) throws -> Bool {
        guard let found, client.role != .control, try !uploads.archive.keyHash(of: found.row).isEmpty else {
            return false
        }
        guard labels.isEmpty else { throw closed(found) }
        return true
    }

    private static func closed(_ session: Session) -> Problem {
        Problem(
            403, "role",
            "Session “\(session.id)” was recorded by an app: only that app, or a token that gives control, can add to it."
        )
    }

    /// Takes the next line.
    ///
    /// - Throws: `FormatError` if the line doesn't follow the one before; `Problem` if the archive has another line
    ///   there.
    mutating func take(_ line: EventLine) throws {
        try order.check(line)
        if next < session.next {
            try compare(line)
        } else {
            guard !isClosed else { throw Self.closed(session) }
            slice.append(line)
            sliceBytes += line.bytes.count + 1
        }
        order.advance(past: line)
        if slice.count == Self.maxLines || sliceBytes >= Self.maxBytes {
            if !isLong, session.hidden, kept == session.sealed { sealing = UploadSealing(uploads, session) }
            isLong = true
            try send()
        }
    }

    /// Commits the collected lines.
    mutating func flush() throws {
        try send()
        try settle()
    }

    /// Commits the rest and shows the session.
    mutating func finish() throws -> Session {
        try flush()
        sealing?.finish()
        let (id, row, labels) = (session.id, session.row, labels)
        try uploads.change { [archive = uploads.archive] in try archive.show(row, labels: labels) }
        uploads.events.tell(.shown(id))
        guard let session = try uploads.archive.session(id) else { throw Problem.taken }
        return session
    }

    private mutating func send() throws {
        guard !slice.isEmpty else { return }
        // While the slice before it is committed.
        let seals = try? sealing?.follow(slice)
        if seals == nil { sealing = nil }
        try settle()
        if let reason = uploads.committer.failure { throw Problem.unwritable(reason) }
        let batch = Batch(session: session.row, owner: owner, lines: slice)
        slice = []
        sliceBytes = 0
        let (id, events, isHidden) = (session.id, uploads.events, session.hidden)
        let reply = Reply.make { promise in
            let client = ChangeReply(promise) { if !isHidden { events.here.tell(.committed(id, $0, nil)) } }
            _ = uploads.committer.add(.append(batch), client)
        }
        pending = (reply, batch.next)
        sealing?.hold(seals ?? [])
    }

    /// Waits for the running commit.
    private mutating func settle() throws {
        guard let (reply, next) = pending else { return }
        pending = nil
        switch reply.wait() {
        case .success(.appended):
            kept = next
            if sealing?.commit() == false { sealing = nil }
        case .success: throw Problem.taken
        case .failure(let error): throw Problem.unwritable("\(error)")
        case nil: throw Problem.stopping
        }
    }
}

// MARK: Comparing

extension TapeUpload {
    private mutating func compare(_ line: EventLine) throws {
        if held.isEmpty { held = try uploads.tapes[session].lines(from: next) ?? [] }
        guard let other = held.popFirst(), try isSame(line, other) else { throw Self.differs(next) }
    }

    /// Whether both lines are the same event. The stored line may have a patch where the uploaded one has a state.
    private func isSame(_ line: EventLine, _ held: EventLine) throws -> Bool {
        if line.bytes == held.bytes { return true }
        guard line.seq == held.seq, line.first == held.first,
            var mine = try JSON(parsing: line.bytes).object, var theirs = try JSON(parsing: held.bytes).object
        else { return false }
        if mine == theirs { return true }
        let hasState = [mine, theirs].allSatisfy { $0["state"] != nil || $0["patch"] != nil }
        for member in ["state", "patch"] {
            mine[member] = nil
            theirs[member] = nil
        }
        guard hasState, mine == theirs else { return false }
        let tape = uploads.tapes[session]
        var cursor = try uploads.states.cursor(tape, line.store, at: line.seq - 1)
        guard cursor.take(line) == nil, case .state(let mine) = cursor.value,
            case .state(let theirs) = try uploads.states.cursor(tape, line.store, at: line.seq).value
        else { return false }
        return try mine.json() == theirs.json()
    }

    /// Compares the states at the start of the tape.
    private static func compare(_ states: [String: JSON], _ found: Session, after seq: Int, _ uploads: Uploads) throws {
        for (store, state) in states {
            if case .state(let held) = try uploads.states.state(of: uploads.tapes[found], store: store, after: seq),
                try held.json() != state
            {
                throw differs(seq)
            }
        }
    }

    private static func differs(_ seq: Int) -> Problem {
        Problem(
            409, "differs", "Event \(seq) differs from the server's copy; nothing was changed.",
            [("seq", .number(.init(seq)))])
    }

    private static func hole(_ from: Int, _ found: Session) -> Problem {
        Problem(
            409, "from", "The upload starts at event \(from), but must start at event \(found.next).",
            [("next", .number(.init(found.next)))])
    }

    private static func startsLater(_ found: Session) -> Problem {
        Problem(
            409, "from", "The stored session starts at event \(found.first), but the tape starts before that.",
            [("seq", .number(.init(found.first)))])
    }
}
