#if Server
    import TapeEngine
    import TapeFormat

    /// What keeps the tapes. One process commits, through one caller at a time; reading is for everyone, at any time.
    ///
    /// Every function throws what the driver throws, those that write ``Unwritable`` if nothing can be written for now;
    /// nothing of a failed commit is kept.
    protocol Archive: Sendable {
        /// Carries out a group of changes in one transaction: all are kept once it returns, none if it throws.
        ///
        /// - Parameter received: When it arrived, in ms since 1970.
        /// - Returns: An outcome for each change, in order.
        func commit(_ group: [Change], received: Int) throws -> [Outcome]
        func figures() throws -> ArchiveFigures
        /// Why what is written now would be lost, although it can be written; nil if it isn't so.
        var misplacement: String? { get }

        /// Without those that are hidden, as all that asks for sessions.
        func session(_ id: String) throws -> Session?
        /// For each of these ids the lowest seq that isn't held: 0 for those that the archive doesn't know.
        func next(of ids: Set<String>) throws -> [String: Int]
        /// At most two of the ids that begin with `prefix`: enough to tell whether it names one.
        func ids(beginningWith prefix: String) throws -> [String]
        func sessions(_ query: SessionQuery) throws -> SessionPage
        /// The one of this app and device that was heard last, other than `id`.
        func latestSession(app: String, device: String, except id: String) throws -> Session?
        /// The session, be it hidden or not.
        func upload(_ id: String) throws -> Session?
        /// Shows an upload that is complete; later labels are merged.
        func show(_ session: Int64, labels: [String: String]) throws
        /// Deletes hidden sessions that have gained nothing since `time`, in ms since 1970; `sweep` frees their lines.
        func deleteUploads(before time: Int) throws
        /// Sets what a person may set; nil leaves as it is.
        func edit(_ session: Int64, title: String?, labels: [String: String]?, kept: Bool?) throws
        /// Keeps what is known of a replay into the session's app.
        func keep(_ replay: JSON, of session: Int64) throws
        /// Those that go on by what is kept are lost: the server that ran them could not say so.
        func endReplays() throws
        /// Removes a session for good; `sweep` then frees what its lines take.
        func delete(_ session: Session) throws
        /// The sessions that retention removes, and what the archive takes: of one moment.
        ///
        /// - Parameter now: In ms since 1970.
        func plan(
            _ retention: Retention, now: Int, isConnected: (_ session: String) -> Bool
        ) throws -> RemovalPlan
        /// Removes those that are neither kept nor heard from since, in one transaction.
        ///
        /// - Returns: Their ids.
        func remove(_ sessions: [Expendable]) throws -> Set<String>
        /// Bytes that the archive takes, without what deleted sessions have left.
        func size() throws -> Int
        /// Frees a part of what deleted sessions have left, and gives space that nothing takes back to the disk, in a time
        /// that commits can wait.
        ///
        /// - Returns: False once nothing is left.
        func sweep() throws -> Bool

        /// The batch that holds `seq`, or the first one after it, with those that follow while all of them take so many
        /// bytes.
        func batch(of session: Int64, from seq: Int, joinedTo bytes: Int) throws -> LineBatch?
        /// The seqs around one of the session's that lie together in what can't be read there, or isn't there; nil outside the
        /// session.
        func damaged(of session: Int64, at seq: Int) throws -> Range<Int>?
        /// Whether there are lines that cover the seq, be they readable or not.
        func isHeld(_ session: Int64, _ seq: Int) throws -> Bool
        /// The columns of the heads that are sealed with that of `seq`; nil where it isn't sealed.
        func columns(of session: Int64, at seq: Int) throws -> [UInt8]?
        /// What the columns call by number, from a number on.
        func names(of session: Int64, from number: Int) throws -> [String]
        /// The JSON of a store's state after `seq`, where a base says that it is kept.
        func keyframe(of session: Int64, store: String, at seq: Int) throws -> [UInt8]?
        /// Where states are kept so, and how many bytes of JSON they are.
        func keyframeSizes(of session: Int64) throws -> [(store: String, seq: Int, bytes: Int)]
        /// The ids of sessions with lines that are not sealed.
        func unsealed() throws -> [String]

        /// Remembers that background work on a session failed at an event, until that event is sealed.
        ///
        /// - Returns: How often it failed there.
        func noteTrouble(_ session: Int64, at seq: Int, _ reason: String) throws -> Int
        /// The sessions with such trouble, and how often it was met.
        func troubles() throws -> [Int64: Trouble]

        /// The nearest line of the store at or before `seq` that sets or clears its base; without a store, the nearest gap.
        func base(of session: Int64, store: String?, upTo seq: Int) throws -> StateBase?
        /// The first full state of the store after `seq`.
        func nextState(of session: Int64, store: String, after seq: Int) throws -> Int?
        /// Every store that had a full state at or before `seq`.
        func stores(of session: Int64, upTo seq: Int) throws -> [String]
        /// The events whose patches are marked as broken.
        func brokenSeqs(of session: Int64) throws -> Set<Int>
        /// Where keyframes lie after events of a range.
        func keyframes(of session: Int64, in seqs: Range<Int>) throws -> [(store: String, seq: Int)]
        /// Marks the line as one whose patch doesn't apply.
        func markBroken(_ session: Int64, store: String, at seq: Int) throws

        func bookmarks(of session: Int64) throws -> [Bookmark]
        /// Keeps a bookmark, made in ms since 1970; nil if the session has as many as it takes.
        func mark(_ session: Int64, _ place: Bookmark.Place, made: Int, most: Int) throws -> Bookmark?
        /// False if there was none.
        func unmark(_ session: Int64, number: Int) throws -> Bool
        /// Sets what people call a device, or removes it.
        ///
        /// - Returns: The newest sessions of the device, at most so many; none if it isn't known, and nothing is set.
        func name(device: String, _ nickname: String?, most: Int) throws -> [String]

        func startStates() throws -> [StartState]
        /// Keeps `state` in place of the one with the same app, device and labels.
        func put(_ state: StartState) throws
        /// False if there was none.
        func deleteStartState(_ id: String) throws -> Bool

        func close() throws
    }

    /// One change of a group.
    enum Change: Sendable {
        case open(Opening)
        case claim(Claim)
        case append(Batch)
        case seal(Seal)
        /// Changes nothing: tells whether anything can be written.
        case probe
    }

    /// A connection's claim to a session. The last owner that opened a session is the only one that may append to it.
    struct Opening: Sendable {
        let header: Header
        /// Of the key that came with the header; the first one of a session is the only one that opens it.
        let keyHash: [UInt8]
        let owner: String
    }

    /// An upload's claim to a session: it needs no key, but nobody else may have claimed it meanwhile.
    struct Claim: Sendable {
        /// With `from` and `states`, if the tape is cut out of a longer one.
        let header: Header
        let owner: String
        /// The owner that it takes the session from; nil makes the session, hidden.
        let before: String?
    }

    /// Lines in seq order without holes, as an owner sent them.
    struct Batch: Sendable {
        let session: Int64
        let owner: String
        private(set) var lines: [EventLine]
        /// Of the lines, with a newline after each. Counted once: it is asked for again and again.
        private(set) var bytes: Int
        var first: Int { lines.first?.first ?? 0 }
        var next: Int { (lines.last?.seq ?? -1) + 1 }

        init(session: Int64, owner: String, lines: [EventLine]) {
            self.session = session
            self.owner = owner
            self.lines = lines
            bytes = lines.indices.reduce(0) { $0 + lines[$1].bytes.count + 1 }
        }

        /// Adds what the same owner sent next.
        mutating func append(_ next: Batch) {
            lines += next.lines
            bytes += next.bytes
        }
    }

    enum Outcome: Sendable {
        case opened(Session)
        /// The session belongs to another key, or to somebody who was faster.
        case refused
        /// The session was deleted, and is not recorded again.
        case deleted
        case appended
        case sealed
        /// The owner has lost the session, or the lines to seal are no longer the next; nothing was kept.
        case dropped
    }

    /// Where background work on a session failed last, and how often there.
    struct Trouble: Sendable, Equatable {
        /// Everything below was sealed.
        let seq: Int
        let count: Int
    }
#endif
