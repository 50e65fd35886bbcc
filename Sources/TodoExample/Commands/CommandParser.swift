extension Command {
    /// Parses a typed line; nil if it is blank.
    ///
    /// - Throws: `CommandError` with the correct usage.
    init?(parsing line: String, today: Day) throws(CommandError) {
        let words = line.split(whereSeparator: \.isWhitespace).map(String.init)
        guard let first = words.first else { return nil }
        guard let entry = CommandWord.named(first) else { throw .unknown(first) }
        var rest = Words(words.dropFirst(), of: entry)
        switch entry.word {
        case "add":
            let (title, tags, due) = try rest.todo(today)
            self = .add(title: title, tags: tags, due: due)
        case "done": self = .done(try rest.numbers())
        case "reopen": self = .reopen(try rest.numbers())
        case "rename": self = .rename(try rest.number(), title: try rest.text())
        case "tag": self = .tag(try rest.number(), try rest.tags())
        case "untag": self = .untag(try rest.number(), try rest.tags())
        case "due": self = .due(try rest.number(), try Day.typed(try rest.text(), today))
        case "move": self = .move(try rest.number(), list: try rest.text())
        case "remove": self = .remove(try rest.numbers())
        case "list": self = .list(try rest.text())
        case "rename-list": self = .renameList(try rest.text())
        case "filter": self = .filter(try rest.filter())
        default:
            guard rest.words.isEmpty else { throw CommandError(message: "\(entry.word) takes no arguments") }
            switch entry.word {
            case "clear": self = .clear
            case "undo": self = .undo
            case "remove-list": self = .removeList
            case "sync": self = .sync
            case "quit": self = .quit
            default: self = .help
            }
        }
    }
}

/// The arguments of a command.
private struct Words {
    private(set) var words: ArraySlice<String>
    private let entry: CommandWord

    init(_ words: ArraySlice<String>, of entry: CommandWord) {
        self.words = words
        self.entry = entry
    }

    private var usage: CommandError { CommandError(message: "Usage: \(entry.usage)") }

    mutating func number() throws(CommandError) -> Int {
        guard let word = words.popFirst(), let number = Int(word) else { throw usage }
        return number
    }

    func numbers() throws(CommandError) -> Numbers {
        if Array(words) == ["all"] { return .all }
        let numbers = words.compactMap { Int($0) }
        guard !numbers.isEmpty, numbers.count == words.count else { throw usage }
        return .these(numbers)
    }

    func text() throws(CommandError) -> String {
        guard !words.isEmpty else { throw usage }
        return words.joined(separator: " ")
    }

    func tags() throws(CommandError) -> [String] {
        let tags = words.map { $0.hasPrefix("#") ? String($0.dropFirst()) : $0 }
        guard !tags.isEmpty, !tags.contains("") else { throw usage }
        return tags
    }

    func filter() throws(CommandError) -> Filter {
        guard let word = words.first, words.count == 1 else { throw usage }
        switch word.lowercased() {
        case "all": return .all
        case "open": return .open
        case "done": return .done
        case "overdue", "late": return .overdue
        default:
            guard word.hasPrefix("#"), word.count > 1 else {
                throw CommandError(message: "Unknown filter. Use all, open, done, overdue or a #tag")
            }
            return .tag(String(word.dropFirst()))
        }
    }

    func todo(_ today: Day) throws(CommandError) -> (title: String, tags: [String], due: Day?) {
        var title: [String] = []
        var tags: [String] = []
        var due: Day?
        for word in words {
            if word.hasPrefix("#"), word.count > 1 {
                tags.append(String(word.dropFirst()))
            } else if word.lowercased().hasPrefix("due:") {
                due = try Day.typed(String(word.dropFirst(4)), today)
            } else {
                title.append(word)
            }
        }
        guard !title.isEmpty else { throw usage }
        return (title.joined(separator: " "), tags, due)
    }
}

extension CommandError {
    fileprivate static func unknown(_ word: String) -> CommandError {
        if let near = CommandWord.near(word) {
            return CommandError(message: "Unknown command “\(word)”. Did you mean: \(near.usage)")
        }
        return CommandError(message: "Unknown command “\(word)”. Type help to list all commands")
    }
}

extension Day {
    /// Parses a typed day; nil for `none`.
    fileprivate static func typed(_ word: String, _ today: Day) throws(CommandError) -> Day? {
        let word = word.lowercased()
        switch word {
        case "none": return nil
        case "today": return today
        case "tomorrow": return today + 1
        default: break
        }
        if let weekday = weekdays.firstIndex(where: { word.hasPrefix($0.lowercased()) }) {
            // The next such weekday after today.
            return today + ((weekday - today.weekday + 6) % 7 + 1)
        }
        if word.hasPrefix("+"), let days = Int(word.dropFirst()), (0...3_650).contains(days) { return today + days }
        if let day = Day(word) { return day }
        throw CommandError(message: "“\(word)” isn't a day. Try today, tomorrow, fri, +3, 2026-12-24 or none")
    }
}
