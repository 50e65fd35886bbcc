/// A command's name and aliases, with its usage for help and error messages.
struct CommandWord: Sendable {
    let word: String
    var aliases: [String] = []
    let usage: String
    var about = ""

    static let all = [
        CommandWord(
            word: "add", aliases: ["a", "new"], usage: "add Buy milk #home due:tomorrow",
            about: "tags and the due day are optional"),
        CommandWord(
            word: "done", aliases: ["d"], usage: "done 2 3", about: "completes todos by number; done all completes all"),
        CommandWord(word: "due", usage: "due 2 fri", about: "sets the due day: also today, +3, 2026-12-24, none"),
        CommandWord(word: "undo", aliases: ["u"], usage: "undo", about: "undoes the last change"),
        CommandWord(word: "clear", usage: "clear", about: "removes completed todos"),
        CommandWord(word: "list", aliases: ["l"], usage: "list Work", about: "opens or creates a list"),
        CommandWord(
            word: "filter", aliases: ["f"], usage: "filter open",
            about: "filters the list: also all, done, overdue, #home"),
        CommandWord(word: "reopen", aliases: ["undone"], usage: "reopen 2"),
        CommandWord(word: "rename", usage: "rename 2 Buy oat milk"),
        CommandWord(word: "tag", usage: "tag 2 #home #shop"),
        CommandWord(word: "untag", usage: "untag 2 #home"),
        CommandWord(word: "move", aliases: ["mv"], usage: "move 2 Work"),
        CommandWord(word: "remove", aliases: ["rm", "delete"], usage: "remove 2"),
        CommandWord(word: "rename-list", usage: "rename-list Office"),
        CommandWord(word: "remove-list", usage: "remove-list"),
        CommandWord(word: "sync", aliases: ["s"], usage: "sync"),
        CommandWord(word: "help", aliases: ["h", "?"], usage: "help"),
        CommandWord(word: "quit", aliases: ["q", "exit"], usage: "quit"),
    ]

    /// The help: explained commands first, one per line, then the usage of all others.
    static var help: [String] {
        let explained = all.filter { !$0.about.isEmpty }
        let width = explained.map(\.usage.count).max() ?? 0
        var lines = explained.map { $0.usage.padded(to: width) + "   " + $0.about }
        var line = ""
        for usage in all.filter(\.about.isEmpty).map(\.usage) {
            if line.count + usage.count > 72 {
                lines.append(line)
                line = ""
            }
            line += line.isEmpty ? usage : " · " + usage
        }
        return lines + [line]
    }

    static func named(_ word: String) -> CommandWord? {
        let word = word.lowercased()
        return all.first { $0.word == word || $0.aliases.contains(word) }
    }

    /// The most similar command for a mistyped one; nil if none is similar.
    static func near(_ word: String) -> CommandWord? {
        let candidates = all.map { (entry: $0, distance: distance($0.word, word.lowercased())) }
        guard let best = candidates.min(by: { $0.distance < $1.distance }) else { return nil }
        return best.distance <= max(1, min(2, word.count / 2)) ? best.entry : nil
    }

    /// The edit distance: insertions, deletions, substitutions and swaps of neighbors.
    private static func distance(_ one: String, _ other: String) -> Int {
        let one = Array(one)
        let other = Array(other)
        var rows = [Array(0...other.count)]
        for (row, letter) in one.enumerated() {
            var next = [row + 1]
            for (column, second) in other.enumerated() {
                var best = min(
                    rows[row][column + 1] + 1, next[column] + 1, rows[row][column] + (letter == second ? 0 : 1))
                if row > 0, column > 0, letter == other[column - 1], one[row - 1] == second {
                    best = min(best, rows[row - 1][column - 1] + 1)
                }
                next.append(best)
            }
            rows.append(next)
        }
        return rows[one.count][other.count]
    }
}
