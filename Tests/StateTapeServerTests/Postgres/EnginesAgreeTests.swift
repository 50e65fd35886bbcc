import Foundation
import SampleTapes
import TapeFormat
import Testing

@testable import StateTapeServer
@testable import TapeArchive
@testable import TapeArchivePostgres
@testable import TapeEngine

/// The same random work in both engines, and then every question that an archive answers.
@Suite struct EnginesAgreeTests {
    @Test("Both engines answer every question alike after the same random work", arguments: [1, 2, 3] as [UInt64])
    func alike(seed: UInt64) throws {
        let seed =
            seed &+ (ProcessInfo.processInfo.environment["STATETAPE_SEED"].flatMap(UInt64.init) ?? 1) &* 1_000
        let folder = TemporaryFolder()
        try FileManager.default.createDirectory(at: folder.url, withIntermediateDirectories: true)
        let sqlite = try SQLiteArchive(folder.url.appendingPathComponent("archive.sqlite"), sync: .normal)
        let address = try PostgresAddress(PrivatePostgres.shared.get().makeDatabase())
        let postgres = try PostgresArchive(address, sync: .normal, logger: PrivatePostgres.logger)
        var (one, other) = (RandomWork(sqlite, seed), RandomWork(postgres, seed))
        for round in 0..<6 {
            for _ in 0..<40 {
                let (left, right) = (try one.work(), try other.work())
                #expect(left == right, "round \(round)")
                if left != right { return }
            }
            let (left, right) = (try one.answers(), try other.answers())
            for (left, right) in zip(left, right) where left != right {
                let same = zip(left, right).prefix { $0 == $1 }.count
                let (left, right) = (left.dropFirst(same - 40).prefix(400), right.dropFirst(same - 40).prefix(400))
                Issue.record("round \(round): SQLite answers\n\(left)\nand PostgreSQL\n\(right)")
                return
            }
            #expect(left.count == right.count)
        }
        try sqlite.close()
        try postgres.close()
    }
}

/// Random changes of an archive; the same for the same seed.
private struct RandomWork {
    let archive: any Archive
    let tapes: Tapes
    let states = States(maxState: Limits.state)
    var chance: Chance
    var tapesByID: [String: RandomTape] = [:]
    var owners: [String: String] = [:]
    var time = 1_000

    init(_ archive: any Archive, _ seed: UInt64) {
        self.archive = archive
        tapes = Tapes(archive)
        chance = Chance(seed)
    }

    static let ids = (0..<8).map { "SESSION-000\($0)" } + ["session_lower", "SESSION-00012", "Other-0-session"]

    mutating func text() -> String { OddTexts.all[chance.below(OddTexts.all.count)] }

    /// SQLite's JSON functions end a text at a NUL, so that it doesn't find what PostgreSQL finds.
    mutating func headerText() -> String { text().replacing("\0", with: "0") }

    /// Makes one change.
    ///
    /// - Returns: What the archive answered.
    mutating func work() throws -> String {
        time += chance.below(3) * 1_000
        let id = Self.ids[chance.below(Self.ids.count)]
        let kind = chance.below(20)
        let session = try archive.upload(id)
        switch kind {
        case 0..<3: return try open(id)
        case 3..<9: return try append(session)
        case 9..<12: return try seal(session)
        case 12:
            let (title, key, value, kept) = (text(), headerText(), headerText(), chance.once(in: 2))
            let changesLabels = chance.once(in: 2)
            guard let session else { return "none" }
            try archive.edit(session.row, title: title, labels: changesLabels ? [key: value] : nil, kept: kept)
        case 13:
            let (text, author, isNamed) = (text(), text(), chance.once(in: 2))
            guard let session else { return "none" }
            let place = Bookmark.Content(
                seq: chance.below(session.next + 1), text: text, author: isNamed ? author : nil)
            return "\(try archive.mark(session.row, place, made: time, most: 6) as Any)"
        case 14:
            let number = chance.below(8)
            guard let session else { return "none" }
            return "\(try archive.unmark(session.row, number: number))"
        case 15:
            let (device, nickname, removes) = (text(), text(), chance.once(in: 4))
            return "\(try archive.name(device: device, removes ? nil : nickname, most: 3))"
        case 16: return try startState(id)
        case 17: return try claim(id, session)
        case 18:
            let (reason, seq) = (text(), chance.below(4))
            guard let session else { return "none" }
            switch chance.below(5) {
            case 0: return "\(try archive.noteTrouble(session.row, at: seq, reason))"
            case 1: try archive.markBroken(session.row, store: reason, at: seq)
            case 2: try archive.keep(["status": "running", "why": .string(reason)], of: session.row)
            case 3: try archive.pause(session.row, chance.once(in: 2))
            default:
                // Nobody has noted yet that the apps of earlier rounds are gone.
                try (archive as? PostgresArchive)?.write { _ = try $0.run("DELETE FROM app") }
                try archive.endReplays()
            }
        default:
            guard let session, chance.once(in: 3) else { return "none" }
            if chance.once(in: 2) {
                try archive.delete(session)
            } else {
                let expendable = PruneCandidate(
                    row: session.row, id: session.id, app: "", lastSeen: session.lastSeen, events: 0,
                    isNewest: false)
                return "\(try archive.remove([expendable]))"
            }
            while try archive.sweep() {}
        }
        return "done"
    }

    private mutating func header(_ id: String) -> Header {
        var header = Sample.header(
            id, app: headerText(), device: chance.once(in: 4) ? nil : headerText(),
            labels: [headerText(): headerText(), "branch": headerText()])
        header.device?.name = headerText()
        header.device?.os = headerText()
        return header
    }

    private mutating func open(_ id: String) throws -> String {
        let header = header(id)
        let owner = "owner\(chance.below(1_000_000))"
        let key = UInt8(chance.once(in: 6) ? 2 : 1)
        let outcome = try archive.commit(
            [.probe, .open(SessionOpening(header: header, keyHash: [key], owner: owner))], received: time)[1]
        if case .opened(let session) = outcome {
            owners[id] = owner
            if session.next == 0 { tapesByID[id] = RandomTape() }
        }
        return describe(outcome)
    }

    private mutating func append(_ session: Session?) throws -> String {
        let count = 1 + chance.below(chance.once(in: 8) ? 700 : 12)
        let isStranger = chance.once(in: 10)
        guard let session, !session.hidden, var tape = tapesByID[session.id] else { return "none" }
        let before = tape
        var lines: [EventLine] = []
        for _ in 0..<count { lines.append(tape.next(&chance)) }
        if chance.once(in: 12), let last = lines.last {
            _ = tape.next(&chance)
            lines.append(EventLine(seq: last.seq + 1, at: 1, kind: .end, members: [("reason", .string(text()))]))
        }
        let owner = isStranger ? "stranger" : owners[session.id] ?? ""
        // Another session's lines in the same group, which are refused.
        let group: [Change] = [
            .append(Batch(session: session.row, owner: owner, lines: lines)),
            .append(Batch(session: session.row + 1_000, owner: owner, lines: lines)),
        ]
        let outcomes = try archive.commit(group, received: time)
        if case .appended = outcomes[0] {
            // A line of a kind that the tape doesn't know of would make a hole.
            tapesByID[session.id] = lines.last?.kind == .end ? nil : tape
        } else {
            tapesByID[session.id] = before
        }
        return outcomes.map(describe).joined(separator: ", ")
    }

    private mutating func seal(_ session: Session?) throws -> String {
        guard let session, session.sealed < session.next else { return "none" }
        var followed = try FollowedTape(tapes[session], archive, states)
        var seals: [Seal] = []
        try tapes[session].each(in: followed.next..<session.next) { line in
            seals += try followed.take(line, tapes[session], states).map { [$0] } ?? []
            return true
        }
        if chance.once(in: 2) { seals += try followed.seal(session).map { [$0] } ?? [] }
        for index in seals.indices { seals[index].words.append(text()) }
        // The second time they are no longer the next ones.
        return try archive.commit((seals + seals.prefix(1)).map { .seal($0) }, received: time).map(describe)
            .joined(separator: ", ")
    }

    private mutating func startState(_ id: String) throws -> String {
        let state = LaunchState(
            id: "state\(chance.below(5))", app: text(), device: chance.once(in: 2) ? nil : text(),
            labels: chance.once(in: 2) ? [:] : [text(): text()], mode: .replay, session: id, seq: 3,
            once: chance.once(in: 2))
        if chance.once(in: 5) { return "\(try archive.deleteLaunchState(state.id))" }
        try archive.put(state)
        return "done"
    }

    private mutating func claim(_ id: String, _ session: Session?) throws -> String {
        var header = header(id)
        if chance.once(in: 2) {
            header.from = 7
            header.states = [text(): ["n": 1]]
        }
        let (takesOver, labels) = (chance.once(in: 2), [headerText(): headerText()])
        switch chance.below(3) {
        case 0:
            let before = takesOver ? session?.owner : nil
            let outcome = try archive.commit(
                [.claim(SessionLease(header: header, owner: "upload\(time)", before: before))], received: time)[0]
            if case .opened = outcome { tapesByID[id] = nil }
            return describe(outcome)
        case 1:
            guard let session else { return "none" }
            try archive.show(session.row, labels: labels)
        default: return "\(try archive.deleteUploads(before: time - 4_000))"
        }
        return "done"
    }

    private func describe(_ outcome: Outcome) -> String {
        if case .opened(let session) = outcome { return "opened " + describeCore(session) }
        return "\(outcome)"
    }

    /// Without what SQLite reads only for lists: nicknames and troubles.
    private func describeCore(_ session: Session?) -> String {
        guard let session else { return "none" }
        return """
            \(session.header.json.text) \(session.owner) \(session.hidden) \(session.first) \(session.next) \
            \(session.sealed) \(session.bytes) \(session.lastSeen) \(session.version)
            """
    }

    private func describe(_ session: Session?) -> String {
        guard let session else { return "none" }
        return """
            \(session.summary(live: nil).text) \(session.namedHeader.json.text) \(session.owner) \
            \(session.hidden) \(session.isPaused) \(session.first)
            """
    }
}

extension RandomWork {
    /// The answers to every question, as texts without row numbers.
    func answers() throws -> [String] {
        var all: [String] = []
        func add(_ question: String, _ answer: Any) { all.append("\(question): \(answer)") }
        var ids: [Int64: String] = [:]
        for id in Self.ids + ["none", "a\0b"] {
            add("session \(id)", describe(try archive.session(id)))
            let session = try archive.upload(id)
            add("upload \(id)", describeCore(session))
            guard let session else { continue }
            ids[session.row] = id
            all += try answers(session)
        }
        add("next", try archive.next(of: Set(Self.ids + ["none", "a\0b"])).sorted { $0.key < $1.key })
        for prefix in ["SESSION-0001", "SESSION-", "s", "", "~", "ö", "a\0"] {
            add("prefix \(prefix)", try archive.ids(beginningWith: prefix).count)
        }
        for query in queries() { add(describe(query), try archive.sessions(query).sessions.map(\.id)) }
        var query = SessionQuery()
        query.limit = 2
        while true {
            let page = try archive.sessions(query)
            add("page", page.sessions.map(\.id))
            guard let next = page.next else { break }
            query.after = next
        }
        for app in OddTexts.all {
            for device in OddTexts.all.prefix(8) {
                let latest = try archive.latestSession(app: app, device: device, except: Self.ids[0])
                if latest != nil { add("latest \(app) \(device)", describeCore(latest)) }
            }
        }
        add("unsealed", try archive.unsealed())
        add(
            "troubles",
            try archive.troubles().compactMap { trouble in ids[trouble.key].map { "\($0) \(trouble.value)" } }
                .sorted())
        add("start states", try archive.launchStates())
        for spares in [true, false] {
            let plan = try archive.plan(
                Retention(keepDays: 1, sparesNewest: spares), now: 3 * 86_400_000, isConnected: { $0.contains("3") }
            )
            add("plan", plan.removals.map { "\($0.session.id) \($0.session.app) \($0.session.isNewest)" })
        }
        add("sessions", try archive.diskUse().sessions)
        return all
    }

    private func answers(_ session: Session) throws -> [String] {
        var all: [String] = []
        func add(_ question: String, _ answer: Any) { all.append("\(session.id) \(question): \(answer)") }
        let row = session.row
        // All of a short tape, and parts of a long one.
        let seqs = Array(stride(from: 0, through: session.next, by: 1 + session.next / 30))
        for seq in [-1, session.sealed - 1, session.sealed, session.next - 1, session.next + 5, Limits.seq] + seqs {
            for bytes in [0, 700, 256 << 10] {
                let batch = try archive.batch(of: row, from: seq, joinedTo: bytes)
                add("batch \(seq) \(bytes)", batch.map { "\($0.first) \($0.next) \(SHA256.hex($0.bytes))" } as Any)
            }
            if seq >= 0 { add("held \(seq)", try archive.isHeld(row, seq)) }
            add("damaged \(seq)", try archive.damaged(of: row, at: seq) as Any)
            add("columns \(seq)", try archive.columns(of: row, at: seq).map { SHA256.hex($0) } as Any)
            for store in RandomTape.stores + [nil, "none", "a\0b"] {
                add("base \(seq) \(store ?? "-")", try archive.base(of: row, store: store, upTo: seq) as Any)
                guard let store else { continue }
                add("state \(seq) \(store)", try archive.nextState(of: row, store: store, after: seq) as Any)
                add("frame \(seq) \(store)", try archive.keyframe(of: row, store: store, at: seq)?.count as Any)
            }
            add("stores \(seq)", try archive.stores(of: row, upTo: seq))
        }
        add("names", try archive.names(of: row, from: 0))
        add("later names", try archive.names(of: row, from: 2))
        add("keyframes", try archive.keyframeSizes(of: row).map { "\($0)" }.sorted())
        add("some keyframes", try archive.keyframes(of: row, in: 3..<400).map { "\($0)" }.sorted())
        add("broken", try archive.brokenSeqs(of: row).sorted())
        add("bookmarks", try archive.bookmarks(of: row))
        return all
    }

    private func describe(_ query: SessionQuery) -> String {
        let (only, except) = (query.only?.sorted() ?? ["all"], query.except?.sorted() ?? [])
        return "app \(query.app ?? "-") labels \(query.labels) text \(query.text ?? "-") \(only) but \(except)"
    }

    private func queries() -> [SessionQuery] {
        var queries = [SessionQuery()]
        for text in OddTexts.all + OddTexts.searched {
            queries.append(SessionQuery(text: text))
            queries.append(SessionQuery(app: text))
            queries.append(SessionQuery(labels: [("branch", text)]))
            queries.append(SessionQuery(labels: [(text, OddTexts.all[3])]))
        }
        queries.append(SessionQuery(only: Set(Self.ids.prefix(3) + ["a\0"])))
        queries.append(SessionQuery(only: []))
        queries.append(SessionQuery(text: "PHONE", except: Set(Self.ids.prefix(3))))
        return queries
    }
}

/// Texts that a database may take for something else.
enum OddTexts {
    static let all = [
        "plain", "Ärger im Büro", "ärger", "NUL \0 inside", "\0", "100 % of it", "100_ of it", "back\\slash\\", "",
        "quote ' and \" and $1 and ?", "Straße", "STRASSE", "ΣΊΣΥΦΟΣ", "σίσυφος", "İstanbul", "ıstanbul",
        "ISTANBUL",
        "e\u{301}clair", "\u{e9}clair", "🎉 party 👩‍👩‍👧", "\u{10ffff}\u{fffd}", "ſpecial Kelvin K", "tab\tline\nend\r\n",
        "{\"json\": [1, \"text\"]}", "('; DROP TABLE session; --", String(repeating: "long ", count: 700),
    ]

    /// More texts to search for.
    static let searched = [
        "ä", "Ä", "är", "ÄRG", "ärger im b", "ss", "ße", "strasse", "STRAẞE", "σίσ", "Σίσυφος", "ΣΊΣΥΦΟς",
        "istanbul", "ı",
        "I", "%", "_", "\\", "100 %", "100_", "'", "\"", "$1", "é", "e\u{301}", "🎉", "👩", "special", "kelvin k",
        "NUL ", " inside", "NUL  inside", "counter/add", "COUNTER", "note 3", "NOTE", "red phone", "text", "json",
        "\n", "\t", "long long", "x'", "**", "NOT", "a AND b", "phone\"", "-", "2026-11",
    ]
}
