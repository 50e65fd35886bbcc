#if Server
    import Foundation

    /// Where the app draws: a whole terminal, or plain frames one after another where there is none.
    // Unchecked: everything that changes is guarded by `lock`.
    final class Screen: @unchecked Sendable {
        private let lock = NSLock()
        private let terminal: Terminal?
        private let moment: Moment
        private var state: AppState?
        private var shown = Shown()
        private var frames = 0

        /// What stands around the state.
        struct Shown: Equatable {
            /// What the last command came to.
            var message: [Line] = []
            var tape = TapeStatus()
            var editor: LineEditor?
        }

        /// Makes a screen; nothing is drawn before the first state.
        ///
        /// - Parameters:
        ///   - terminal: The terminal to fill; without one, frames are written to standard output as plain text.
        ///   - moment: The clock and the calendar that days are told by.
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

        /// Changes what stands around the state, and draws if that made a difference.
        func update<Result>(_ change: (inout Shown) -> Result) -> Result {
            lock.withLock {
                let before = shown
                let result = change(&shown)
                if shown != before { draw() }
                return result
            }
        }

        /// Changes what stands around the next state.
        func prepare(_ change: (inout Shown) -> Void) {
            lock.withLock { change(&shown) }
        }

        /// Whether a person types at the foot of the screen.
        var hasPrompt: Bool {
            lock.withLock { shown.editor != nil }
        }

        /// Draws again, in whatever size the terminal has now.
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
            // The last row is the prompt's.
            let frame = Frame(
                state, now: moment.now(), calendar: moment.calendar, columns: columns, rows: rows - foot.count - 1)
            terminal.draw(frame.lines + foot, prompt: shown.editor)
        }

        private func foot(_ columns: Int) -> [Line] {
            (shown.message + [shown.tape.line]).map { $0.cut(to: columns) }
        }
    }
#endif
