#if Server
    import Foundation
    import StateTape
    import StateTapeStore

    /// The app: a store, what draws its states, and what takes a person's commands.
    struct TodoApp: Sendable {
        let store: Store<AppState, AppAction>
        let tape: Recorder
        let screen: Screen
        private let moment: Moment
        private let drawing: Subscription

        /// Makes the app and draws its first state.
        ///
        /// - Parameters:
        ///   - tape: Where the app is recorded.
        ///   - screen: Where it is drawn.
        ///   - moment: Its clock and calendar.
        init(tape: Recorder, screen: Screen, moment: Moment) {
            let track = tape.track(AppState(), AppAction.self)
            let start = track.start
            if start != AppState() { screen.prepare { $0.tape.isPlayedIn = true } }
            let effects = AppEffects(now: moment.now)
            let store = Store<AppState, AppAction>(
                initial: start, reducer: reduce,
                middleware: [track.middleware, Self.leaving(screen)],
                effects: track.effects(effects.effect))
            track.connect(
                state: { store.state }, dispatch: { store.dispatch($0) },
                play: { state in
                    screen.prepare {
                        $0.tape.isPlayedIn = true
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

        /// An action of the app's own leaves the state that was played in behind.
        private static func leaving(_ screen: Screen) -> Middleware<AppState, AppAction> {
            { next in
                { action, state in
                    screen.prepare { $0.tape.isPlayedIn = false }
                    next(action, &state)
                }
            }
        }

        /// Does what a person has typed.
        ///
        /// - Returns: Whether the app goes on.
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

        /// The state when all that has been dispatched so far is done, by whichever thread.
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
            case .undo: state.history.last.map { [Line(" Taken back: \($0.title)", .bold)] } ?? []
            default: []
            }
        }
    }
#endif
