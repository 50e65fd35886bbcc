import TapeFormat

/// What an archive stores about a session besides its lines, for a copy in another archive.
struct SessionRecord: Sendable {
    let session: Session
    let keyHash: [UInt8]
    let bookmarks: [Bookmark]
    /// The lines whose patches are marked as broken.
    let broken: [(store: String, seq: Int)]
    /// Whether the copy has every line from the first one on.
    let complete: Bool
}
