#if Server
    import Foundation
    import StateTape
    import StateTapeStore

    /// The app: a store, a screen that draws its states, and the handling of commands.
    struct TodoApp: Sendable {
        let store: Store<AppState, AppAction>
        let tape: Recorder
        let screen: Screen
        private let moment: Moment
        private let drawing: Subscription

        /// Creates the app, and draws its first state.
        ///
        /// - Parameters:
        ///   - tape: The recorder.
        ///   - screen: The screen.
        ///   - moment: The clock and the calendar.
        init(tape: Recorder, screen: Screen, moment: Moment) {
            let track = tape.track(AppState(), AppAction.self)
            let start = track.start
            if start != AppState() { screen.prepare { $0.tape.isApplied = true } }
            let effects = AppEffects(now: moment.now)
            let store = Store<AppState, AppAction>(
                initial: start, reducer: reduce,
                middleware: [track.middleware, Self.clearingAppliedMark(screen)],
                effects: track.effects(effects.effect))
            track.connect(
                state: { store.state }, dispatch: { store.dispatch($0) },
                play: { state in
                    screen.prepare {
                        $0.tape.isApplied = true
                        $0.message = []
                    }
                    store.replace(state)
                })
            self.tape = tape
            self.store = store
            self.screen = screen
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

        /// Runs a typed command.
        ///
        /// - Returns: False if the command quits the app.
        func submit(_ line: String) async -> Bool {
            do {
                guard let command = try Command(parsing: line, today: moment.today) else { return true }
                let state = await settled()
                let actions = try command.actions(in: state, at: moment.now(), today: moment.today)
                let message = message(after: command, in: state)
                screen.prepare { $0.message = message }
                for action in actions { store.dispatch(action) }
                if actions.isEmpty { screen.redraw() }
                return command != .quit
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
#endif
