/// What `check`, `move` and `repair` need: the rows as they are stored, and what belongs to a copy of an archive.
package protocol ArchiveInspection: Sendable {
    /// The hash of the key that opens a session; empty for an upload.
    func keyHash(of session: Int64) throws -> [UInt8]
    /// Completes the hidden copy of another archive's session, and shows it. Changes nothing if it is shown already.
    func complete(_ copy: Int64, with record: SessionRecord) throws
    /// The ids of deleted sessions, which can't be recorded again.
    func deletedSessions() throws -> [String]
    /// Notes sessions as deleted, except those that exist.
    func noteDeleted(_ ids: [String]) throws
    /// The damage that the engine itself finds in its files.
    func damage() throws -> [String]
    /// A search for damage that may go on while a server runs; nil if the engine tells of damage by itself.
    func damageSearch() throws -> (any DamageSearch)?
    /// The ids of all sessions, including hidden ones.
    func allSessions() throws -> [String]
    /// The rows of all sessions, including hidden ones, whatever they hold.
    func sessionRows() throws -> [Int64]
    /// The ids of sessions by their rows, as far as they are known without reading the sessions.
    var knownSessions: [Int64: String] { get }
    /// Rows of a table as they are stored.
    func rows(_ table: StoredTable, _ rows: StoredRows) throws -> [StoredRow]
    /// The sessions that rows of a table refer to although they don't exist, and how many such rows there are.
    func strangers(_ table: StoredTable) throws -> [(session: StoredValue, rows: Int)]
    /// What the engine stores besides the common tables and isn't what the session says.
    func derivedProblems(of session: Session) throws -> [String]
    /// The failures of background work on a session.
    func troubles(of session: Int64) throws -> [String]
}

/// Looks for damage in all of an archive, which takes long if it is large.
package protocol DamageSearch: Sendable {
    /// Makes damaged indexes anew, where nothing else is damaged.
    ///
    /// - Throws: The engine's errors; any error after ``stop()``.
    func run() throws -> FoundDamage
    func stop()
}

package struct FoundDamage: Sendable {
    package var problems: [String] = []
    /// The indexes that were damaged and are made anew.
    package var rebuilt: [String] = []
}
