import TapeFormat
import TapeUplink

/// A store's recorder as the session sees it, independent of the store's types.
protocol AnyStoreRecorder: AnyObject, Sendable {
    var name: String { get }
    /// Whether pushes can be applied.
    var isConnected: Bool { get }
    /// Whether a push may be applied now. While queued actions go back into the store, pushes wait.
    var isReady: Bool { get }
    /// Applies a push; on the recorder's thread.
    ///
    /// - Parameter done: Called on any thread once the app has taken the push, or never will.
    func play(_ waiting: WaitingPush, in session: RecordingSession, done: @escaping @Sendable () -> Void)
    /// Writes a `replace` event with the full state, if the writer has one; on the recorder's thread.
    func writeFull(to session: RecordingSession)
    /// Forces the next state to be written in full; on the recorder's thread.
    func forgetBase()
    /// Like ``forgetBase()``, but keeps the base; on the recorder's thread.
    func writeFullNext()
    /// Notes that submitted events were dropped before they were written; on the recorder's thread.
    func loseEvents()
    /// Recording has ended; on the recorder's thread, or before the store is used.
    func close()
    /// The app has become idle; on the recorder's thread.
    func didBecomeIdle()
    /// Notes how many states a burst of actions has lost, if any; on the recorder's thread.
    func tellSkipped()
    /// Pauses the recording of the app's own events; on the recorder's thread, as are the methods below.
    func pause()
    func resume()
    /// Whether a pushed action has yet to be written; on the recorder's thread.
    func expects(_ id: String) -> Bool
    /// Notes that the store is gone, after its remaining events; on the recorder's thread.
    func leave(_ session: RecordingSession)
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
}
