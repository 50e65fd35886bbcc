import StateTapeStore

/// Runs a script at the prompt of an app.
struct ScriptRunner: Sendable {
    let script: Script
    let store: Store<AppState, AppAction>
    /// Runs a command line; returns false if it quits the app.
    let submit: @Sendable (String) async -> Bool

    /// How a script ended.
    enum End {
        case quit
        /// The script ended with `stay`; the app keeps running.
        case stay
    }

    /// Runs the script until it ends or the task is cancelled; a loop runs forever.
    func run() async -> End {
        repeat {
            for step in script.steps where !Task.isCancelled {
                switch step {
                case .command(let line): if await !submit(line) { return .quit }
                case .pause(let duration): try? await ContinuousClock().sleep(for: duration)
                case .waitForSync: await waitForSync()
                case .loop: break
                case .stay: return .stay
                }
            }
        } while script.steps.last == .loop && !Task.isCancelled
        return .quit
    }

    private func waitForSync() async {
        let (running, continuation) = AsyncStream.makeStream(of: Bool.self)
        let subscription = store.subscribe({ $0.sync.status == .running }) { continuation.yield($0) }
        for await isRunning in running where !isRunning { break }
        subscription.cancel()
    }
}
