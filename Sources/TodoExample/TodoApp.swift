import Foundation
import StateTape
import StateTapeStore

/// The app: a store, a screen that draws its states, and the handling of commands.
struct TodoApp: Sendable {
    let store: Store<AppState, AppAction>
    let tape: Recorder
    let screen: Screen
    private let takeover: Takeover
    private let moment: Moment
    private let drawing: Subscription

    /// Creates the app, and draws its first state.
    ///
    /// - Parameters:
    ///   - tape: The recorder.
    ///   - screen: The screen.
    ///   - moment: The clock and the calendar.
    ///   - stopsScript: Whether the first key or push stops the script.
    init(tape: Recorder, screen: Screen, moment: Moment, stopsScript: Bool = false) {
        let takeover = Takeover(isScripted: stopsScript)
        let effects = AppEffects(now: moment.now, appliedStates: { takeover.appliedStates })
        let store = Store<AppState, AppAction>(
            initial: AppState(), reducer: reduce, middleware: [Self.clearingAppliedMark(screen)],
            effects: effects.effect
        ).taped(by: tape) { input in
            switch input {
            case .action: Self.stopScript(takeover, screen, "an action was dispatched from outside.")
            case .state:
                Self.stopScript(takeover, screen, "a state was applied.")
                takeover.apply()
                screen.prepare {
                    $0.tape.isApplied = true
                    $0.message = []
                }
            }
        }
        if store.state != AppState() {
            screen.prepare { $0.tape.isApplied = true }
            Self.stopScript(takeover, screen, "the app was launched from a recorded state.")
        }
        self.tape = tape
        self.store = store
        self.screen = screen
        self.takeover = takeover
        self.moment = moment
        drawing = store.subscribe { screen.show($0) }
    }

    /// Clears the mark of an applied state at the next action.
    private static func clearingAppliedMark(_ screen: Screen) -> Middleware<AppState, AppAction> {
        { next in
            { action, state in
                screen.prepare { $0.tape.isApplied = false }
                next(action, &state)
            }
        }
    }

    /// Stops the script at a key.
    func takeKeys() {
        Self.stopScript(takeover, screen, "you have typed.")
    }

    private static func stopScript(_ takeover: Takeover, _ screen: Screen, _ reason: String) {
        guard takeover.stopScript() else { return }
        screen.update { $0.notice = ScriptNotice.stopped(reason).lines(hasPrompt: $0.editor != nil) }
    }

    /// Runs a command of the script.
    ///
    /// - Returns: False if the command quits the app, or if the script was stopped.
    func script(_ line: String) async -> Bool {
        guard takeover.step({}) else { return false }
        return await submit(line) { takeover.step($0) }
    }

    /// Runs a typed command.
    ///
    /// - Returns: False if the command quits the app.
    func submit(_ line: String) async -> Bool {
        screen.prepare { $0.notice = [] }
        return await submit(line) { act in
            act()
            return true
        }
    }

    /// - Parameter perform: Performs the command, or returns false.
    private func submit(_ line: String, _ perform: (() -> Void) -> Bool) async -> Bool {
        do {
            guard let command = try Command(parsing: line, today: moment.today) else { return true }
            let state = await settled()
            let actions = try command.actions(in: state, at: moment.now(), today: moment.today)
            let message = message(after: command, in: state)
            let isPerformed = perform {
                screen.prepare { $0.message = message }
                for action in actions { store.dispatch(action) }
                if actions.isEmpty { screen.redraw() }
            }
            return isPerformed && command != .quit
        } catch {
            screen.update { $0.message = [Line(" " + error.message, .warning)] }
            return true
        }
    }

    /// The state after all queued actions of all threads.
    @discardableResult
    func settled() async -> AppState {
        let (states, continuation) = AsyncStream.makeStream(of: AppState.self)
        let subscription = store.subscribe { continuation.yield($0) }
        defer { subscription.cancel() }
        for await state in states { return state }
        return store.state
    }

    private func message(after command: Command, in state: AppState) -> [Line] {
        switch command {
        case .help: CommandWord.help.map { Line(" " + $0) }
        case .undo: state.history.last.map { [Line(" Undone: \($0.title)", .bold)] } ?? []
        default: []
        }
    }
}
