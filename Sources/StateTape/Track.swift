// An app that passes on a gate imports no module for it.
@_exported public import DispatchContext
import StateCapture

/// Records one store. Through it, the server applies states and dispatches actions.
///
/// You can call every member from any thread.
// Unchecked: the app's states need not be Sendable; only copies cross threads.
public final class Track<State, Action>: @unchecked Sendable {
    private let initial: KeptState<State>
    /// Nil if the recorder is off.
    private let store: StoreRecorder<State, Action>?
    @usableFromInline let isOn: Bool

    init(_ initial: KeptState<State>, _ store: StoreRecorder<State, Action>?) {
        self.initial = initial
        self.store = store
        isOn = store != nil
    }

    deinit {
        store?.detach()
    }

    /// The state to launch with: the launch state set on the server, else the app's own initial state.
    ///
    /// The first read in a process waits for the server's welcome, at most 300 ms, or as many seconds as
    /// `STATETAPE_LAUNCH_WAIT` says. No other member waits.
    public var start: State { store?.start() ?? initial.state }

    /// Runs a reduction and records the action and the state after it.
    ///
    /// - Parameters:
    ///   - action: The action, recorded before the reducer runs.
    ///   - state: The store's state.
    ///   - fileID: The file of the call site, which the tape names as `caller`. Pass on that of your own method, or use
    ///     ``dispatch(fileID:line:_:)``; without either, the tape names none.
    ///   - line: The line of the call site.
    ///   - reduce: The reduction. Its result is passed on. So is its error, which the tape has on the action's event.
    @inlinable @discardableResult
    public func record<Output, Failure: Error>(
        _ action: Action, _ state: inout State, fileID: StaticString? = nil, line: UInt = 0,
        _ reduce: (inout State) throws(Failure) -> Output
    ) throws(Failure) -> Output {
        guard isOn else { return try reduce(&state) }
        return try recordOn(action, &state, { nil }, fileID, line, reduce)
    }

    /// Runs a reduction that returns something, such as an effect, and records the action and the state after it.
    ///
    /// - Parameters:
    ///   - action: The action, recorded before the reducer runs.
    ///   - state: The store's state.
    ///   - held: The value to return instead of reducing while the app is locked. The action is then queued until the
    ///     app is unlocked. Without it, a reduction that returns something runs even while the app is locked.
    ///   - fileID: The file of the call site, which the tape names as `caller`. Pass on that of your own method, or use
    ///     ``dispatch(fileID:line:_:)``; without either, the tape names none.
    ///   - line: The line of the call site.
    ///   - reduce: The reduction. Its result is passed on. So is its error, which the tape has on the action's event.
    @inlinable @discardableResult
    public func record<Output, Failure: Error>(
        _ action: Action, _ state: inout State, held: @autoclosure () -> Output, fileID: StaticString? = nil,
        line: UInt = 0, _ reduce: (inout State) throws(Failure) -> Output
    ) throws(Failure) -> Output {
        guard isOn else { return try reduce(&state) }
        return try recordOn(action, &state, held, fileID, line, reduce)
    }

    // Not inlined, so that the app's code gets only the branch.
    @usableFromInline
    func recordOn<Output, Failure: Error>(
        _ action: Action, _ state: inout State, _ held: () -> Output?, _ fileID: StaticString?, _ line: UInt,
        _ reduce: (inout State) throws(Failure) -> Output
    ) throws(Failure) -> Output {
        guard let store else { return try reduce(&state) }
        let callSite = fileID.map { CallSite(fileID: $0, line: line) }
        return try store.record(action, &state, of: store.takeDispatch(), callSite, held: held, reduce)
    }

    /// Runs a dispatch of the store, in which it reduces one action with ``record(_:_:fileID:line:_:)``.
    ///
    /// The tape names the line that called `dispatch`. What runs in the dispatch after the reducer, such as subscribers
    /// and effects, and the tasks that it starts dispatch actions whose `cause` is this one. Put it around no more than
    /// one action: a thunk that dispatches several is outside of it.
    ///
    /// ```swift
    /// func send(_ action: AppAction, fileID: StaticString = #fileID, line: UInt = #line) {
    ///     track.dispatch(fileID: fileID, line: line) {
    ///         track.record(action, &state) { appReducer(&$0, action) }
    ///         startEffects(action)
    ///     }
    /// }
    /// ```
    ///
    /// The store of `StateTapeStore` does this itself.
    ///
    /// - Parameters:
    ///   - fileID: The file of the call site.
    ///   - line: The line of the call site.
    ///   - body: The dispatch. Its result or error is passed on.
    @inlinable @discardableResult
    public func dispatch<Output, Failure: Error>(
        fileID: StaticString = #fileID, line: UInt = #line, _ body: () throws(Failure) -> Output
    ) throws(Failure) -> Output {
        guard isOn else { return try body() }
        return try dispatch(from: DispatchOrigin(fileID: fileID, line: line), body)
    }

    /// Runs a dispatch that began elsewhere, for a store that reduces on a queue of its own.
    ///
    /// - Parameters:
    ///   - origin: Where the dispatch began. Nil if that is unknown: then the tape names no call site, and the cause is
    ///     the event that runs now.
    ///   - body: The dispatch, as for ``dispatch(fileID:line:_:)``.
    @discardableResult
    public func dispatch<Output, Failure: Error>(
        from origin: DispatchOrigin?, _ body: () throws(Failure) -> Output
    ) throws(Failure) -> Output {
        guard let store else { return try body() }
        return try store.dispatch(from: origin ?? .current, body)
    }

    /// Runs a change that has no action and records the state after it.
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
        guard let store else { return try change(&state) }
        return try store.set(&state, change)
    }

    /// Connects the store, so that the server can apply states and dispatch actions.
    ///
    /// The closures run on the isolation where `connect` is called, most often the main actor; without one, on a thread
    /// of the recorder. The track keeps them as long as it lives: capture weakly what must not live as long.
    ///
    /// - Parameters:
    ///   - state: Returns the store's current state; nil if the store is gone.
    ///   - dispatch: Dispatches an action as the app would.
    ///   - play: Applies a state to the store without an action.
    ///   - isolation: Where the closures run.
    public func connect(
        state: (() -> State?)? = nil, dispatch: ((Action) -> Void)? = nil, play: ((State) -> Void)? = nil,
        isolation: isolated (any Actor)? = #isolation
    ) {
        guard let store else { return }
        store.connect(
            StoreHandlers(state: state, dispatch: dispatch, play: play, isolation: isolation),
            now: EncodingMark.set { state?() } ?? nil)
    }

    /// Connects a store that isn't asked for its state here.
    func connect(_ handlers: StoreHandlers<State, Action>) {
        store?.connect(handlers, now: nil)
    }

    /// Records every action that passes, for a store with middleware of this shape. Put it first in the chain.
    package var middleware: (@escaping (Action, inout State) -> Void) -> (Action, inout State) -> Void {
        guard isOn else { return { next in next } }
        // The chain keeps the track alive, and with it the store's recorder.
        return { [self] next in
            let recording = StoreRecording.begin()
            return { [self] action, state in
                store?.record(action, &state, of: recording?.take(), held: { nil }) { next(action, &$0) }
            }
        }
    }

    /// Whether this store's effects may start. Pass it on to the code that starts work.
    public var gate: EffectGate {
        guard let store else { return .open }
        return EffectGate(
            isHeld: { store.isHeld }, isReplaying: { store.isReplaying }, onOpen: { store.onUnlock($0) })
    }

    /// The state that the server wants the app to launch with; nil if it launches with its own. Waits as ``start``.
    var launchState: State? { store?.launched() }

    /// Runs a dispatch from an origin, or as part of the dispatch that a middleware has begun.
    func within<Output, Failure: Error>(
        _ origin: DispatchOrigin, _ body: () throws(Failure) -> Output
    ) throws(Failure) -> Output {
        if let store, RunningDispatch.isWaiting(for: ObjectIdentifier(store)) { return try body() }
        return try dispatch(from: origin, body)
    }
}
