/// Stores the tapes. Several processes can use the same archive in a database.
///
/// Functions throw the database driver's errors. Functions that write throw ``Unwritable`` if nothing can be written at the
/// moment. A failed commit stores nothing.
package protocol Archive: TapeStore, SessionCatalogue, LaunchStateStore, ArchiveInspection {
    /// A random name that the archive keeps for ever. Its copies have the same one.
    var id: String { get }
    func close() throws
    /// The name of the engine in metrics.
    var engine: String { get }
}

/// Where background work on a session failed last, and how often.
package struct RetryState: Sendable, Equatable {
    /// Every event below is sealed.
    package let seq: Int
    package let count: Int

    package init(seq: Int, count: Int) {
        (self.seq, self.count) = (seq, count)
    }
}
