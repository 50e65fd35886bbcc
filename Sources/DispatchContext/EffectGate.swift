/// Whether a store's effects may start. Someone may inspect a state of the locked app, or replay recorded actions; the work
/// that these actions started must not run again.
///
/// A recorded store has one: `track.gate`, or `gate` of a store of `StateTapeStore`. Pass it on to the code that starts
/// work. All members may be used on any thread.
///
/// ```swift
/// guard let thunk = action as? Thunk, gate.isOpen else { return next(action) }
/// ```
public struct EffectGate: Sendable {
    /// Always open: for tests, and for a store without a recorder.
    public static let open = EffectGate()

    private let isHeld: (@Sendable () -> Bool)?
    private let isReplaying: (@Sendable () -> Bool)?
    private let addOpening: (@Sendable (@escaping @Sendable () -> Void) -> Void)?

    private init() {
        (isHeld, isReplaying, addOpening) = (nil, nil, nil)
    }

    /// - Parameters:
    ///   - isHeld: Whether work that the app starts now must wait.
    ///   - isReplaying: Whether the action that was just reduced is a recorded one.
    ///   - onOpen: Adds a closure to call after each end of a lock.
    package init(
        isHeld: @escaping @Sendable () -> Bool, isReplaying: @escaping @Sendable () -> Bool = { false },
        onOpen: @escaping @Sendable (@escaping @Sendable () -> Void) -> Void = { _ in }
    ) {
        (self.isHeld, self.isReplaying, addOpening) = (isHeld, isReplaying, onOpen)
    }

    /// Whether work may start now. If not, the app's own actions are queued, or recorded actions are replayed.
    ///
    /// Check it in code that starts work before the reducer: a thunk, an `AsyncAction`, a command. The work would run while
    /// actions are queued, and again when the action is dispatched a second time. While the gate is closed, pass the
    /// action to the reducer instead, where the recorder queues it.
    ///
    /// At the end of a lock it is open for the queued actions, one after the other, while new ones are still queued. In a
    /// store that reduces after its dispatch has returned, check it inside of `Track.dispatch(from:_:)`, which knows the
    /// action.
    public var isOpen: Bool { !(isHeld?() ?? false) }

    /// Whether the effects of the action that was just reduced may start: it isn't a replayed one.
    package var startsEffects: Bool { !(isReplaying?() ?? false) }

    /// Calls a closure each time that a lock has ended: the gate is open, the store has its own state again, and the
    /// queued actions were reduced or discarded.
    ///
    /// Work that depends on the state, such as a driver of `StateTapeStore`, starts again there.
    ///
    /// - Parameter body: Called where the recorder calls the store; on the recorder's thread if the store isn't
    ///   connected. The gate's store keeps it as long as it lives.
    public func onOpen(_ body: @escaping @Sendable () -> Void) {
        addOpening?(body)
    }

    /// Reduces an action, then starts its effects, unless the action was queued or is replayed. For a middleware:
    ///
    /// ```swift
    /// { action in gate.run { next(action) } effects: { startEffects(action) } }
    /// ```
    ///
    /// - Parameters:
    ///   - reduce: Passes the action on to the reducer. Its result or error is passed on.
    ///   - effects: Starts the effects.
    @discardableResult
    public func run<Output>(_ reduce: () throws -> Output, effects: () -> Void) rethrows -> Output {
        // An action that is queued comes twice, and is asked for before it is reduced.
        let isOpen = isOpen
        let output = try reduce()
        if isOpen { effects() }
        return output
    }
}
