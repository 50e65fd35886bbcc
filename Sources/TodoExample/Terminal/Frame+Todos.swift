extension Frame {
    /// The rows of the open list, in columns: number, mark, title, tags, day.
    static func todos(_ state: AppState, _ today: Day, _ columns: Int, _ rows: Int?) -> [Line] {
        let all = state.visible(on: today)
        guard !all.isEmpty else { return [Line("     \(nothing(state))", .dim)] }
        let limit = max(1, rows ?? all.count)
        let todos = all.count > limit ? all.prefix(max(1, limit - 1)) : all[...]
        let layout = Layout(todos, today, columns)
        var lines = todos.enumerated().map { layout.row($0.offset + 1, $0.element) }
        if todos.count < all.count { lines.append(Line("     … \(all.count - todos.count) more", .dim)) }
        return lines
    }

    private static func nothing(_ state: AppState) -> String {
        switch state.filter {
        case .all: "No todos yet. Try: add Buy milk #home due:tomorrow"
        case .open: "All todos are done"
        case .done: "No completed todos"
        case .overdue: "No overdue todos"
        case .tag(let tag): "No todos with the tag #\(tag)"
        }
    }
}

/// The widths of the columns, from their content.
private struct Layout {
    private static let lead = 7  // "  1 ○  "
    private static let gap = 2
    private static let leastTitle = 8

    private let today: Day
    private let title: Int
    private let tags: Int

    init(_ todos: ArraySlice<Todo>, _ today: Day, _ columns: Int) {
        self.today = today
        let day = todos.map { Self.day($0, today).columns }.max() ?? 0
        let room = columns - Self.lead - 1 - (day > 0 ? day + Self.gap : 0)
        let wanted = todos.map { Self.tags($0).columns }.max() ?? 0
        tags = max(0, min(wanted, columns / 3, room - Self.leastTitle - Self.gap))
        title = max(
            Self.leastTitle,
            min(todos.map(\.title.printable.columns).max() ?? 0, room - (tags > 0 ? tags + Self.gap : 0)))
    }

    func row(_ number: Int, _ todo: Todo) -> Line {
        var line = Line(" " + String(number).padded(to: 3, right: true) + " ", .dim)
        line.add(todo.isDone ? "✓" : "○", todo.isDone ? .good : .plain)
        line.fill(to: Self.lead)
        line.add(todo.title.printable.padded(to: title), todo.isDone ? .dim : .plain)
        let start = line.columns + Self.gap
        for tag in todo.tags {
            let room = start + tags - max(line.columns + 1, start)
            guard room > 1 else { break }
            line.fill(to: max(line.columns + 1, start))
            line.add("#\(tag)".printable.cut(to: room), todo.isDone ? .dim : .tag(tag))
        }
        let day = Self.day(todo, today)
        if !day.isEmpty {
            line.fill(to: start + (tags > 0 ? tags + Self.gap : 0))
            line.add(day, todo.isDone ? .dim : todo.isOverdue(today) ? .bad : todo.due == today ? .warning : .plain)
        }
        return line
    }

    private static func tags(_ todo: Todo) -> String {
        todo.tags.map { "#\($0)".printable }.joined(separator: " ")
    }

    private static func day(_ todo: Todo, _ today: Day) -> String {
        guard let due = todo.due else { return "" }
        return todo.isDone ? due.short : due.said(on: today)
    }
}
