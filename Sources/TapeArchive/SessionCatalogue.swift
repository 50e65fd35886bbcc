package import TapeFormat

/// The sessions, and what people add to them: titles, labels, bookmarks, nicknames. And which of them may be deleted.
package protocol SessionCatalogue: Sendable {
    /// Like all queries for sessions, without hidden ones.
    func session(_ id: String) throws -> Session?
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
    func remove(_ sessions: [PruneCandidate]) throws -> Set<String>
    func bookmarks(of session: Int64) throws -> [Bookmark]
    /// Stores a bookmark, made at a time in ms since 1970. Nil if the session has the maximum already.
    func mark(_ session: Int64, _ place: Bookmark.Content, made: Int, most: Int) throws -> Bookmark?
    /// False if the bookmark doesn't exist.
    func unmark(_ session: Int64, number: Int) throws -> Bool
    /// Sets or removes the nickname of a device.
    ///
    /// - Returns: The newest sessions of the device, at most `most`. Empty if the device is unknown; then nothing
    ///   is set.
    func name(device: String, _ nickname: String?, most: Int) throws -> [String]
}
