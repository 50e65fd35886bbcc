import TapeArchive

/// A hidden session: an upload that isn't complete, unless its mark is damaged.
struct HiddenSession {
    private let stored: StoredRow

    init(_ stored: StoredRow) {
        self.stored = stored
    }

    /// Why the session can't be an unfinished upload; nil if it can be one. The sweep of uploads asks the same in SQL.
    func contradiction(_ archive: any Archive, _ row: Int64) throws -> String? {
        if stored.bytes("key")?.isEmpty == false { return "it isn't an upload" }
        for (column, sign) in [
            ("title", "title"), ("replay", "result of a replay"), ("failure", "failed launch"),
        ] where stored[column] != .nothing {
            return Self.has(sign)
        }
        for (column, sign) in [
            ("kept", "mark to be kept"), ("paused", "paused recording"), ("bookmarks", "bookmarks"),
            ("marked", "changes to bookmarks"),
        ] where stored[column] != .int(0) {
            return Self.has(sign)
        }
        if try !archive.rows(.bookmark, .session(row)).isEmpty { return Self.has("bookmarks") }
        // An upload of a deleted session has a version of its own, and may have inherited a launch state.
        guard let version = stored.int("version"), let received = stored.int("received"), version < received,
            let id = stored.text("id"),
            try archive.rows(.launch, .all).contains(where: { $0.text("session") == id })
        else { return nil }
        return Self.has("launch state")
    }

    private static func has(_ sign: String) -> String { "an unfinished upload has no \(sign)" }
}
