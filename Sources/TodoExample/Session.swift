import Foundation

/// Runs the app: handles typed input, the script and signals.
struct Session: Sendable {
    let app: TodoApp
    let script: Script?
    /// Whether the first key or push stops the script, and the app goes on.
    let isDemo: Bool
    let signals: Signals

    private enum Input: Sendable {
        case bytes([UInt8])
        case endOfInput
        case resized
        case endOfScript
        case stopped
    }

    /// Runs until the user, the script, the end of the input or a signal quits the app.
    func run() async {
        let (inputs, feed) = AsyncStream.makeStream(of: Input.self)
        let listening = Task {
            for await number in signals.numbers { feed.yield(number == SIGWINCH ? .resized : .stopped) }
        }
        defer { listening.cancel() }
        let isTyped = app.screen.hasPrompt
        if script == nil || isTyped { Self.read(feed) }
        let scripted = script.map { script in
            Task {
                let submit = isDemo ? app.script : app.submit
                let runner = ScriptRunner(script: script, store: app.store, submit: submit)
                if await runner.run() == .quit, !isDemo { feed.yield(.endOfScript) }
            }
        }
        defer { scripted?.cancel() }

        var lines = LineBuffer()
        for await input in inputs {
            var isRunning = true
            switch input {
            case .bytes(let bytes) where isTyped: isRunning = await type(bytes)
            case .bytes(let bytes): isRunning = await submit(lines.take(bytes))
            case .endOfInput: isRunning = await submit(lines.rest) && script != nil && !isTyped
            case .resized: app.screen.redraw()
            case .endOfScript: isRunning = false
            // Without waiting for drawing, which blocks if nobody reads the output.
            case .stopped: return
            }
            if !isRunning { break }
        }
        await app.settled()
    }

    /// Handles keys; returns false if they quit the app.
    private func type(_ bytes: [UInt8]) async -> Bool {
        app.takeKeys()
        for event in app.screen.update({ $0.editor?.take(bytes) ?? [] }) {
            guard case .line(let line) = event, await app.submit(line) else { return false }
        }
        return true
    }

    private func submit(_ lines: [String]) async -> Bool {
        for line in lines where await !app.submit(line) { return false }
        return true
    }

    /// Reads standard input on a new thread, which ends with the process.
    private static func read(_ feed: AsyncStream<Input>.Continuation) {
        Thread.detachNewThread {
            var buffer = [UInt8](repeating: 0, count: 4_096)
            while true {
                let count = Foundation.read(STDIN_FILENO, &buffer, buffer.count)
                if count < 0, errno == EINTR { continue }
                guard count > 0 else { break }
                feed.yield(.bytes(Array(buffer[..<count])))
            }
            feed.yield(.endOfInput)
        }
    }
}
