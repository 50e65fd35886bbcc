/// The tables that both engines have, with their columns except the large ones.
package enum StoredTable: String, CaseIterable {
    package enum Kind { case int, double, flag, text, bytes }

    case session, batch, chunk, head, name, keyframe, base, word, bookmark, trouble, deleted, device, launch
    case identity

    /// The tables with rows of sessions.
    package static let ofSessions: [StoredTable] = [
        .batch, .chunk, .head, .name, .keyframe, .base, .word, .bookmark, .trouble,
    ]

    package var columns: [(name: String, kind: Kind)] {
        switch self {
        case .session:
            [
                ("id", .text), ("key", .bytes), ("owner", .text), ("app", .text), ("device", .text),
                ("header", .text), ("received", .int), ("seen", .int), ("next", .int), ("sealed", .int),
                ("bytes", .int), ("duration", .double), ("complete", .flag), ("ended", .text), ("title", .text),
                ("kept", .flag), ("paused", .flag), ("hidden", .flag), ("version", .int), ("bookmarks", .int),
                ("marked", .int), ("replay", .text), ("failure", .text),
            ]
        case .batch, .chunk, .head: [("first", .int), ("next", .int)]
        case .name: [("number", .int), ("text", .text)]
        case .keyframe: [("store", .text), ("seq", .int)]
        case .base: [("store", .text), ("seq", .int), ("kind", .int)]
        case .word: [("row", .int), ("text", .text)]
        case .bookmark:
            [
                ("number", .int), ("seq", .int), ("text", .text), ("author", .text), ("made", .int),
                ("word", .int),
            ]
        case .trouble: [("seq", .int), ("count", .int), ("reason", .text)]
        case .deleted: [("id", .text), ("row", .int)]
        case .device: [("id", .text), ("nickname", .text)]
        case .launch:
            [
                ("id", .text), ("app", .text), ("device", .text), ("labels", .text), ("mode", .text),
                ("session", .text), ("seq", .int), ("once", .flag),
            ]
        case .identity: [("id", .text)]
        }
    }
}

/// Which rows of a table to read.
package enum StoredRows {
    case all
    case session(Int64)
    /// Those with a `seq` in a range, or outside of it, where damaged values are too.
    case inside(Int64, Range<Int>)
    case outside(Int64, Range<Int>)
}
