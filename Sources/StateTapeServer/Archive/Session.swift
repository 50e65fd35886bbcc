#if Server
    import Foundation
    import TapeFormat

    /// What the archive knows of a session beside its lines.
    struct Session: Sendable {
        /// The archive's own number for it, in order of first receipt.
        let row: Int64
        /// Who may append.
        let owner: String
        /// An upload that isn't complete.
        let hidden: Bool
        let header: Header
        /// The header is made up, since the kept one can't be read.
        var isHeaderDamaged = false
        /// The server's clock at the first and at the last commit, in ms since 1970.
        let received: Int
        let lastSeen: Int
        /// The lowest seq that isn't held: everything below is committed.
        let next: Int
        /// Everything below is sealed, and never changes.
        let sealed: Int
        let bytes: Int
        /// `at` of the last line, in ms.
        let duration: Double
        /// No line is missing from the first one on.
        let complete: Bool
        /// The reason of the `end` line, empty if it gave none; nil while the session goes on.
        let ended: String?
        let title: String?
        let kept: Bool
        /// How many bookmarks there are, and how many changes were made to them.
        let bookmarks: Int
        let marked: Int
        /// What people call its device.
        let nickname: String?
        /// What became of the actions that were replayed into its app.
        let replay: JSON?

        /// Of what is answered for an event: addresses that bear it may be kept for ever.
        let version: Int
        /// Why nothing more is done with it in the background; nil if that isn't so.
        let setAside: String?

        var id: String { header.session }
        /// The first seq: 0, but for a tape that was cut out of a longer one.
        var first: Int { min(header.from ?? 0, next) }

        /// The header with what is shown beside it.
        ///
        /// - Parameter live: Nil if its app isn't connected.
        func summary(live: LiveApp?) -> JSON {
            guard case .object(var summary) = header.json else { return .null }
            summary["live"] = .bool(live != nil)
            summary["recording"] = live.map { .bool($0.recording) }
            summary["locked"] = live.map { .bool($0.locked) }
            summary["events"] = .number(.init(next))
            summary["sealed"] = .number(.init(sealed))
            summary["bytes"] = .number(.init(bytes))
            summary["received"] = .string(Self.text(received))
            summary["lastSeen"] = .string(Self.text(lastSeen))
            summary["ended"] = .bool(ended != nil)
            // None, too, takes the place of what a header may have under that name.
            summary["endReason"] = ended.flatMap { $0.isEmpty ? nil : .string($0) }
            summary["complete"] = .bool(complete)
            summary["duration"] = JSON.Number(duration).map(JSON.number)
            summary["title"] = title.map(JSON.string)
            summary["version"] = .number(.init(version))
            summary["kept"] = .bool(kept)
            summary["bookmarks"] = ["count": .number(.init(bookmarks)), "changes": .number(.init(marked))]
            if let nickname, var device = summary["device"]?.object {
                device["nickname"] = .string(nickname)
                summary["device"] = .object(device)
            }
            summary["replay"] = live?.replay?.json ?? replay
            summary["setAside"] = setAside.map(JSON.string)
            return .object(summary)
        }

        static func text(_ milliseconds: Int) -> String {
            // Up to the end of the year 9999, as the format has it.
            Date(timeIntervalSince1970: Double(min(max(0, milliseconds), 253_402_300_799_999)) / 1000)
                .formatted(Date.ISO8601FormatStyle(includingFractionalSeconds: true))
        }
    }

    /// Which sessions a list holds: newest first, those that pass every filter.
    struct SessionQuery: Sendable {
        var app: String?
        var labels: [(key: String, value: String)] = []
        /// Text somewhere in the header, title, nickname, types, notes or bookmarks.
        var text: String?
        /// Only these ids, or all but these.
        var only: Set<String>?
        var except: Set<String>?
        var limit = 50
        /// Only sessions received before this one.
        var before: Int64?
    }

    /// Some sessions of a list.
    struct SessionPage: Sendable {
        let sessions: [Session]
        /// What those of the next page are received before; nil if this is the last.
        let next: Int64?
    }
#endif
