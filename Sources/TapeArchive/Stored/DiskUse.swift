/// The space that the archive takes.
package struct DiskUse: Sendable {
    package let sessions: Int
    /// Bytes on disk, including the log.
    package let bytes: Int
    /// Bytes of that in free pages.
    package let freeBytes: Int

    package init(sessions: Int, bytes: Int, freeBytes: Int) {
        (self.sessions, self.bytes, self.freeBytes) = (sessions, bytes, freeBytes)
    }
}
