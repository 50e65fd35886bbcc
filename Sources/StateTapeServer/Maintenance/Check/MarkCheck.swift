import TapeArchive
import TapeArchivePostgres
import TapeEngine
import TapeFormat

/// Compares a session's bookmarks, names and search texts with its lines.
struct MarkCheck {
    private let row: Int64
    private let name: String
    private let found: LineFacts
    private let archive: any Archive
    private let report: CheckReport
    /// The number of bookmarks, and the highest number of one.
    private(set) var (count, last) = (0, 0)
    /// Found in a state that a running server may have changed meanwhile.
    private(set) var problems: [String] = []

    init(_ row: Int64, _ name: String, _ found: LineFacts, _ archive: any Archive, _ report: CheckReport) {
        (self.row, self.name, self.found, self.archive, self.report) = (row, name, found, archive, report)
    }

    mutating func run(_ stored: StoredRow) throws {
        var expected = found.words
        let words = Dictionary(try archive.rows(.word, .session(row)).map { ($0.int("row") ?? -1, $0) }) { $1 }
        for bookmark in try archive.rows(.bookmark, .session(row)) {
            count += 1
            guard let number = bookmark.int("number"), number > 0, let seq = bookmark.int("seq"),
                let text = bookmark.text("text"), bookmark["author"] == .nothing || bookmark.text("author") != nil,
                let made = bookmark.int("made"), made >= 0
            else {
                problems.append("the bookmark \(bookmark["number"]) at event \(bookmark["seq"]) is damaged")
                continue
            }
            last = max(last, number)
            if !(found.first...max(found.first, found.end)).contains(seq) {
                problems.append("the bookmark \(number) is at event \(seq), which isn't there")
            }
            let word = LineFacts.word(text)
            expected[UTF8Text(word), default: 0] += 1
            if bookmark.int("word").flatMap({ words[$0] })?.text("text") != word {
                problems.append("a search doesn't find the bookmark \(number)")
            }
        }
        for trouble in try archive.rows(.trouble, .session(row)) {
            guard let seq = trouble.int("seq"), 0...max(found.end, 0) ~= seq, trouble.int("count") ?? 0 > 0,
                trouble.text("reason") != nil
            else {
                problems.append("its note of a failure at event \(trouble["seq"]) is damaged")
                continue
            }
        }
        guard found.isWhole else { return }
        try checkNames()
        checkWords(Array(words.values), expected)
    }

    private mutating func checkNames() throws {
        let names = try archive.rows(.name, .session(row))
        let numbers = names.map { $0.int("number") ?? -1 }.sorted()
        let texts = Set(names.compactMap { $0.text("text").map(UTF8Text.init) })
        if numbers != Array(0..<names.count) || texts != found.names || texts.count != names.count {
            problems.append("its names of types and stores are not those of its sealed events")
        }
    }

    private mutating func checkWords(_ words: [StoredRow], _ expected: [UTF8Text: Int]) {
        var left = expected
        var (isForeign, isMisfolded) = (false, false)
        for word in words {
            guard let text = word.text("text"), let number = left[UTF8Text(text)], number > 0 else {
                isForeign = true
                continue
            }
            left[UTF8Text(text)] = number - 1
            isMisfolded =
                isMisfolded || word.has("folded") && word.text("folded") != PostgresArchive.word(text).folded
        }
        if isForeign || isMisfolded || left.values.contains(where: { $0 > 0 }) {
            problems.append("the texts for searches are not those of its sealed events and bookmarks")
        }
    }
}

extension LineFacts {
    /// Adds the names and search texts of a chunk, as sealing does.
    mutating func take(sealed lines: [EventLine], _ heads: [EventHead]) {
        var all: Set<UTF8Text> = []
        for head in heads {
            all.insert(UTF8Text(head.store))
            if let type = head.type { all.insert(UTF8Text(type)) }
            if case .other(let name) = head.kind { all.insert(UTF8Text(name)) }
        }
        let new = all.subtracting(names)
        names.formUnion(all)
        let types = Set(heads.compactMap(\.type).map(UTF8Text.init))
        let notes = lines.compactMap { $0.kind == .note ? $0["text"]?.string : nil }
        for text in new.intersection(types).map(\.text) + notes {
            words[UTF8Text(Self.word(SealDraft.word(text))), default: 0] += 1
        }
    }

    /// A text in the form in which both engines store it for searches.
    static func word(_ text: String) -> String { PostgresArchive.word(text).text }
}
