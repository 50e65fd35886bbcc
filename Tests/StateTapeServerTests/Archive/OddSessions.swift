import Foundation
import SampleTapes
import TapeFormat

@testable import StateTapeServer
@testable import TapeArchive
@testable import TapeEngine

/// Sessions with all that an archive can hold, for tests that copy them.
struct OddSessions {
    let archive: any Archive
    private static let text = "Ä\0 100 % _ \\ ' \" 🎉 e\u{301} \u{10ffff}"

    init(_ archive: any Archive) {
        self.archive = archive
    }

    /// A random tape that is sealed in part, a part of a longer tape, an empty session, a named one, a long state;
    /// also a deleted session, an incomplete upload and launch states.
    func record() throws {
        try recordRandom()
        try recordPart()
        _ = try record("SESSION-EMPTY-0001", [], received: 3_000)
        try recordNamed()
        try recordLarge()
        let gone = try record("SESSION-GONE-0001", Sample.counting(to: 3))
        try archive.delete(gone)
        while try archive.sweep() {}
        let hidden = SessionLease(header: Sample.header("HIDDEN-0001"), owner: "upload", before: nil)
        _ = try archive.commit([.claim(hidden)], received: 1_000)
        for (id, session) in [("s1", "SESSION-PART-0001"), ("s2", "SESSION-LARGE-0001"), ("s3", nil)] {
            try archive.put(
                LaunchState(
                    id: id, app: Self.text, device: id == "s1" ? nil : Self.text, labels: [id: Self.text],
                    mode: session == nil ? .latest : .state, session: session,
                    seq: session.map { $0.contains("PART") ? 101 : 3 }, once: id == "s2"))
        }
    }

    /// A session with these lines, in batches.
    func record(_ id: String, _ lines: [EventLine], received: Int = 2_000, header: Header? = nil) throws -> Session {
        let opening = SessionOpening(header: header ?? Sample.header(id), keyHash: Sample.key, owner: "one")
        guard case .opened(let session)? = try archive.commit([.open(opening)], received: received).first else {
            throw Ended(description: "the session is refused")
        }
        try append(lines, to: session, owner: "one", received: received + 5)
        return try stored(id)
    }

    /// Seals all full chunks, and with `rest` all lines.
    func seal(_ session: Session, rest: Bool = true) throws {
        let (tapes, states) = (Tapes(archive), States())
        var followed = try FollowedTape(tapes[session], archive, states)
        var seals: [Seal] = []
        try tapes[session].each(in: followed.next..<session.next) { line in
            seals += try followed.take(line, tapes[session], states).map { [$0] } ?? []
            return true
        }
        if rest { seals += try followed.seal(session).map { [$0] } ?? [] }
        for outcome in try archive.commit(seals.map { .seal($0) }, received: 0) {
            guard case .sealed = outcome else { throw Ended(description: "the lines are not sealed") }
        }
    }

    private func append(_ lines: [EventLine], to session: Session, owner: String, received: Int) throws {
        for start in stride(from: 0, to: lines.count, by: 100) {
            let batch = Batch(
                session: session.row, owner: owner, lines: Array(lines[start..<min(lines.count, start + 100)]))
            guard case .appended? = try archive.commit([.append(batch)], received: received).first else {
                throw Ended(description: "the lines are refused")
            }
        }
    }

    private func stored(_ id: String) throws -> Session {
        guard let session = try archive.upload(id) else { throw Ended(description: "the session is missing") }
        return session
    }

    /// Several stores, gaps, patches that don't apply, notes, whole states that sealing makes patches.
    private func recordRandom() throws {
        var chance = Chance(11)
        var tape = RandomTape()
        let lines = (0..<1_500).map { _ in tape.next(&chance) }
        try seal(record("SESSION-RANDOM-0001", lines, received: 5_000), rest: false)
        let last = (lines.last?.seq ?? 0) + 1
        let session = try stored("SESSION-RANDOM-0001")
        try append([Sample.end(last)], to: session, owner: "one", received: 7_000)
    }

    /// A part of a longer tape, with the states before its first event. It was deleted once, so that it has a version
    /// of its own.
    private func recordPart() throws {
        try archive.delete(record("SESSION-PART-0001", [Sample.start(0)]))
        var header = Sample.header("SESSION-PART-0001")
        header.from = 100
        header.states = ["main": ["n": 99], "café\0": ["text": .string(Self.text)]]
        let claim = SessionLease(header: header, owner: "upload", before: nil)
        guard case .opened(let session)? = try archive.commit([.claim(claim)], received: 4_000).first else {
            throw Ended(description: "the part is refused")
        }
        let lines = (100..<500).map { Sample.count($0, to: $0) }
        try append(lines, to: session, owner: "upload", received: 4_000)
        try seal(stored("SESSION-PART-0001"))
        try archive.show(session.row, labels: ["part": Self.text.replacing("\0", with: "")])
    }

    private func recordNamed() throws {
        let lines = Sample.counting(to: 5)
        let header = Sample.header("SESSION-NAMED-0001", app: Self.text, device: Self.text, labels: ["a": "1"])
        // At the time of another session, so that the order of both counts.
        let session = try record("SESSION-NAMED-0001", lines, received: 3_000, header: header)
        try archive.edit(session.row, title: Self.text, labels: ["b": "2"], kept: true)
        try archive.pause(session.row, true)
        for number in 0..<4 {
            let place = Bookmark.Content(
                seq: 4 - number, text: "\(Self.text) \(number)", author: number == 1 ? nil : Self.text)
            _ = try archive.mark(session.row, place, made: 9_000 + number, most: 10)
        }
        _ = try archive.unmark(session.row, number: 2)
        _ = try archive.name(device: Self.text, "Nick \(Self.text)", most: 1)
        try archive.keep(["status": "done", "why": .string(Self.text)], of: session.row)
    }

    /// Keyframes in the middle of a tape, and lines after the sealed ones.
    private func recordLarge() throws {
        let filler = String(repeating: "x", count: 4_000)
        let lines = (0..<600).map { seq in
            seq == 0
                ? Sample.start(0)
                : Sample.action(
                    seq, ("patch", [["op": "add", "path": "/f", "value": .string("\(seq) \(filler)")]]))
        }
        try seal(record("SESSION-LARGE-0001", lines, received: 1_000), rest: false)
    }
}

/// Everything that an archive answers, as texts without row numbers.
struct ArchiveSnapshot {
    private(set) var texts: [String] = []

    init(_ archive: any Archive) throws {
        var query = SessionQuery()
        query.limit = 1_000
        let sessions = try archive.sessions(query).sessions
        texts.append("list \(sessions.map(\.id))")
        for session in sessions { try add(session, archive) }
        for text in ["100 %", "🎉", "nick", "note 3", "counter", "_", "\\"] {
            query.text = text
            texts.append("search \(text) \(try archive.sessions(query).sessions.map(\.id))")
        }
        texts.append("launch states \(try archive.launchStates())")
        texts.append("deleted \(try archive.deletedSessions().sorted())")
    }

    private mutating func add(_ session: Session, _ archive: any Archive) throws {
        func note(_ name: String, _ value: Any) { texts.append("\(session.id) \(name) \(value)") }
        let row = session.row
        var summary = session.summary(live: nil).object ?? JSON.Object()
        summary["version"] = nil
        note("summary", JSON.object(summary).text)
        note("version", session.version)
        note("header", session.header.json.text)
        note(
            "owner",
            "\(session.owner) \(session.hidden) \(session.received) \(session.lastSeen) \(session.first)"
        )
        note("paused", session.isPaused)
        note("key", try archive.keyHash(of: row))
        note("bookmarks", try archive.bookmarks(of: row))
        note("broken", try archive.brokenSeqs(of: row).sorted())
        note("names", try archive.names(of: row, from: 0))
        note("unsealed", try archive.unsealed().contains(session.id))
        for (store, seq) in try archive.keyframes(of: row, in: -1..<Limits.seq).sorted(by: { $0.seq < $1.seq }) {
            let state = try archive.keyframe(of: row, store: store, at: seq).map {
                String(decoding: $0, as: UTF8.self)
            }
            texts.append("\(session.id) keyframe \(store) \(seq) \(state ?? "none")")
        }
        let (tape, states) = (Tapes(archive)[session], States())
        for store in try archive.stores(of: row, upTo: Limits.seq).sorted() {
            for seq in stride(from: session.first, to: session.next, by: 37) {
                note("state of \(store) after \(seq)", try states.state(of: tape, store: store, after: seq))
                note("base of \(store) at \(seq)", try archive.base(of: row, store: store, upTo: seq) as Any)
            }
        }
        var seq = session.first
        while let batch = try archive.batch(of: row, from: seq, joinedTo: 0) {
            let columns = try archive.columns(of: row, at: seq)
            // Batches may be joined by a copy, chunks may not.
            if let columns { note("chunk", "\(batch.first) \(batch.next) \(SHA256.hex(columns))") }
            // A batch may be sealed in part.
            for line in try batch.lines where line.seq >= seq {
                note("line", String(decoding: line.bytes, as: UTF8.self))
            }
            seq = batch.next
        }
    }
}
