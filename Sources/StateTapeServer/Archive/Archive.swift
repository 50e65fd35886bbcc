import TapeEngine
import TapeFormat

/// Stores the tapes. One caller at a time commits in each process; any thread may read at any time. Several processes
/// can use the same archive in a database.
///
/// Functions throw the database driver's errors. Functions that write throw ``Unwritable`` if nothing can be
/// written at the moment. A failed commit stores nothing.
protocol Archive: Sendable {
    /// A random name that the archive keeps for ever. Its copies have the same one.
    var id: String { get }
    /// Commits a group of changes in one transaction: all of them, or none if it throws.
    ///
    /// - Parameter received: The time of receipt, in ms since 1970.
    /// - Returns: An outcome for each change, in order.
    func commit(_ group: [Change], received: Int) throws -> [Outcome]
    /// The shortest time from the start of one commit to that of the next, while many apps record: a commit costs a
    /// row for each app, however few events it brings.
    var pace: Duration { get }
    func figures() throws -> ArchiveFigures
    /// Why data written now would be lost although writing works; nil if that isn't so.
    var misplacement: String? { get }

    /// Like all queries for sessions, without hidden ones.
    func session(_ id: String) throws -> Session?
    /// For each id the lowest seq that isn't stored; 0 for an unknown id.
    func next(of ids: Set<String>) throws -> [String: Int]
    /// At most two ids with this prefix: enough to see whether it is unique.
    func ids(beginningWith prefix: String) throws -> [String]
    func sessions(_ query: SessionQuery) throws -> SessionPage
    /// The most recently active session of this app and device, other than `id`.
    func latestSession(app: String, device: String, except id: String) throws -> Session?
    /// The session, hidden or not.
    func upload(_ id: String) throws -> Session?
    /// Shows a complete upload, and merges its labels.
    func show(_ session: Int64, labels: [String: String]) throws
    /// Deletes hidden sessions without new data since `time`, in ms since 1970. `sweep` frees their lines. A hidden
    /// session that can't be an unfinished upload is shown instead: its mark is damaged.
    ///
    /// - Returns: The ids of sessions that are shown again.
    func deleteUploads(before time: Int) throws -> [String]
    /// Sets the members that a person may edit; nil leaves a member as it is.
    func edit(_ session: Int64, title: String?, labels: [String: String]?, kept: Bool?) throws
    /// Stores whether the session's recording is paused.
    func pause(_ session: Int64, _ isPaused: Bool) throws
    /// Stores why the session's app did not launch as asked.
    func keep(_ failure: Pushed.Failure, ofStart session: Int64) throws
    /// Stores the status of a replay into the session's app.
    func keep(_ replay: JSON, of session: Int64) throws
    /// Marks replays that are stored as running as lost, if their app isn't connected: their server ended before it
    /// could.
    func endReplays() throws
    /// Deletes a session for good. `sweep` then frees the space of its lines.
    func delete(_ session: Session) throws
    /// The sessions that retention would delete, and the archive's size, in one snapshot.
    ///
    /// - Parameter now: In ms since 1970.
    func plan(_ retention: Retention, now: Int, isConnected: (_ session: String) -> Bool) throws -> RemovalPlan
    /// Deletes sessions in one transaction, unless they were kept, had activity, or an app connected to another
    /// server in the meantime.
    ///
    /// - Returns: The ids of the deleted sessions.
    func remove(_ sessions: [Expendable]) throws -> Set<String>
    /// Bytes of the archive, without the space of deleted sessions.
    func size() throws -> Int
    /// Frees a part of the deleted sessions' space and returns unused space to the disk. It takes so little time
    /// that commits can wait.
    ///
    /// - Returns: False once nothing is left to free.
    func sweep() throws -> Bool

    /// Returns the batch with `seq`, or the first one after it. Following batches are joined to it while all of
    /// them fit into `bytes`.
    func batch(of session: Int64, from seq: Int, joinedTo bytes: Int) throws -> LineBatch?
    /// The unsealed lines of sessions, for each from a seq on, up to about `bytes` a session. Without those sessions
    /// of which the lines there are sealed or missing.
    func fresh(_ places: [String: Int], bytes: Int) throws -> [String: FreshLines]
    /// The range around `seq` that can't be read or is missing; nil outside the session.
    func damaged(of session: Int64, at seq: Int) throws -> Range<Int>?
    /// Whether the archive stores lines for the seq, readable or not.
    func isHeld(_ session: Int64, _ seq: Int) throws -> Bool
    /// The head columns of the sealed chunk with `seq`; nil if `seq` isn't sealed.
    func columns(of session: Int64, at seq: Int) throws -> [UInt8]?
    /// The names that the head columns refer to, from a number on.
    func names(of session: Int64, from number: Int) throws -> [String]
    /// The JSON of a store's state after `seq`, if a keyframe exists there.
    func keyframe(of session: Int64, store: String, at seq: Int) throws -> [UInt8]?
    /// All keyframes of a session, with their size in bytes of JSON.
    func keyframeSizes(of session: Int64) throws -> [(store: String, seq: Int, bytes: Int)]
    /// The ids of sessions with unsealed lines.
    func unsealed() throws -> [String]

    /// The hash of the key that opens a session; empty for an upload.
    func keyHash(of session: Int64) throws -> [UInt8]
    /// Completes the hidden copy of another archive's session, and shows it. Changes nothing if it is shown already.
    func complete(_ copy: Int64, with record: SessionRecord) throws
    /// The ids of deleted sessions, which can't be recorded again.
    func deletedSessions() throws -> [String]
    /// Notes sessions as deleted, except those that exist.
    func noteDeleted(_ ids: [String]) throws

    /// Notes that background work on a session failed at an event. The note lasts until that event is sealed.
    ///
    /// - Returns: How often work failed there.
    func noteTrouble(_ session: Int64, at seq: Int, _ reason: String) throws -> Int
    /// The sessions with such failures, and how often they happened.
    func troubles() throws -> [Int64: Trouble]

    /// The nearest line of the store at or before `seq` that sets or clears its base. Without a store, the nearest gap.
    func base(of session: Int64, store: String?, upTo seq: Int) throws -> StateBase?
    /// The store's first full state after `seq`.
    func nextState(of session: Int64, store: String, after seq: Int) throws -> Int?
    /// Every store with a full state at or before `seq`.
    func stores(of session: Int64, upTo seq: Int) throws -> [String]
    /// The events whose patches are marked as broken.
    func brokenSeqs(of session: Int64) throws -> Set<Int>
    /// The keyframes after events of a range.
    func keyframes(of session: Int64, in seqs: Range<Int>) throws -> [(store: String, seq: Int)]
    /// Marks a line whose patch doesn't apply.
    func markBroken(_ session: Int64, store: String, at seq: Int) throws

    func bookmarks(of session: Int64) throws -> [Bookmark]
    /// Stores a bookmark, made at a time in ms since 1970. Nil if the session has the maximum already.
    func mark(_ session: Int64, _ place: Bookmark.Place, made: Int, most: Int) throws -> Bookmark?
    /// False if the bookmark doesn't exist.
    func unmark(_ session: Int64, number: Int) throws -> Bool
    /// Sets or removes the nickname of a device.
    ///
    /// - Returns: The newest sessions of the device, at most `most`. Empty if the device is unknown; then nothing
    ///   is set.
    func name(device: String, _ nickname: String?, most: Int) throws -> [String]

    func startStates() throws -> [StartState]
    /// Stores `state` in place of the one with the same app, device and labels.
    func put(_ state: StartState) throws
    /// False if it doesn't exist.
    func deleteStartState(_ id: String) throws -> Bool

    /// Events that were acknowledged and were missing when the archive was opened.
    var lost: [LostEvents] { get }
    /// Puts a gap in the place of lost events, unless the app has sent them again or is connected.
    ///
    /// - Returns: What was filled.
    func fillLost(_ isConnected: (_ session: String) -> Bool) throws -> [LostEvents]

    /// The damage that the engine itself finds in its files.
    func damage() throws -> [String]
    /// The ids of all sessions, including hidden ones.
    func allSessions() throws -> [String]
    /// The rows of all sessions, including hidden ones, whatever they hold.
    func sessionRows() throws -> [Int64]
    /// Rows of a table as they are stored.
    func rows(_ table: StoredTable, _ rows: StoredRows) throws -> [StoredRow]
    /// The sessions that rows of a table refer to although they don't exist, and how many such rows there are.
    func strangers(_ table: StoredTable) throws -> [(session: StoredValue, rows: Int)]
    /// What the engine stores besides the common tables and isn't what the session says.
    func derivedProblems(of session: Session) throws -> [String]
    /// The failures of background work on a session.
    func troubles(of session: Int64) throws -> [String]

    func close() throws
    /// The name of the engine in metrics.
    var engine: String { get }
}

/// An error of an engine.
protocol ArchiveError: Error {
    /// What happened, without the statement.
    var reason: String { get }
    /// Whether the stored data is damaged. Otherwise the failure may be temporary.
    var isDamage: Bool { get }
}

/// Where background work on a session failed last, and how often.
struct Trouble: Sendable, Equatable {
    /// Every event below is sealed.
    let seq: Int
    let count: Int
}
