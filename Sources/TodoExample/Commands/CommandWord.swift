/// The words that begin a command, for help and for guessing what was meant.
struct CommandWord: Sendable {
    let word: String
    var aliases: [String] = []
    let usage: String
    let about: String

    static let all = [
        CommandWord(
            word: "add", aliases: ["a", "new"], usage: "add Buy milk #home due:tomorrow",
            about: "tags and the day are optional"),
        CommandWord(word: "done", aliases: ["d"], usage: "done 2 3", about: "by the number at the left"),
        CommandWord(word: "reopen", aliases: ["undone"], usage: "reopen 2", about: "not done after all"),
        CommandWord(word: "rename", usage: "rename 2 Buy oat milk", about: ""),
        CommandWord(word: "tag", usage: "tag 2 #home #shop", about: ""),
        CommandWord(word: "untag", usage: "untag 2 #home", about: ""),
        CommandWord(word: "due", usage: "due 2 fri", about: "today, tomorrow, mon…sun, +3, 2026-12-24 or none"),
        CommandWord(word: "move", aliases: ["mv"], usage: "move 2 Work", about: "to another list"),
        CommandWord(word: "remove", aliases: ["rm", "delete"], usage: "remove 2", about: ""),
        CommandWord(word: "clear", usage: "clear", about: "removes what is done"),
        CommandWord(word: "undo", aliases: ["u"], usage: "undo", about: "takes the last change back"),
        CommandWord(word: "list", aliases: ["l"], usage: "list Work", about: "opens a list, or makes it"),
        CommandWord(word: "rename-list", usage: "rename-list Office", about: ""),
        CommandWord(word: "remove-list", usage: "remove-list", about: "the open one"),
        CommandWord(
            word: "filter", aliases: ["f"], usage: "filter open", about: "all, open, done, overdue or a #tag"),
        CommandWord(word: "sync", aliases: ["s"], usage: "sync", about: "with the (simulated) server"),
        CommandWord(word: "help", aliases: ["h", "?"], usage: "help", about: ""),
        CommandWord(word: "quit", aliases: ["q", "exit"], usage: "quit", about: ""),
    ]

    /// The help, a line each.
    static var help: [String] {
        let width = all.map(\.usage.count).max() ?? 0
        return all.map { entry in
            let padding = String(repeating: " ", count: width - entry.usage.count)
            return entry.about.isEmpty ? entry.usage : entry.usage + padding + "  " + entry.about
        }
    }

    static func named(_ word: String) -> CommandWord? {
        let word = word.lowercased()
        return all.first { $0.word == word || $0.aliases.contains(word) }
    }

    /// The word that a mistyped one comes nearest to, if it comes near.
    static func near(_ word: String) -> CommandWord? {
        let candidates = all.map { (entry: $0, distance: distance($0.word, word.lowercased())) }
        guard let best = candidates.min(by: { $0.distance < $1.distance }) else { return nil }
        return best.distance <= max(1, min(2, word.count / 2)) ? best.entry : nil
    }

    /// How many letters must be added, dropped, changed or swapped with their neighbour to get from one to the other.
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
