import Foundation

/// The screen for one state, as a pure function of its inputs.
struct Frame: Equatable, Sendable {
    var lines: [Line]

    /// Draws a state.
    ///
    /// - Parameters:
    ///   - state: The state.
    ///   - now: The current time, for relative days.
    ///   - calendar: The user's calendar.
    ///   - columns: The maximum width of a line.
    ///   - rows: The number of lines; the todos are cut or padded. Nil for as many as needed.
    init(_ state: AppState, now: Date, calendar: Calendar, columns: Int, rows: Int? = nil) {
        let today = Day(now, in: calendar)
        let rule = Line(String(repeating: "─", count: max(0, columns)), .dim)
        let head = [Self.header(state, today, columns), Self.tabs(state), rule]
        let foot = [rule, Self.summary(state, today, calendar, columns)]
        let room = rows.map { max(1, $0 - head.count - foot.count) }
        let todos = Self.todos(state, today, columns, room)
        let space = Array(repeating: Line(), count: max(0, (room ?? 0) - todos.count))
        lines = (head + todos + space + foot).map { $0.cut(to: columns) }
    }

    private static func header(_ state: AppState, _ today: Day, _ columns: Int) -> Line {
        var line = Line(" Todo", .bold)
        switch state.filter {
        case .all: break
        case .open: line.add("   open ones only", .warning)
        case .done: line.add("   done ones only", .warning)
        case .overdue: line.add("   overdue ones only", .warning)
        case .tag(let tag):
            line.add("   only ", .warning)
            line.add("#\(tag)", .tag(tag))
        }
        line.add(today.short, .dim, endingAt: columns - 1)
        return line
    }

    private static func tabs(_ state: AppState) -> Line {
        var line = Line(" ")
        for list in state.lists {
            let open = list.todos.filter { !$0.isDone }.count
            line.add(" \(list.name) \(open) ", list.id == state.list.id ? .selected : .plain)
            line.add(" ")
        }
        return line
    }

    private static func summary(_ state: AppState, _ today: Day, _ calendar: Calendar, _ columns: Int) -> Line {
        let todos = state.list.todos
        let done = todos.filter(\.isDone).count
        let late = todos.filter { $0.isOverdue(today) }.count
        var line = Line(" \(todos.count - done) open · \(done) done")
        if late > 0 {
            line.add(" · ")
            line.add("\(late) overdue", .bad)
        }
        let (text, style) = sync(state.sync.status, calendar)
        line.add(text, style, endingAt: columns - 1)
        return line
    }

    private static func sync(_ status: Sync.Status, _ calendar: Calendar) -> (String, Style) {
        func time(_ date: Date) -> String {
            let parts = calendar.dateComponents([.hour, .minute], from: date)
            let minute = parts.minute ?? 0
            return "\(parts.hour ?? 0):\(minute < 10 ? "0" : "")\(minute)"
        }
        switch status {
        case .never: return ("not synced yet", .dim)
        case .running: return ("syncing…", .warning)
        case .finished(let date, let sent, let received):
            return ("synced \(time(date)): \(sent) sent, \(received) received", .good)
        case .failed(let date, let reason): return ("sync failed \(time(date)): \(reason)", .bad)
        }
    }
}
