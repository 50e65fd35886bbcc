import Foundation

/// Draws the app: in a terminal, or as plain frames without one.
// Unchecked: `lock` protects all mutable state.
final class Screen: @unchecked Sendable {
    private let lock = NSLock()
    private let terminal: Terminal?
    private let moment: Moment
    private var state: AppState?
    private var shown = Shown()
    private var frames = 0

    /// The content of the screen besides the state.
    struct Shown: Equatable {
        /// What the script does, or why it has stopped.
        var notice: [Line] = []
        /// The result of the last command.
        var message: [Line] = []
        var tape = TapeStatus()
        var editor: LineEditor?
    }

    /// Creates a screen, which draws nothing before the first state.
    ///
    /// - Parameters:
    ///   - terminal: The terminal; nil to write plain frames to standard output.
    ///   - moment: The clock and the calendar.
    init(terminal: Terminal?, moment: Moment) {
        self.terminal = terminal
        self.moment = moment
    }

    /// Draws a state.
    func show(_ state: AppState) {
        lock.withLock {
            self.state = state
            draw()
        }
    }

    /// Changes the other content, and redraws if it differs.
    func update<Result>(_ change: (inout Shown) -> Result) -> Result {
        lock.withLock {
            let before = shown
            let result = change(&shown)
            if shown != before { draw() }
            return result
        }
    }

    /// Changes the other content without redrawing; the next state shows it.
    func prepare(_ change: (inout Shown) -> Void) {
        lock.withLock { change(&shown) }
    }

    /// Whether the screen has a prompt.
    var hasPrompt: Bool {
        lock.withLock { shown.editor != nil }
    }

    /// Redraws at the terminal's current size.
    func redraw() {
        lock.withLock { draw() }
    }

    private func draw() {
        guard let state else { return }
        if let terminal {
            draw(state, on: terminal)
        } else {
            frames += 1
            let frame = Frame(state, now: moment.now(), calendar: moment.calendar, columns: 80)
            let lines = frame.lines + foot(80)
            Output.write((["--- frame \(frames) ---"] + lines.map(\.plain)).joined(separator: "\n") + "\n")
        }
    }

    private func draw(_ state: AppState, on terminal: Terminal) {
        let (columns, rows) = terminal.size
        var foot = foot(columns)
        if shown.editor != nil {
            foot.append(
                Line(" add TEXT #tag due:DAY · done N · undo · list NAME · filter WHAT · sync · help", .dim)
                    .cut(to: columns))
        }
        // The last row is for the prompt.
        let frame = Frame(
            state, now: moment.now(), calendar: moment.calendar, columns: columns, rows: rows - foot.count - 1)
        terminal.draw(frame.lines + foot, prompt: shown.editor)
    }

    private func foot(_ columns: Int) -> [Line] {
        (shown.notice + shown.message + [shown.tape.line]).map { $0.cut(to: columns) }
    }
}
