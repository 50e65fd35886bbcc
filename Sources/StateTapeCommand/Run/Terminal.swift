import Foundation

/// The terminal of this process, which the app gets while it runs.
struct Terminal: Sendable {
    private let settings: termios

    /// Nil if standard input is not a terminal, or if this is a background job.
    init?() {
        var settings = termios()
        guard isatty(STDIN_FILENO) == 1, tcgetpgrp(STDIN_FILENO) == getpgrp(),
            tcgetattr(STDIN_FILENO, &settings) == 0
        else { return nil }
        self.settings = settings
        // Without this, taking the terminal back would stop this process.
        signal(SIGTTOU, SIG_IGN)
    }

    /// Whether the app has switched off line input, as full-screen programs do.
    var isFullScreen: Bool {
        var now = termios()
        return tcgetattr(STDIN_FILENO, &now) == 0 && now.c_lflag & tcflag_t(ICANON) == 0
            && settings.c_lflag & tcflag_t(ICANON) != 0
    }

    func give(to group: pid_t) {
        // A background job must not take the terminal from the shell.
        let foreground = tcgetpgrp(STDIN_FILENO)
        if foreground == getpgrp() || kill(-foreground, 0) != 0 { tcsetpgrp(STDIN_FILENO, group) }
    }

    /// Takes the terminal back from the app, and leaves full screen if the app could not.
    func takeBack(from group: pid_t) {
        guard tcgetpgrp(STDIN_FILENO) == group else { return }
        tcsetpgrp(STDIN_FILENO, getpgrp())
        let wasFullScreen = isFullScreen
        var settings = settings
        tcsetattr(STDIN_FILENO, TCSADRAIN, &settings)
        // The normal screen, and the cursor.
        if wasFullScreen { try? FileHandle.standardOutput.write(contentsOf: Data("\u{1b}[?1049l\u{1b}[?25h".utf8)) }
    }

    /// The app was stopped: by a key, so that this process stops, too; or because it asked for the terminal before it
    /// had it.
    func stopped(_ process: pid_t, by number: Int32) {
        if [SIGTTIN, SIGTTOU].contains(number), tcgetpgrp(STDIN_FILENO) == process {
            kill(-process, SIGCONT)
            return
        }
        guard [SIGTSTP, SIGTTIN, SIGTTOU].contains(number) else { return }
        takeBack(from: process)
        kill(getpid(), SIGSTOP)
        // Here the shell has continued this process.
        give(to: process)
        kill(-process, SIGCONT)
    }
}
