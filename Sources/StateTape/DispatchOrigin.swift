import DispatchContext
import TapeFormat

/// Where an action was dispatched, and the event that started it.
///
/// A store that reduces actions later, or on a queue of its own, carries it from the call of `dispatch` to
/// ``Track/dispatch(from:_:)``. The recipes for Puredux and ReSwift show how.
public struct DispatchOrigin: Sendable {
    let origin: Origin

    private init(_ origin: Origin) {
        self.origin = origin
    }

    /// Takes the call site, and the event that runs now as the cause.
    ///
    /// Make it where `dispatch` is called. For an action that the recorder dispatches, such as one that was queued while
    /// the app was locked, it is the origin of that action.
    ///
    /// - Parameters:
    ///   - fileID: The file of the call site.
    ///   - line: The line of the call site.
    public init(fileID: StaticString = #fileID, line: UInt = #line) {
        self.init(Origin.here(CallSite(fileID: fileID, line: line)))
    }

    /// The event that runs now as the cause, without a call site.
    public static var current: DispatchOrigin { DispatchOrigin(Origin.here(nil)) }
}

extension StoreRecorder {
    /// Takes the dispatch on this thread that waits for its event.
    func takeDispatch() -> RecordedDispatch? { RunningDispatch.take(for: ObjectIdentifier(self)) }

    /// An id for an event that no store has named.
    func makeID() -> EventID { ids.withLock { $0.makeID() } }

    func dispatch<Output, Failure: Error>(
        from origin: DispatchOrigin, _ body: () throws(Failure) -> Output
    ) throws(Failure) -> Output {
        do {
            return try RunningDispatch.run(for: ObjectIdentifier(self), makeID(), from: origin.origin, body)
        } catch {
            // Only the body throws here, but `run` does not name the type.
            throw error as! Failure
        }
    }
}
