import DispatchContext
import TapeFormat

/// One dispatch while it runs on its thread. It links the events of all stores that the dispatch reaches.
///
/// It belongs to the thread, not the task: a task that an action starts outlives the dispatch.
final class DispatchScope {
    /// The session that records the dispatch.
    let session: ObjectIdentifier
    /// The number that the dispatch's events share.
    let number: Int?
    /// The pushed action that is being dispatched; one store answers for it.
    let pushed: PushedAction?
    /// The queued action that is being dispatched again.
    let queued: QueuedDispatch?
    /// Whether the app is locked, so that the action is queued. The first store decides for all; otherwise some would
    /// run it twice. Nil if no dispatcher brings the action to several stores.
    private(set) var isHeld: Bool?
    /// The store that queued the action, to dispatch it again for all stores.
    var held: (store: String, record: JSON?)?

    init(
        of session: RecordingSession, number: Int? = nil, pushed: PushedAction? = nil, queued: QueuedDispatch? = nil
    ) {
        self.session = ObjectIdentifier(session)
        self.number = number
        self.pushed = pushed
        self.queued = queued
    }

    /// Decides for all stores that the action reaches.
    func decide(isHeld: Bool) {
        if number != nil { self.isHeld = isHeld }
    }

    /// The innermost dispatch that runs on this thread.
    static func current(of session: RecordingSession) -> DispatchScope? {
        guard let found = Ambient.current?.pointee.scope else { return nil }
        let scope = unsafeDowncast(found.takeUnretainedValue(), to: DispatchScope.self)
        return scope.session == ObjectIdentifier(session) ? scope : nil
    }

    func run<Output, Failure: Error>(_ body: () throws(Failure) -> Output) throws(Failure) -> Output {
        guard let ambient = Ambient.current else { return try body() }
        let outer = ambient.pointee.scope
        // The caller of this method keeps the scope alive.
        ambient.pointee.scope = Unmanaged<AnyObject>.passUnretained(self)
        defer { ambient.pointee.scope = outer }
        return try body()
    }
}

/// A queued action while it is dispatched again. Only the thread that dispatches it uses it.
final class QueuedDispatch {
    let id: QueuedID
    let record: JSON?
    /// The store reduces on this thread: once the dispatch has returned, no action follows.
    var isInPlace = false
    /// Code in front of the reducer has asked whether the app is locked. It may be a thunk, which is not an action.
    var isAsked = false

    init(_ id: QueuedID, _ record: JSON?) {
        self.id = id
        self.record = record
    }
}

extension RecordingSession {
    /// Runs a dispatch under its own number. Behind a dispatcher, a pushed action is still the same push.
    nonisolated func dispatch<Output, Failure: Error>(_ body: () throws(Failure) -> Output) throws(Failure) -> Output {
        let number = dispatches.withLock { count in
            count += 1
            return count
        }
        let outer = DispatchScope.current(of: self)
        return try DispatchScope(of: self, number: number, pushed: outer?.pushed, queued: outer?.queued).run(body)
    }
}
