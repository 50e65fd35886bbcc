package import TapeEngine
import TapeFormat

/// The lines of all sessions: those that wait for sealing, the sealed ones, the states, and what is damaged. One caller at
/// a time commits in each process; any thread may read at any time.
package protocol TapeStore: Sendable {
    /// Commits a group of changes in one transaction: all of them, or none if it throws.
    ///
    /// - Parameter received: The time of receipt, in ms since 1970.
    /// - Returns: An outcome for each change, in order.
    func commit(_ group: [Change], received: Int) throws -> [Outcome]
    /// The shortest time from the start of one commit to that of the next, while many apps record: a commit costs a
    /// row for each app, however few events it brings.
    var pace: Duration { get }
    func diskUse() throws -> DiskUse
    /// Why data written now would be lost although writing works; nil if that isn't so.
    var misplacement: String? { get }
    /// For each id the lowest seq that isn't stored; 0 for an unknown id.
    func next(of ids: Set<String>) throws -> [String: Int]
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
    /// Notes that background work on a session failed at an event. The note lasts until that event is sealed.
    ///
    /// - Returns: How often work failed there.
    func noteTrouble(_ session: Int64, at seq: Int, _ reason: String) throws -> Int
    /// The sessions with such failures, and how often they happened.
    func troubles() throws -> [Int64: RetryState]
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
    /// Events that were acknowledged and were missing when the archive was opened.
    var lost: [LostEvents] { get }
    /// How many confirmed changes by users were missing when the archive was opened.
    var lostEdits: Int { get }
    /// The tables whose indexes were damaged when the archive was opened, and were made anew.
    var rebuiltIndexes: [String] { get }
    /// Whether the archive was put in the place of another one.
    var isReplaced: Bool { get }
    /// Puts a gap in the place of lost events, unless the app has sent them again or is connected.
    ///
    /// - Returns: What was filled.
    func fillLost(_ isConnected: (_ session: String) -> Bool) throws -> [LostEvents]
}
