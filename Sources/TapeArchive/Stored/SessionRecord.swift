import TapeFormat

/// What an archive stores about a session besides its lines, for a copy in another archive.
package struct SessionRecord: Sendable {
    package let session: Session
    package let keyHash: [UInt8]
    package let bookmarks: [Bookmark]
    /// The lines whose patches are marked as broken.
    package let broken: [(store: String, seq: Int)]
    /// Whether the copy has every line from the first one on.
    package let complete: Bool

    package init(
        session: Session, keyHash: [UInt8], bookmarks: [Bookmark], broken: [(store: String, seq: Int)], complete: Bool
    ) {
        (self.session, self.keyHash, self.bookmarks, self.broken) = (session, keyHash, bookmarks, broken)
        self.complete = complete
    }
}
