import TapeFormat

/// What a damaged or hand-made file can make a repair read at most. A server writes nothing that is larger.
enum ValueLimits {
    /// The columns of a row: those of the largest table, and some that a newer version may have.
    static let columns = 32
    /// Bytes of the part of a row that has the types of its columns.
    static let types = 256
    /// Bytes of lines, or of a state: one line of the greatest length, or many in one message.
    static let lines = Limits.line + (16 << 20)
    /// Bytes of any other value, such as a header or a title.
    static let other = 4 << 20
    /// Pages of an archive whose size only a damaged file tells.
    static let pages = 1 << 22
    /// Of which only the index has the ids.
    static let sessions = 1_000_000

    /// The tables with lines, or with states.
    static func bytes(in table: String) -> Int { ["batch", "chunk", "keyframe"].contains(table) ? lines : other }
}
