import Foundation
import TapeFormat

/// One dispatch, for as long as it runs on its thread: what the stores that it reaches record has something in common.
///
/// It belongs to the thread and not to the task: a task that an action starts outlives the dispatch.
final class DispatchScope {
    /// The recorder's.
    let session: ObjectIdentifier
    /// What the events have in common.
    let number: Int?
    /// The pushed action that is being dispatched, which one store answers for.
    let pushed: PushedAction?
    /// Whether the app is locked, so that the action waits: the first store says it for all, or some would have it twice.
    var isHeld: Bool?
    /// The store that has kept the action, to dispatch it again for all.
    var held: (store: String, record: JSON?)?

    init(of session: RecordingSession, number: Int? = nil, pushed: PushedAction? = nil) {
        self.session = ObjectIdentifier(session)
        self.number = number
        self.pushed = pushed
    }

    private static let key: pthread_key_t? = {
        var key = pthread_key_t()
        return pthread_key_create(&key, nil) == 0 ? key : nil
    }()

    /// The innermost dispatch that runs on this thread.
    static func current(of session: RecordingSession) -> DispatchScope? {
        guard let key, let pointer = pthread_getspecific(key) else { return nil }
        let scope = Unmanaged<DispatchScope>.fromOpaque(pointer).takeUnretainedValue()
        return scope.session == ObjectIdentifier(session) ? scope : nil
    }

    func run<Output, Failure: Error>(_ body: () throws(Failure) -> Output) throws(Failure) -> Output {
        guard let key = Self.key else { return try body() }
        let outer = pthread_getspecific(key)
        // The caller of this method keeps the scope.
        pthread_setspecific(key, Unmanaged.passUnretained(self).toOpaque())
        defer { pthread_setspecific(key, outer) }
        return try body()
    }
}

extension RecordingSession {
    /// Runs a dispatch under a number of its own. An action that was pushed is still that one behind a dispatcher.
    func dispatch<Output, Failure: Error>(_ body: () throws(Failure) -> Output) throws(Failure) -> Output {
        let number = dispatches.withLock { count in
            count += 1
            return count
        }
        let outer = DispatchScope.current(of: self)
        return try DispatchScope(of: self, number: number, pushed: outer?.pushed).run(body)
    }
}
