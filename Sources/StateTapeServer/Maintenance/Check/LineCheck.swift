import TapeArchive
import TapeArchivePostgres
import TapeEngine
import TapeFormat

/// What the lines of a session say.
struct LineFacts {
    var first = 0
    /// The seqs after the last event and the last sealed event.
    var (end, sealed) = (0, 0)
    var bytes = 0
    var last: EventLine?
    var hasGap = false
    /// Whether all lines could be read.
    var isWhole = true
    /// How often each text should be there for searches, and the session's names in the order of their numbers.
    var words: [UTF8Text: Int] = [:]
    var names: Set<UTF8Text> = []
    var endsDamaged: Bool { last?.kind == .gap && last?["reason"]?.string == EventLine.damaged }
}

/// Reads all lines of a session, whatever its row says, and compares what was derived from them.
struct LineCheck {
    private let row: Int64
    private let name: String
    private let isHidden: Bool
    private let tapes: Tapes
    private let report: CheckReport
    private var archive: any Archive { tapes.archive }
    private(set) var found = LineFacts()
    private var stores: Set<UTF8Text> = []
    private var check: TapeCheck
    private let tape: ArchivedTape

    init(_ row: Int64, _ name: String, _ header: Header?, isHidden: Bool, _ tapes: Tapes, _ report: CheckReport) {
        (self.row, self.name, self.isHidden, self.tapes, self.report) = (row, name, isHidden, tapes, report)
        found.first = header?.from ?? 0
        tape = tapes[row]
        check = TapeCheck(tape, marked: 0)
    }

    private func problem(_ text: String) { report.problem("\(name): \(text)") }

    mutating func run() throws {
        let chunks = try ranges(.chunk)
        let batches = try ranges(.batch)
        found.sealed = max(found.first, chunks.map(\.upperBound).max() ?? 0)
        found.end = max(found.sealed, batches.map(\.upperBound).max() ?? 0)
        for batch in batches where batch.upperBound <= found.sealed {
            problem("its events \(text(batch)) are there sealed and unsealed")
        }
        check = newCheck()
        if try ranges(.head) != chunks { problem("the heads don't cover the same events as the sealed lines") }
        var next = found.first
        while next < found.end {
            next = try read(from: next, chunks: next < found.sealed ? chunks : batches)
        }
        try checkOutside()
    }

    private func text(_ seqs: Range<Int>) -> String { "\(seqs.lowerBound)–\(seqs.upperBound - 1)" }

    /// The ranges of a table's rows in order, without invalid ones.
    private func ranges(_ table: StoredTable) throws -> [Range<Int>] {
        var last = 0
        return try archive.rows(table, .session(row)).compactMap { row -> Range<Int>? in
            guard let first = row.int("first"), let next = row.int("next"), 0 <= first, first < next,
                next <= Limits.seq + 1
            else {
                problem("a \(table) has an invalid range: from \(row["first"]) to below \(row["next"])")
                return nil
            }
            return first..<next
        }.sorted { $0.lowerBound < $1.lowerBound }.map { range in
            if range.lowerBound < last { problem("two \(table) rows have the event \(range.lowerBound)") }
            last = range.upperBound
            return range
        }
    }

    /// Before the end of the sealed events, broken patches are marked; in an unfinished copy they aren't yet.
    private func newCheck() -> TapeCheck { TapeCheck(tape, marked: isHidden ? 0 : found.sealed) }

    /// Checks the lines of one row.
    ///
    /// - Returns: The seq after them.
    private mutating func read(from first: Int, chunks: [Range<Int>]) throws -> Int {
        var next =
            chunks.first { $0.lowerBound > first }?.lowerBound ?? (first < found.sealed ? found.sealed : found.end)
        do {
            let batch = try archive.batch(of: row, from: first, joinedTo: 0)
            guard let batch, batch.first <= first else {
                if let batch { next = min(next, batch.first) }
                throw Missing()
            }
            let lines = try batch.lines.filter { $0.seq >= first }
            for text in try check.take(lines) { problem(text) }
            report.wrongStates += check.takeWrongStates().map { (row, $0.store, $0.seq) }
            next = batch.next
            take(lines)
            try checkBases(lines)
            if first < found.sealed { try checkHeads(lines) }
        } catch {
            // The events after the damage are read too.
            let reason = error is Missing ? "are missing" : "can't be read: \(Damage.reason(error))"
            problem("events \(first)–\(next - 1) \(reason)")
            found.isWhole = false
            check = newCheck()
        }
        try report.advance(events: next - first)
        return next
    }

    private struct Missing: Error {}

    private mutating func take(_ lines: [EventLine]) {
        for line in lines {
            found.bytes += line.bytes.count + 1
            switch line.kind {
            case .gap: found.hasGap = true
            case .note, .end: break
            default: stores.insert(UTF8Text(line.store))
            }
        }
        found.last = lines.last ?? found.last
    }

    private mutating func checkHeads(_ lines: [EventLine]) throws {
        let (first, last) = (lines[0].first, lines[lines.count - 1].seq)
        let heads: [EventHead]
        do {
            heads = Array(try tapes.heads.sealed(of: row, from: first) ?? [])
        } catch {
            problem("the heads of events \(first)–\(last) can't be read: \(Damage.reason(error))")
            found.isWhole = false
            return
        }
        // The same as the sealer, so that the words and names follow.
        let expected = lines.map { EventHead($0) }
        func bytes(_ heads: some Sequence<EventHead>) -> [UInt8] { heads.reduce(into: []) { $1.write(to: &$0) } }
        if bytes(heads) != bytes(expected) {
            problem("the heads of events \(first)–\(last) don't match the lines")
            found.isWhole = false
        }
        found.take(sealed: lines, expected)
    }

    /// Compares the places from which states are made.
    private func checkBases(_ lines: [EventLine]) throws {
        let seqs = lines[0].first..<lines[lines.count - 1].seq + 1
        let stored = try archive.rows(.base, .inside(row, seqs))
        let patched = Dictionary(lines.filter { $0.raw("patch") != nil }.map { ($0.seq, $0.store) }) { $1 }
        var expected = Set(
            lines.compactMap { line in
                line.base.map { BaseKey($0 == .gap ? nil : line.store, line.seq, $0) }
            })
        for (store, seq) in try archive.keyframes(of: row, in: seqs) {
            expected.insert(BaseKey(store, seq, .keyframe))
            // A gap may have had its events.
            if !found.hasGap, !stores.contains(UTF8Text(store)) {
                problem("there is a state after event \(seq) of the store “\(store)”, which has no event before")
            }
        }
        try compare(stored, with: expected) { patched[$0.seq] == $0.store?.text }
    }

    private func compare(_ stored: [StoredRow], with expected: Set<BaseKey>, isBroken: (BaseKey) -> Bool) throws {
        var missing = expected
        for row in stored {
            guard let place = BaseKey(row), place.kind == .broken ? isBroken(place) : expected.contains(place)
            else {
                problem(
                    "the index entry for states at event \(row["seq"]) of the store \(row["store"]), kind \(row["kind"]), matches no event"
                )
                continue
            }
            missing.remove(place)
            if row.has("hash"), row.int("hash") != place.store.map({ Int(StoreHash.of($0.text)) }) ?? 0 {
                problem("the index entry for states at event \(place.seq) is damaged")
            }
        }
        for place in missing.sorted(by: { $0.seq < $1.seq }) {
            problem("the place for states at event \(place.seq) is missing")
        }
    }

    /// The seq after the last event that is there by now.
    private func newEnd() throws -> Int {
        let ends = try archive.rows(.batch, .session(row)) + archive.rows(.chunk, .session(row))
        return ends.compactMap { $0.int("next") }.filter { $0 <= Limits.seq + 1 }.max() ?? 0
    }

    /// What lies before the first event, and what belongs to no event.
    private func checkOutside() throws {
        let before = found.first - 1..<found.first
        let states = try archive.keyframes(of: row, in: before).map { BaseKey($0.store, $0.seq, .keyframe) }
        try compare(archive.rows(.base, .inside(row, before)), with: Set(states)) { _ in false }
        let all = before.lowerBound..<max(found.end, found.first)
        let (bases, keyframes) = (
            try archive.rows(.base, .outside(row, all)), try archive.rows(.keyframe, .outside(row, all))
        )
        // An app may have sent events since their end was read.
        let end = bases.isEmpty && keyframes.isEmpty ? found.end : try newEnd()
        let new = found.end..<max(found.end, end)
        func isOld(_ row: StoredRow) -> Bool { row.int("seq").map(new.contains) != true }
        try compare(bases.filter(isOld), with: []) { _ in false }
        for keyframe in keyframes.filter(isOld) {
            problem(
                "there is a state of the store \(keyframe["store"]) after event \(keyframe["seq"]), which isn't there"
            )
        }
        for keyframe in try archive.rows(.keyframe, .inside(row, all)) {
            let store = keyframe.text("store")
            if store == nil || keyframe.has("hash") && keyframe.int("hash") != store.map({ Int(StoreHash.of($0)) }) {
                problem("the index of the state after event \(keyframe["seq"]) is damaged")
            }
        }
    }
}

/// A row of the table `base`.
private struct BaseKey: Hashable {
    let store: UTF8Text?
    let seq: Int
    let kind: StateBase.Kind

    init(_ store: String?, _ seq: Int, _ kind: StateBase.Kind) {
        (self.store, self.seq, self.kind) = (store.map(UTF8Text.init), seq, kind)
    }

    init?(_ row: StoredRow) {
        guard let seq = row.int("seq"), let kind = row.int("kind").flatMap(StateBase.Kind.init),
            (row["store"] == .nothing) == (kind == .gap), kind == .gap || row.text("store") != nil
        else { return nil }
        self.init(row.text("store"), seq, kind)
    }
}
