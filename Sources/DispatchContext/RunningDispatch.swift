import Foundation

/// A dispatch while it runs on its thread. Its store makes it, and the recorder takes it for the event.
package struct RunningDispatch: ~Copyable {
    package enum Role: Equatable {
        /// A dispatch of `StateTapeStore`, for the track whose middleware the store has.
        case store
        /// For one track.
        case track(ObjectIdentifier)
        /// Not a dispatch: the code that will call one.
        case forwarded
    }

    package let role: Role
    package let origin: Origin
    /// The event that the dispatch was made with. Unmanaged, because retaining it would take long.
    private let event: Unmanaged<RecordedEvent>?
    /// The event that the recorder made, because the dispatch had none.
    private var made: RecordedEvent?
    /// Whether the recorder has taken the dispatch, or a call site stands for the forwarded one.
    package var isTaken = false

    /// - Parameter event: The event that runs with the dispatch; the caller keeps it alive.
    package init(_ role: Role, _ origin: Origin, event: RecordedEvent? = nil) {
        self.role = role
        self.origin = origin
        self.event = event.map(Unmanaged.passUnretained)
    }

    private static let key: pthread_key_t? = {
        var key = pthread_key_t()
        return pthread_key_create(&key, nil) == 0 ? key : nil
    }()

    /// The innermost one on this thread. The pointer is valid until the body of its ``run(_:)`` returns.
    package static var current: UnsafeMutablePointer<RunningDispatch>? {
        key.flatMap { pthread_getspecific($0) }?.assumingMemoryBound(to: RunningDispatch.self)
    }

    /// The innermost one on this thread, if it waits for an event of this role and session.
    package static func waiting(for role: Role, session: Int) -> UnsafeMutablePointer<RunningDispatch>? {
        guard let current, current.pointee.role == role, !current.pointee.isTaken else { return nil }
        guard let event = current.pointee.event else { return current }
        return event._withUnsafeGuaranteedRef { $0.session == session } ? current : nil
    }

    /// Runs a dispatch of `StateTapeStore`.
    ///
    /// - Parameters:
    ///   - session: The session that records all that `reduce` does; nil if a part of it comes before the track.
    ///   - reduce: Runs the middleware and the reducer.
    ///   - deliver: Calls the subscribers and starts the effects.
    // Not generic, since the store's closures take less time than generic code.
    package static func run(
        from callSite: CallSite?, session: Int?, _ reduce: () -> Void, then deliver: () -> Void
    ) {
        let origin = Origin(callSite)
        guard let session else {
            var dispatch = RunningDispatch(.store, origin)
            dispatch.run(reduce)
            return RecordedEvent.$current.withValue(dispatch.made ?? origin.cause, operation: deliver)
        }
        let event = RecordedEvent(session: session)
        RecordedEvent.$current.withValue(event) {
            var dispatch = RunningDispatch(.store, origin, event: event)
            dispatch.run(reduce)
            deliver()
        }
    }

    package mutating func run<Output>(_ body: () throws -> Output) rethrows -> Output {
        guard let key = Self.key else { return try body() }
        return try withUnsafeMutablePointer(to: &self) { pointer in
            let outer = pthread_getspecific(key)
            pthread_setspecific(key, pointer)
            defer { pthread_setspecific(key, outer) }
            return try body()
        }
    }

    /// Takes the dispatch for an event.
    ///
    /// - Returns: The event, and whether the code after the reducer runs with it already.
    package mutating func take(session: Int) -> (event: RecordedEvent, isCurrent: Bool) {
        isTaken = true
        if let event { return (event.takeUnretainedValue(), true) }
        let event = RecordedEvent(session: session)
        made = event
        return (event, false)
    }
}
