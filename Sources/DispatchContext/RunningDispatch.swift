/// Code that runs on this thread and will record an action, or call a dispatch.
package struct RunningDispatch: ~Copyable {
    private enum Role {
        /// A dispatch for one track.
        case track(ObjectIdentifier, RecordedDispatch)
        /// Code that dispatches for an origin, maybe a queued action.
        case forwarded(Origin, QueuedID?)
    }

    private let role: Role
    /// Whether the recorder has taken the dispatch, or a dispatch the call site.
    private var isTaken = false
    /// An origin carries the queued action.
    private var isQueuedTaken = false

    private init(_ role: Role) {
        self.role = role
    }

    /// The innermost one on this thread. The pointer is valid until the body of its ``run(_:)`` returns.
    private static var current: UnsafeMutablePointer<RunningDispatch>? { Ambient.current?.pointee.dispatch }

    /// Runs a dispatch for a track. Its event is the cause of what it starts.
    package static func run<Output>(
        for track: ObjectIdentifier, _ id: EventID, from origin: Origin, _ body: () throws -> Output
    ) rethrows -> Output {
        var dispatch = RunningDispatch(.track(track, RecordedDispatch(id: id, origin: origin, isCurrent: true)))
        return try EventID.$current.withValue(id) { try dispatch.run(body) }
    }

    /// Takes the innermost dispatch on this thread, if it is for this track.
    package static func take(for track: ObjectIdentifier) -> RecordedDispatch? {
        guard let current, case .track(track, let dispatch) = current.pointee.role, !current.pointee.isTaken else {
            return nil
        }
        current.pointee.isTaken = true
        return dispatch
    }

    /// Whether the innermost dispatch on this thread is for this track, and waits for its event.
    package static func isWaiting(for track: ObjectIdentifier) -> Bool {
        guard let current, case .track(track, _) = current.pointee.role else { return false }
        return !current.pointee.isTaken
    }

    /// Runs code that dispatches an action for an origin. The first call site that the code names on this thread stands
    /// for the origin's.
    static func run(for origin: Origin, _ queued: QueuedID?, _ body: () -> Void) {
        var dispatch = RunningDispatch(.forwarded(origin, queued))
        dispatch.run(body)
    }

    /// The call site for which one on this thread stands; the same one if it stands for itself.
    static func original(_ callSite: CallSite) -> CallSite? {
        guard let current, case .forwarded(let original, _) = current.pointee.role, !current.pointee.isTaken else {
            return callSite
        }
        current.pointee.isTaken = true
        return original.callSite
    }

    /// The place of a dispatch that names no line: that for which it stands, or the call stack.
    static func placeWithoutLine() -> CallSite? {
        guard CallStack.isWanted else { return nil }
        guard let current, case .forwarded(let original, _) = current.pointee.role, !current.pointee.isTaken else {
            return .withoutLine(.here())
        }
        return original.callSite.flatMap { .withoutLine($0.stack) }
    }

    /// Takes the queued action that the code on this thread dispatches.
    static func takeQueued() -> QueuedID? {
        guard let current, case .forwarded(_, let queued) = current.pointee.role, !current.pointee.isQueuedTaken else {
            return nil
        }
        current.pointee.isQueuedTaken = true
        return queued
    }

    /// The origin of the innermost dispatch on this thread, if it is for this track.
    package static func origin(for track: ObjectIdentifier) -> Origin? {
        guard let current, case .track(track, let dispatch) = current.pointee.role else { return nil }
        return dispatch.origin
    }

    private mutating func run<Output>(_ body: () throws -> Output) rethrows -> Output {
        guard let ambient = Ambient.current else { return try body() }
        return try withUnsafeMutablePointer(to: &self) { pointer in
            let outer = ambient.pointee.dispatch
            ambient.pointee.dispatch = pointer
            defer { ambient.pointee.dispatch = outer }
            return try body()
        }
    }
}
