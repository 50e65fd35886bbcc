import StateTape

extension Replay {
    /// Runs the recorded actions through a reducer and compares the states.
    ///
    /// - Parameters:
    ///   - state: The type of the store's state.
    ///   - action: The type of the store's actions.
    ///   - initial: The app's own initial state, which has the values of new members and of secrets.
    ///   - fileID: The file of the test, where failures are reported.
    ///   - filePath: The path of that file.
    ///   - line: The line of the test.
    ///   - column: The column of the test.
    ///   - reducer: The app's reducer. An error that it throws fails the test, unless the tape has the same one.
    public func verify<State: Codable, Action: Codable>(
        _ state: State.Type, _ action: Action.Type, initial: State? = nil, fileID: String = #fileID,
        filePath: StaticString = #filePath, line: UInt = #line, column: Int = #column,
        reducer: (inout State, Action) throws -> Void
    ) {
        run(ReplayCodec<State, Action>(), initial, TestLocation(fileID, filePath, line, column), reducer)
    }

    /// Runs the recorded actions, which have many types behind a protocol, through a reducer and compares the states.
    ///
    /// - Parameters:
    ///   - state: The type of the store's state.
    ///   - action: The protocol, as `(any Action).self`.
    ///   - decoding: The types of the actions.
    ///   - initial: The app's own initial state, which has the values of new members and of secrets.
    ///   - fileID: The file of the test, where failures are reported.
    ///   - filePath: The path of that file.
    ///   - line: The line of the test.
    ///   - column: The column of the test.
    ///   - reducer: The app's reducer. An error that it throws fails the test, unless the tape has the same one.
    public func verify<State: Codable, Action>(
        _ state: State.Type, _ action: Action.Type, decoding: [any Codable.Type], initial: State? = nil,
        fileID: String = #fileID, filePath: StaticString = #filePath, line: UInt = #line, column: Int = #column,
        reducer: (inout State, Action) throws -> Void
    ) {
        let codec = ReplayCodec<State, Action>(decoding: decoding)
        run(codec, initial, TestLocation(fileID, filePath, line, column), reducer)
    }

    /// Runs the recorded actions through a store of the app's own and compares the states.
    ///
    /// - Parameters:
    ///   - state: The type of the store's state.
    ///   - action: The type of the store's actions.
    ///   - initial: The app's own initial state, which has the values of new members and of secrets.
    ///   - fileID: The file of the test, where failures are reported.
    ///   - filePath: The path of that file.
    ///   - line: The line of the test.
    ///   - column: The column of the test.
    ///   - isolation: Where the closures run.
    ///   - start: Puts the store to a recorded state: first, and where a state was applied while recording.
    ///   - apply: Dispatches an action and returns the store's state once the action has changed it. An error that it
    ///     throws fails the test, unless the tape has the same one.
    public func verify<State: Codable, Action: Codable>(
        _ state: State.Type, _ action: Action.Type, initial: State? = nil, fileID: String = #fileID,
        filePath: StaticString = #filePath, line: UInt = #line, column: Int = #column,
        isolation: isolated (any Actor)? = #isolation, start: nonisolated(nonsending) (State) async throws -> Void,
        apply: nonisolated(nonsending) (Action) async throws -> State
    ) async {
        await run(
            ReplayCodec<State, Action>(), initial, TestLocation(fileID, filePath, line, column), start: start,
            apply: apply)
    }

    /// Runs the recorded actions, which have many types behind a protocol, through a store of the app's own and compares
    /// the states.
    ///
    /// - Parameters:
    ///   - state: The type of the store's state.
    ///   - action: The protocol, as `(any Action).self`.
    ///   - decoding: The types of the actions.
    ///   - initial: The app's own initial state, which has the values of new members and of secrets.
    ///   - fileID: The file of the test, where failures are reported.
    ///   - filePath: The path of that file.
    ///   - line: The line of the test.
    ///   - column: The column of the test.
    ///   - isolation: Where the closures run.
    ///   - start: Puts the store to a recorded state: first, and where a state was applied while recording.
    ///   - apply: Dispatches an action and returns the store's state once the action has changed it.
    public func verify<State: Codable, Action>(
        _ state: State.Type, _ action: Action.Type, decoding: [any Codable.Type], initial: State? = nil,
        fileID: String = #fileID, filePath: StaticString = #filePath, line: UInt = #line, column: Int = #column,
        isolation: isolated (any Actor)? = #isolation, start: nonisolated(nonsending) (State) async throws -> Void,
        apply: nonisolated(nonsending) (Action) async throws -> State
    ) async {
        await run(
            ReplayCodec<State, Action>(decoding: decoding), initial, TestLocation(fileID, filePath, line, column),
            start: start, apply: apply)
    }

    private func run<State, Action>(
        _ codec: ReplayCodec<State, Action>, _ initial: State?, _ location: TestLocation,
        isolation: isolated (any Actor)? = #isolation, start: nonisolated(nonsending) (State) async throws -> Void,
        apply: nonisolated(nonsending) (Action) async throws -> State
    ) async {
        do {
            var run = try ReplayRun(self, codec, initial)
            var state = run.plan.initial
            try await start(state)
            for step in run.plan.steps {
                switch step.work {
                case .action(let action):
                    do {
                        state = try await apply(action)
                    } catch {
                        guard run.isRecorded(error, step) else { throw location.failure(step.line, error) }
                        run.pass(step)
                        continue
                    }
                case .given(let json):
                    state = try run.state(json, state)
                    try await start(state)
                case .look: break
                }
                try run.check(step, state, isKnown: false)
            }
            if let failure = try run.failure(at: location) { location.fail(failure) }
        } catch {
            location.fail("\(error)")
        }
    }

    private func run<State, Action>(
        _ codec: ReplayCodec<State, Action>, _ initial: State?, _ location: TestLocation,
        _ reducer: (inout State, Action) throws -> Void
    ) {
        do {
            var run = try ReplayRun(self, codec, initial)
            var state = run.plan.initial
            for step in run.plan.steps {
                var thrown: (any Error)?
                switch step.work {
                case .action(let action): do { try reducer(&state, action) } catch { thrown = error }
                case .given(let json): state = try run.state(json, state)
                case .look: break
                }
                try run.check(step, state, throwing: thrown)
            }
            if let failure = try run.failure(at: location) { location.fail(failure) }
        } catch {
            location.fail("\(error)")
        }
    }
}
