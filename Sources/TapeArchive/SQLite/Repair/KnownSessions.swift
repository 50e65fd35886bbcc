/// What the file beside a damaged archive knows of its sessions, and the index of their ids.
struct KnownSessions {
    private let slots: [Int64: Acknowledged.End]
    /// By rows; empty if all rows of sessions could be read.
    let indexed: [Int64: String]
    private let ends: [String: Int]
    /// Whether the archive isn't the one that the folder had before: then the rows are those of other sessions.
    let isReplaced: Bool

    init(_ slots: [Int64: Acknowledged.End], indexed: [Int64: String], archive: String?) {
        (self.slots, self.indexed) = (slots, indexed)
        let sessions = Acknowledged.sessions(slots)
        ends = Dictionary(sessions.values.map { ($0.id, $0.next) }) { max($0, $1) }
        isReplaced = archive.map { SQLiteArchive.isReplaced($0, slots) } ?? false
    }

    /// The id of the session in a row that can't be read.
    func id(in row: Int64) -> String? {
        guard !isReplaced, let end = slots[row] else { return indexed[row] }
        return end.isDeleted ? nil : end.id
    }

    /// The seq after the last event that was acknowledged.
    func end(of id: String) -> Int { ends[id] ?? 0 }

    /// The sessions that somebody has deleted, by their rows.
    var deleted: [Int64: String] { isReplaced ? [:] : slots.filter { $0.value.isDeleted }.mapValues(\.id) }
}
