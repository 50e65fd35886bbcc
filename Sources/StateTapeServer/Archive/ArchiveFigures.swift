/// The size of the archive.
struct ArchiveFigures: Sendable {
    let sessions: Int
    /// Bytes on disk, including the log.
    let bytes: Int
    /// Bytes of that in free pages.
    let freeBytes: Int
}
