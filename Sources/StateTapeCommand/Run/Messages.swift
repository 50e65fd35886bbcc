import TapeFormat

/// What `run` says on standard error. While a full-screen app is on the terminal, messages wait until it ends.
final class Messages: Sendable {
    private let terminal: Terminal?
    private let waiting = Locked<[String]>([])

    init(_ terminal: Terminal?) {
        self.terminal = terminal
    }

    func say(_ text: String) {
        add(text.split(separator: "\n").map { "statetape: \($0)" })
    }

    /// A line of a build's output.
    func add(_ lines: [String]) {
        let isWaiting = waiting.withLock { waiting in
            guard terminal?.isFullScreen == true else { return false }
            waiting = (waiting + lines).suffix(100)
            return true
        }
        if !isWaiting { show(lines) }
    }

    /// Shows what has waited, because the app has ended.
    func flush() {
        show(
            waiting.withLock { waiting in
                defer { waiting = [] }
                return waiting
            })
    }

    private func show(_ lines: [String]) {
        // Compilers show lines of code with their tabs.
        for line in lines { Output.note(line.replacing("\t", with: "    ")) }
    }
}
