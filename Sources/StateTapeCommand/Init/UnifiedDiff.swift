/// The difference of two texts, as `diff -u` prints it.
struct UnifiedDiff {
    private static let context = 3

    let lines: [String]

    init(_ path: String, _ old: [UInt8], _ new: [UInt8]) {
        let (old, new) = (Self.split(old), Self.split(new))
        let difference = new.difference(from: old)
        let removed = Set(difference.removals.map(Self.offset))
        let inserted = Set(difference.insertions.map(Self.offset))
        // Each line of both, in order.
        var all: [(sign: String, text: String, old: Int, new: Int)] = []
        var (one, two) = (0, 0)
        while one < old.count || two < new.count {
            if removed.contains(one) {
                all.append(("-", old[one], one, two))
                one += 1
            } else if inserted.contains(two) {
                all.append(("+", new[two], one, two))
                two += 1
            } else {
                all.append((" ", old[one], one, two))
                one += 1
                two += 1
            }
        }
        var hunks: [Range<Int>] = []
        for place in all.indices where all[place].sign != " " {
            let hunk = max(0, place - Self.context)..<min(all.count, place + Self.context + 1)
            if let last = hunks.last, last.upperBound >= hunk.lowerBound {
                hunks[hunks.count - 1] = last.lowerBound..<hunk.upperBound
            } else {
                hunks.append(hunk)
            }
        }
        var lines = hunks.isEmpty ? [] : ["--- \(path)", "+++ \(path)"]
        for hunk in hunks {
            func head(_ sign: String, _ first: Int) -> String {
                let count = all[hunk].count { $0.sign != sign }
                return "\(count == 0 ? first : first + 1),\(count)"
            }
            let first = all[hunk.lowerBound]
            lines.append("@@ -\(head("+", first.old)) +\(head("-", first.new)) @@")
            lines += all[hunk].map { $0.sign + $0.text }
        }
        self.lines = lines
    }

    private static func offset(_ change: CollectionDifference<String>.Change) -> Int {
        switch change {
        case .insert(let offset, _, _), .remove(let offset, _, _): offset
        }
    }

    /// The lines without their line breaks.
    private static func split(_ bytes: [UInt8]) -> [String] {
        var lines = bytes.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
        if lines.last?.isEmpty == true { lines.removeLast() }
        return lines.map { line in
            String(decoding: line.last == UInt8(ascii: "\r") ? line.dropLast() : line, as: UTF8.self)
        }
    }
}
