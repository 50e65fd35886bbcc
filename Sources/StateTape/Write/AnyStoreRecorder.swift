import TapeFormat
import TapeUplink

/// A store's recorder as the session sees it, independent of the store's types.
protocol AnyStoreRecorder: AnyObject, Sendable {
    var name: String { get }
    /// Whether pushes can be applied.
    var isConnected: Bool { get }
    /// Whether a push may be applied now. While queued actions go back into the store, pushes wait.
    var isReady: Bool { get }
    /// Recording has ended; on the recorder's thread, or before the store is used.
    func close()
    /// Pauses the recording of the app's own events.
    func pause()
    /// Queues or drops the app's own actions.
    func lock(_ kind: LockKind)
    /// Ends time travel, and runs or discards the queued actions.
    func unlock(discards: Bool, keeps: Bool)
    /// Applies the state from before a loop, if it is remembered.
    ///
    /// - Parameter done: Called on any thread.
    func putBack(from loop: String, _ done: @escaping @Sendable () -> Void)
    /// Ends a loop's lock: the app's actions are queued again, or run.
    func endLoop(_ loop: String?, isLocked: Bool)

    /// Applies a push.
    ///
    /// - Parameter done: Called on any thread once the app has taken the push, or never will.
    func play(_ waiting: WaitingPush, in session: isolated RecordingSession, done: @escaping @Sendable () -> Void)
    /// Writes a `replace` event with the full state, if the writer has one.
    func writeFull(to session: isolated RecordingSession)
    /// Forces the next state to be written in full, and keeps the base.
    func writeFullNext(in session: isolated RecordingSession)
    /// Notes that submitted events were dropped before they were written.
    func loseEvents(in session: isolated RecordingSession)
    /// The app has become idle.
    func didBecomeIdle(in session: isolated RecordingSession)
    /// Notes how many states a burst of actions has lost, if any.
    func tellSkipped(in session: isolated RecordingSession)
    func resume(in session: isolated RecordingSession)
    /// Whether a pushed action has yet to be written.
    func expects(_ id: String, in session: isolated RecordingSession) -> Bool
    /// Notes that the store is gone, after its remaining events.
    func leave(_ session: isolated RecordingSession)
}
