import Foundation

/// The terminal of standard output, which the app fills, and restores at the end.
final class Terminal: Sendable {
    private let before: termios?
    /// Whether no-color.org's variable is unset or empty.
    private let isColored = ProcessInfo.processInfo.environment["NO_COLOR"]?.isEmpty ?? true

    /// Switches the terminal to raw mode; nil if standard output isn't a terminal.
    init?() {
        guard isatty(STDOUT_FILENO) == 1 else { return nil }
        var settings = termios()
        if Self.isInForeground, tcgetattr(STDIN_FILENO, &settings) == 0 {
            before = settings
            settings.c_lflag &= ~tcflag_t(ICANON | ECHO | ISIG | IEXTEN)
            settings.c_iflag &= ~tcflag_t(IXON | ICRNL)
            tcsetattr(STDIN_FILENO, TCSANOW, &settings)
        } else {
            before = nil
        }
        Output.write("\u{1b}[2J")
    }

    /// Whether the process is in the foreground. The system stops a background process that changes the terminal.
    private static var isInForeground: Bool {
        let foreground = tcgetpgrp(STDIN_FILENO)
        return isatty(STDIN_FILENO) == 1 && (foreground < 0 || foreground == getpgrp())
    }

    /// Whether the app receives keys.
    var hasKeys: Bool { before != nil }

    /// The current number of columns and rows.
    var size: (columns: Int, rows: Int) {
        var size = winsize()
        guard ioctl(STDOUT_FILENO, UInt(TIOCGWINSZ), &size) == 0, size.ws_col > 0, size.ws_row > 0 else {
            return (80, 24)
        }
        return (Int(size.ws_col), Int(size.ws_row))
    }

    /// Overwrites the screen line by line, to avoid flicker.
    func draw(_ lines: [Line], prompt editor: LineEditor?) {
        let (columns, rows) = size
        let fitting = lines.suffix(max(0, rows - 1))
        var text = "\u{1b}[?25l\u{1b}[H"
        for line in fitting { text += line.ansi(colored: isColored) + "\u{1b}[K\r\n" }
        text += "\u{1b}[J"
        if let editor {
            let prompt = Prompt(editor, columns: columns)
            text += "\u{1b}[1m›\u{1b}[0m \(prompt.text)\u{1b}[\(fitting.count + 1);\(prompt.column)H\u{1b}[?25h"
        }
        Output.write(text)
    }

    /// Restores the terminal's settings, and leaves the last frame on the screen.
    func close() {
        Output.write("\r\u{1b}[K\u{1b}[?25h")
        if var before { tcsetattr(STDIN_FILENO, TCSANOW, &before) }
    }
}
