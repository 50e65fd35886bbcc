import Foundation
import TapeFormat

/// What the archive stores about a session, except its lines.
struct Session: Sendable {
    /// The session's row number in the archive, in order of first receipt.
    let row: Int64
    /// The owner that may append.
    let owner: String
    /// An upload that isn't complete.
    let hidden: Bool
    let header: Header
    /// The stored header can't be read, so this one is a substitute.
    var isHeaderDamaged = false
    /// The stored positions can't be right, so these are substitutes: nothing can be appended.
    var isPlaceDamaged = false
    /// The server's clock at the first and the last commit, in ms since 1970.
    let received: Int
    let lastSeen: Int
    /// The lowest seq that isn't stored: every event below is committed.
    let next: Int
    /// Every event below is sealed and never changes.
    let sealed: Int
    let bytes: Int
    /// `at` of the last line, in ms.
    let duration: Double
    /// The tape has every line from the first one on.
    let complete: Bool
    /// The reason of the `end` line, empty if it has none; nil if the session hasn't ended.
    let ended: String?
    let title: String?
    let kept: Bool
    /// Whether a page has paused the recording.
    let isPaused: Bool
    /// The number of bookmarks, and of changes to them.
    let bookmarks: Int
    let marked: Int
    /// The nickname of the session's device.
    let nickname: String?
    /// The result of a replay into the session's app.
    let replay: JSON?
    /// Why the app did not launch as asked; nil if it did, or was not asked.
    let startFailed: JSON?

    /// The version in URLs of events: responses at such a URL may be cached forever.
    let version: Int
    /// Why background work on the session has stopped; nil if it hasn't.
    let setAside: String?

    var id: String { header.session }
    /// The first seq: 0, except for a part of a longer tape.
    var first: Int { min(header.from ?? 0, next) }

    /// The header with the names that people gave the session and its device, unless it would be too long.
    var namedHeader: Header {
        guard title != nil || nickname != nil else { return header }
        var named = header
        // An empty title was removed.
        if let title { named.title = title.isEmpty ? nil : title }
        named.device?.nickname = nickname ?? header.device?.nickname
        named.states = nil
        guard named.json.text.utf8.count <= Limits.header else { return header }
        named.states = header.states
        return named
    }

    /// The header with the session's other properties.
    ///
    /// - Parameter live: Nil if the app isn't connected.
    func summary(live: LiveApp?) -> JSON {
        guard case .object(var summary) = header.json else { return .null }
        summary["live"] = .bool(live != nil)
        summary["recording"] = live.map { .bool($0.recording) }
        summary["locked"] = live.map { .bool($0.locked) }
        summary["queued"] = live.flatMap { $0.queued > 0 ? .number(.init($0.queued)) : nil }
        summary["events"] = .number(.init(next))
        summary["sealed"] = .number(.init(sealed))
        summary["bytes"] = .number(.init(bytes))
        summary["received"] = .string(Self.text(received))
        summary["lastSeen"] = .string(Self.text(lastSeen))
        summary["ended"] = .bool(ended != nil)
        // Also when nil: it must replace a member of that name in the header.
        summary["endReason"] = ended.flatMap { $0.isEmpty ? nil : .string($0) }
        summary["complete"] = .bool(complete)
        summary["duration"] = JSON.Number(duration).map(JSON.number)
        summary["title"] = (title ?? header.title).map(JSON.string)
        summary["version"] = .number(.init(version))
        summary["kept"] = .bool(kept)
        summary["bookmarks"] = ["count": .number(.init(bookmarks)), "changes": .number(.init(marked))]
        if let nickname, var device = summary["device"]?.object {
            device["nickname"] = .string(nickname)
            summary["device"] = .object(device)
        }
        summary["replay"] = live?.replay ?? replay
        summary["startFailed"] = startFailed
        summary["loop"] = live?.loop
        summary["setAside"] = setAside.map(JSON.string)
        return .object(summary)
    }

    static func text(_ milliseconds: Int) -> String {
        // At most the end of the year 9999, the format's limit.
        Date(timeIntervalSince1970: Double(min(max(0, milliseconds), 253_402_300_799_999)) / 1000)
            .formatted(Date.ISO8601FormatStyle(includingFractionalSeconds: true))
    }
}

extension Session {
    /// A stand-in for a session that can't be read.
    init(unreadableIn row: Int64, id: String, app: String, received: Int) {
        self.init(
            row: row, owner: "", hidden: false,
            header: Header(session: id, app: .init(id: app), started: Self.text(received)), isHeaderDamaged: true,
            received: received, lastSeen: received, next: 0, sealed: 0, bytes: 0, duration: 0, complete: false,
            ended: nil, title: nil, kept: false, isPaused: false, bookmarks: 0, marked: 0, nickname: nil,
            replay: nil, startFailed: nil, version: 1, setAside: nil)
    }
}

/// The filters of a list of sessions. The list has the newest first.
struct SessionQuery: Sendable {
    var app: String?
    var labels: [(key: String, value: String)] = []
    /// Text to find in the header, title, nickname, types, notes or bookmarks.
    var text: String?
    /// Only these ids, and all but these ids.
    var only: Set<String>?
    var except: Set<String>?
    var limit = 50
    /// Only sessions that come later in the list.
    var after: SessionPlace?
}

/// One page of a list of sessions.
struct SessionPage: Sendable {
    let sessions: [Session]
    /// The place of the last session, where the next page begins; nil on the last page.
    let next: SessionPlace?
}

/// A session's place in the list: by the time of receipt, and at equal times by the row in the archive.
struct SessionPlace: Sendable, Equatable, CustomStringConvertible {
    /// In ms since 1970.
    let received: Int
    let row: Int64

    init(received: Int, row: Int64) {
        self.received = received
        self.row = row
    }

    /// Nil if it isn't a place's text.
    init?(_ text: String) {
        let parts = text.split(separator: "-", omittingEmptySubsequences: false)
        guard parts.count == 2, let received = Int(parts[0]), let row = Int64(parts[1]), received >= 0, row >= 0
        else { return nil }
        self.init(received: received, row: row)
    }

    var description: String { "\(received)-\(row)" }
}
