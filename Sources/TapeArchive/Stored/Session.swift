import Foundation
package import TapeFormat

/// What the archive stores about a session, except its lines.
package struct Session: Sendable {
    /// The session's row number in the archive, in order of first receipt.
    package let row: Int64
    /// The owner that may append.
    package let owner: String
    /// An upload that isn't complete.
    package let hidden: Bool
    package let header: Header
    /// The stored header can't be read, so this one is a substitute.
    package var isHeaderDamaged = false
    /// The stored positions can't be right, so these are substitutes: nothing can be appended.
    package var isEndDamaged = false
    /// The server's clock at the first and the last commit, in ms since 1970.
    package let received: Int
    package let lastSeen: Int
    /// The lowest seq that isn't stored: every event below is committed.
    package let next: Int
    /// Every event below is sealed and never changes.
    package let sealed: Int
    package var bytes: Int
    /// `at` of the last line, in ms.
    package var duration: Double
    /// The tape has every line from the first one on.
    package let complete: Bool
    /// The reason of the `end` line, empty if it has none; nil if the session hasn't ended.
    package var ended: String?
    package let title: String?
    package let kept: Bool
    /// Whether a page has paused the recording.
    package let isPaused: Bool
    /// The number of bookmarks, and of changes to them.
    package let bookmarks: Int
    package let marked: Int
    /// The nickname of the session's device.
    package let nickname: String?
    /// The result of a replay into the session's app.
    package let replay: JSON?
    /// Why the app did not launch as asked; nil if it did, or was not asked.
    package let startFailed: JSON?

    /// The version in URLs of events: responses at such a URL may be cached forever.
    package let version: Int
    /// Why background work on the session has stopped; nil if it hasn't.
    package let setAside: String?

    package init(
        row: Int64, owner: String, hidden: Bool, header: Header, isHeaderDamaged: Bool = false,
        isEndDamaged: Bool = false, received: Int, lastSeen: Int, next: Int, sealed: Int, bytes: Int,
        duration: Double, complete: Bool, ended: String?, title: String?, kept: Bool, isPaused: Bool, bookmarks: Int,
        marked: Int, nickname: String?, replay: JSON?, startFailed: JSON?, version: Int, setAside: String?
    ) {
        (self.row, self.owner, self.hidden, self.header) = (row, owner, hidden, header)
        (self.isHeaderDamaged, self.isEndDamaged, self.received) = (isHeaderDamaged, isEndDamaged, received)
        (self.lastSeen, self.next, self.sealed, self.bytes, self.duration) = (lastSeen, next, sealed, bytes, duration)
        (self.complete, self.ended, self.title, self.kept, self.isPaused) = (complete, ended, title, kept, isPaused)
        (self.bookmarks, self.marked, self.nickname, self.replay) = (bookmarks, marked, nickname, replay)
        (self.startFailed, self.version, self.setAside) = (startFailed, version, setAside)
    }

    package var id: String { header.session }
    /// The first seq: 0, except for a part of a longer tape.
    package var first: Int { min(header.from ?? 0, next) }

    /// The header with the names that people gave the session and its device, unless it would be too long.
    package var namedHeader: Header {
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
    package func summary(live: LiveApp?) -> JSON {
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

    package static func text(_ milliseconds: Int) -> String {
        // At most the end of the year 9999, the format's limit.
        Date(timeIntervalSince1970: Double(min(max(0, milliseconds), 253_402_300_799_999)) / 1000)
            .formatted(Date.ISO8601FormatStyle(includingFractionalSeconds: true))
    }
}

extension Session {
    /// A stand-in for a session that can't be read.
    package init(unreadableIn row: Int64, id: String, app: String, received: Int) {
        self.init(
            row: row, owner: "", hidden: false,
            header: Header(session: id, app: .init(id: app), started: Self.text(received)), isHeaderDamaged: true,
            received: received, lastSeen: received, next: 0, sealed: 0, bytes: 0, duration: 0, complete: false,
            ended: nil, title: nil, kept: false, isPaused: false, bookmarks: 0, marked: 0, nickname: nil,
            replay: nil, startFailed: nil, version: 1, setAside: nil)
    }
}

/// The filters of a list of sessions. The list has the newest first.
package struct SessionQuery: Sendable {
    package var app: String?
    package var labels: [(key: String, value: String)] = []
    /// Text to find in the header, title, nickname, types, notes or bookmarks.
    package var text: String?
    /// Only these ids, and all but these ids.
    package var only: Set<String>?
    package var except: Set<String>?
    package var limit = 50
    /// Only sessions that come later in the list.
    package var after: SessionCursor?

    package init(
        app: String? = nil, labels: [(key: String, value: String)] = [], text: String? = nil, only: Set<String>? = nil,
        except: Set<String>? = nil, limit: Int = 50, after: SessionCursor? = nil
    ) {
        (self.app, self.labels, self.text, self.only, self.except) = (app, labels, text, only, except)
        (self.limit, self.after) = (limit, after)
    }
}

/// One page of a list of sessions.
package struct SessionPage: Sendable {
    package let sessions: [Session]
    /// The place of the last session, where the next page begins; nil on the last page.
    package let next: SessionCursor?

    package init(sessions: [Session], next: SessionCursor?) {
        (self.sessions, self.next) = (sessions, next)
    }
}

/// A session's place in the list: by the time of receipt, and at equal times by the row in the archive.
package struct SessionCursor: Sendable, Equatable, CustomStringConvertible {
    /// In ms since 1970.
    package let received: Int
    package let row: Int64

    package init(received: Int, row: Int64) {
        self.received = received
        self.row = row
    }

    /// Nil if it isn't a place's text.
    package init?(_ text: String) {
        let parts = text.split(separator: "-", omittingEmptySubsequences: false)
        guard parts.count == 2, let received = Int(parts[0]), let row = Int64(parts[1]), received >= 0, row >= 0
        else { return nil }
        self.init(received: received, row: row)
    }

    package var description: String { "\(received)-\(row)" }
}
