/// One store's place on the tape: what it does is recorded here, and what is played back comes from here.
///
/// All of it may be called from any thread.
// Unchecked: the app's states need not be Sendable; what crosses threads are copies.
public final class Track<State, Action>: @unchecked Sendable {
    private let initial: State
    /// Nil if the recorder is off.
    private let tape: StoreRecorder<State, Action>?
    @usableFromInline let isOn: Bool

    init(_ initial: State, _ tape: StoreRecorder<State, Action>?) {
        self.initial = initial
        self.tape = tape
        isOn = tape != nil
    }

    deinit {
        tape?.detach()
    }

    /// The state to begin with: the one that the server was told to start this app at, else the app's own.
    ///
    /// The first use in a process waits for the server's welcome, at most 300 ms; nothing else here ever waits.
    public var start: State { tape?.start() ?? initial }

    /// Runs a reduction and records the action and the state after it.
    ///
    /// - Parameters:
    ///   - action: The action, written down before the reducer runs.
    ///   - state: The store's state.
    ///   - fileID: The file of the call site, which the tape names as `caller`.
    ///   - line: The line of the call site.
    ///   - reduce: The reduction; what it returns or throws is passed on.
    @inlinable @discardableResult
    public func record<Output, Failure: Error>(
        _ action: Action, _ state: inout State, fileID: StaticString = #fileID, line: UInt = #line,
        _ reduce: (inout State) throws(Failure) -> Output
    ) throws(Failure) -> Output {
        guard isOn else { return try reduce(&state) }
        return try recordOn(action, &state, { nil }, fileID, line, reduce)
    }

    /// Runs a reduction that returns something, such as an effect, and records the action and the state after it.
    ///
    /// - Parameters:
    ///   - action: The action, written down before the reducer runs.
    ///   - state: The store's state.
    ///   - held: What is returned in the place of a reduction while the app is locked: the action then waits until it is
    ///     unlocked. Without it a reduction that returns something runs, locked or not.
    ///   - fileID: The file of the call site, which the tape names as `caller`.
    ///   - line: The line of the call site.
    ///   - reduce: The reduction; what it returns or throws is passed on.
    @inlinable @discardableResult
    public func record<Output, Failure: Error>(
        _ action: Action, _ state: inout State, held: @autoclosure () -> Output, fileID: StaticString = #fileID,
        line: UInt = #line, _ reduce: (inout State) throws(Failure) -> Output
    ) throws(Failure) -> Output {
        guard isOn else { return try reduce(&state) }
        return try recordOn(action, &state, held, fileID, line, reduce)
    }

    // Out of line, so that an app carries nothing but the branch.
    @usableFromInline
    func recordOn<Output, Failure: Error>(
        _ action: Action, _ state: inout State, _ held: () -> Output?, _ fileID: StaticString, _ line: UInt,
        _ reduce: (inout State) throws(Failure) -> Output
    ) throws(Failure) -> Output {
        guard let tape else { return try reduce(&state) }
        return try tape.record(action, &state, Caller(fileID: fileID, line: line), held: held, reduce)
    }

    /// Runs a change that no action stands for and records the state after it.
    @inlinable @discardableResult
    public func set<Output, Failure: Error>(
        _ state: inout State, _ change: (inout State) throws(Failure) -> Output
    ) throws(Failure) -> Output {
        guard isOn else { return try change(&state) }
        return try setOn(&state, change)
    }

    @usableFromInline
    func setOn<Output, Failure: Error>(
        _ state: inout State, _ change: (inout State) throws(Failure) -> Output
    ) throws(Failure) -> Output {
        guard let tape else { return try change(&state) }
        return try tape.set(&state, change)
    }

    /// Lets states and actions be played into the store.
    ///
    /// The closures run on the isolation where `connect` is called (the main actor's, most often); without one, on a
    /// thread of the recorder. They are kept as long as the track: capture what must not live as long weakly.
    ///
    /// - Parameters:
    ///   - state: The store's state now; nil if the store is gone.
    ///   - dispatch: Dispatches an action as the app would.
    ///   - play: Puts a state into the store without an action.
    ///   - isolation: Where the closures run.
    public func connect(
        state: (() -> State?)? = nil, dispatch: ((Action) -> Void)? = nil, play: ((State) -> Void)? = nil,
        isolation: isolated (any Actor)? = #isolation
    ) {
        guard let tape else { return }
        tape.connect(
            StoreHandlers(state: state, dispatch: dispatch, play: play, isolation: isolation),
            now: EncodingMark.set { state?() } ?? nil)
    }

    /// Records every action that passes, for a store with middleware of this shape; it stands first in the chain.
    public var middleware: (@escaping (Action, inout State) -> Void) -> (Action, inout State) -> Void {
        guard isOn else { return { next in next } }
        // The chain keeps the track, and so the store on the tape.
        return { [self] next in
            { [self] action, state in tape?.record(action, &state, nil, held: { nil }) { next(action, &$0) } }
        }
    }

    /// Whether the app's own actions are held now, as somebody looks at a state or recorded actions are replayed.
    ///
    /// For what starts work in front of the reducer: a thunk, an `AsyncAction`, a command. It would run while the app is
    /// held, and again when the action is dispatched for the second time. While this is true, hand the action to the
    /// reducer instead, where ``record(_:_:fileID:line:_:)`` keeps it. A replayed action finds it true as well, since what
    /// it started was recorded.
    ///
    /// ```swift
    /// guard let thunk = action as? Thunk, !track.isHeld else { return next(action) }
    /// ```
    public var isHeld: Bool { tape?.isLocked ?? false }

    /// Holds back what an action starts while recorded actions are replayed: what it brought then is recorded too.
    ///
    /// ```swift
    /// let store = Store(initial: track.start, reducer: reduce, middleware: [track.middleware],
    ///     effects: track.effects(appEffects))
    /// ```
    ///
    /// - Parameter effects: Tells what an action starts; asked with the action and the state after it.
    public func effects<Effect>(
        _ effects: @escaping (Action, State) -> Effect?
    ) -> (Action, State) -> Effect? {
        guard let tape else { return effects }
        return { action, state in tape.isLocked ? nil : effects(action, state) }
    }
}
