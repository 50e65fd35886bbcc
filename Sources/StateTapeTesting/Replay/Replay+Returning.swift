// A reducer that returns the next state. These forms give way to `(inout State, Action) -> Void`, so that a closure that only
// throws, or that ends the process, stays one of that form.
extension Replay {
    /// Runs the recorded actions through a reducer `(State, Action) -> State`.
    ///
    /// - Parameters:
    ///   - state: The type of the store's state.
    ///   - action: The type of the store's actions.
    ///   - initial: The app's own initial state, which has the values of new members and of secrets.
    ///   - fileID: The file of the test, where failures are reported.
    ///   - filePath: The path of that file.
    ///   - line: The line of the test.
    ///   - column: The column of the test.
    ///   - reducer: The app's reducer, which returns the next state.
    @_disfavoredOverload
    public func verify<State: Codable, Action: Codable>(
        _ state: State.Type, _ action: Action.Type, initial: State? = nil, fileID: String = #fileID,
        filePath: StaticString = #filePath, line: UInt = #line, column: Int = #column,
        reducer: (State, Action) throws -> State
    ) {
        verify(
            State.self, Action.self, initial: initial, fileID: fileID, filePath: filePath, line: line,
            column: column
        ) { (state: inout State, action: Action) in state = try reducer(state, action) }
    }

    /// Runs the recorded actions through a reducer `(Action, State?) -> State`, as ReSwift's.
    ///
    /// - Parameters:
    ///   - state: The type of the store's state.
    ///   - action: The type of the store's actions.
    ///   - initial: The app's own initial state, which has the values of new members and of secrets.
    ///   - fileID: The file of the test, where failures are reported.
    ///   - filePath: The path of that file.
    ///   - line: The line of the test.
    ///   - column: The column of the test.
    ///   - reducer: The app's reducer, which returns the next state.
    @_disfavoredOverload
    public func verify<State: Codable, Action: Codable>(
        _ state: State.Type, _ action: Action.Type, initial: State? = nil, fileID: String = #fileID,
        filePath: StaticString = #filePath, line: UInt = #line, column: Int = #column,
        reducer: (Action, State) throws -> State
    ) {
        verify(
            State.self, Action.self, initial: initial, fileID: fileID, filePath: filePath, line: line,
            column: column
        ) { (state: inout State, action: Action) in state = try reducer(action, state) }
    }

    /// Runs the recorded actions, which have many types behind a protocol, through a reducer `(State, Action) -> State`.
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
    ///   - reducer: The app's reducer, which returns the next state.
    @_disfavoredOverload
    public func verify<State: Codable, Action>(
        _ state: State.Type, _ action: Action.Type, decoding: [any Codable.Type], initial: State? = nil,
        fileID: String = #fileID, filePath: StaticString = #filePath, line: UInt = #line, column: Int = #column,
        reducer: (State, Action) throws -> State
    ) {
        verify(
            State.self, Action.self, decoding: decoding, initial: initial, fileID: fileID, filePath: filePath,
            line: line,
            column: column
        ) { (state: inout State, action: Action) in state = try reducer(state, action) }
    }

    /// Runs the recorded actions, which have many types behind a protocol, through a reducer `(Action, State?) -> State`, as ReSwift's.
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
    ///   - reducer: The app's reducer, which returns the next state.
    @_disfavoredOverload
    public func verify<State: Codable, Action>(
        _ state: State.Type, _ action: Action.Type, decoding: [any Codable.Type], initial: State? = nil,
        fileID: String = #fileID, filePath: StaticString = #filePath, line: UInt = #line, column: Int = #column,
        reducer: (Action, State) throws -> State
    ) {
        verify(
            State.self, Action.self, decoding: decoding, initial: initial, fileID: fileID, filePath: filePath,
            line: line,
            column: column
        ) { (state: inout State, action: Action) in state = try reducer(action, state) }
    }
}
